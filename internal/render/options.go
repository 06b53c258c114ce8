package render

// View says which part of a report Text and Markdown show.
type View string

// The views, named like the commands that print them.
const (
	Status   View = "status"
	Deadlock View = "deadlock"
	MostWork View = "most-work"
	Threads  View = "threads"

	WaitingThreads  View = "waiting-threads"
	DependencyTree  View = "dependency-tree"
	DependencyGraph View = "dependency-graph"
)

// Options affect Text, Markdown and List, and never JSON. The zero value is plain text of unlimited width for one
// target.
type Options struct {
	// Color writes ANSI colours. It is the only source of escape sequences.
	Color bool
	// Width is the number of terminal columns; 0 means no limit (a pipe).
	Width int
	// Top is the number of rows in tables of threads; 0 is the view's default.
	Top int
	// Thread chooses the threads in tables by name and native id; nil shows all. It never hides findings.
	Thread func(name string, nativeID int64) bool
	// ThreadText is the text that Thread was made from, for the message that no thread matches.
	ThreadText string
	// StackDepth is the number of frames per stack; 0 is the view's default.
	StackDepth int
	// IntelligentFilter drops frames of the JDK and of known frameworks from stacks.
	IntelligentFilter bool
	// NoNative hides threads whose top frame is native from tables.
	NoNative bool
	// Full lifts the limits that keep a report to one screen.
	Full bool
	// MaxTokens bounds Markdown, at four characters a token: the least important parts of a longer document are left
	// out. 0 means no bound.
	MaxTokens int
	// MultiTarget puts a line that names the target before each report.
	MultiTarget bool
}
