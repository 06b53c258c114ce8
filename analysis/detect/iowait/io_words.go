package iowait

import (
	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
)

func ioTitle(f *pools.Pools, waiters []iowaits.Waiter, behind int) string {
	text := iowaits.WaitersWords(f, waiters) + " " + iowaits.WaitsWords(waiters)
	if wall := f.Wall(); wall.Known {
		text += ", the same for " + finding.Seconds(wall.Value)
	}
	if behind > 0 {
		text += ", while " + finding.Counted(behind, "thread") + finding.Verb(behind, " waits", " wait") + " for " + finding.Verb(len(waiters), "it", "them")
	}
	return text
}
