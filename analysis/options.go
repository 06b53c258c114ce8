package analysis

import (
	"slices"

	"github.com/jstall/jstall/analysis/finding"
)

// Options shape a diagnosis. The zero value reports all kinds of findings.
type Options struct {
	// Kinds are the wanted kinds of findings, nil for all. The verdict rests on these alone.
	Kinds []finding.Kind
	// PlatformOnly makes the verdict rest on the platform threads if virtual threads exist and are not shown.
	PlatformOnly bool
	// VirtualWays are what the reader can do to see virtual threads that are not shown, the best first, as imperatives.
	// Nil means the ways for a saved dump.
	VirtualWays []string
	// InvolvedOnly leaves out the rows of threads that no finding names.
	InvolvedOnly bool
	// Thread chooses the threads that get their own rows where many virtual threads share rows; nil chooses none. A
	// virtual thread without a name is called "virtual #31".
	Thread Chooser
}

// Chooser reports whether a reader chose a thread, by its name and native id.
type Chooser = func(name string, nativeID int64) bool

func (o Options) wants(k finding.Kind) bool { return o.Kinds == nil || slices.Contains(o.Kinds, k) }

func (o Options) deadlocksOnly() bool {
	return o.Kinds != nil && !slices.ContainsFunc(o.Kinds, func(k finding.Kind) bool { return !isDeadlockKind(k) })
}

// command is the command of jstall that reports the same kinds.
func (o Options) command() string {
	if o.deadlocksOnly() {
		return "jstall deadlock"
	}
	return "jstall"
}
