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

// Options shape Text, Markdown and List; JSON is never shaped. The zero value is
// plain text of unlimited width for one target.
type Options struct {
	// Color writes ANSI colours. It is the only source of escape sequences.
	Color bool
	// Width is the number of terminal columns; 0 means no limit (a pipe).
	Width int
	// Top is the number of rows in tables of threads; 0 is the view's default.
	Top int
	// Thread chooses the threads in tables by name and native id; nil shows all.
	// Findings are never hidden by it.
	Thread func(name string, nativeID int64) bool
	// ThreadText is what Thread was made from, to be quoted where no thread fits.
	ThreadText string
	// StackDepth is the number of frames per stack; 0 is the view's default.
	StackDepth int
	// IntelligentFilter drops frames of the JDK and of known frameworks from stacks.
	IntelligentFilter bool
	// NoNative hides threads whose top frame is native from tables.
	NoNative bool
	// Full lifts the limits that keep a report to one screen.
	Full bool
	// MaxTokens bounds Markdown: what is least important is left out of what would be
	// longer, at four characters a token. 0 is no bound.
	MaxTokens int
	// MultiTarget puts a line that names the target before each report.
	MultiTarget bool
}
