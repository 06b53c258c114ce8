package iowait

import (
	"fmt"

	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

func ioTitle(f *pools.Pools, waiters []iowaits.Waiter, behind int) string {
	text := iowaits.WaitersWords(f, waiters) + " " + iowaits.WaitsWords(waiters)
	if wall := f.Timeline.Wall(); wall.Known {
		text += ", unchanged for " + finding.Seconds(wall.Value)
	}
	if behind > 0 {
		text += "; " + finding.Counted(behind, "thread") + finding.Verb(behind, " waits for ", " wait for ") +
			finding.Verb(len(waiters), "it", "them")
	}
	return text
}

// kernelWait describes what a thread in I/O waits for in the kernel.
func kernelWait(name string, t timeline.Task) finding.Evidence {
	return finding.Figure(fmt.Sprintf("%s sleeps in the kernel's %s%s", name, t.WaitChannel, onFile(t)))
}

func onFile(t timeline.Task) string {
	switch {
	case t.File == "named-pipe" && t.Peer != "":
		return ", on the named pipe " + t.Peer
	case t.Peer != "":
		return ", on the connection to " + t.Peer
	case t.File != "":
		return ", on a " + t.File
	}
	return ""
}
