// Package jfrreads finds threads that waited for others to answer, and slow files.
package jfrreads

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector reports long reads of connections and files.
var Detector = detect.Detector{
	Kind:     finding.KindIOWait,
	Doc:      "threads of a flight recording that waited for answers of another process, or for files",
	Recorded: run,
}

// The average number of threads that wait, over ten seconds. That a call to another process takes time is its nature:
// one thread must wait at every moment, and one answer take as long as a person notices. A file is read in far less
// than the shortest recorded read (20 ms): a tenth of the time of one thread is much.
const (
	allTheTime = 1.0
	slowAnswer = time.Second
	slowFile   = 0.1
)

// run reports reads by the other end, or by the file. Only what a library read on behalf of the application is a wait
// for an answer: a thread that reads a connection itself may wait for the next request. It is a hint: a long poll
// looks the same.
func run(r *flight.Recording) []finding.Candidate {
	var found []finding.Candidate
	for _, w := range r.Replies {
		if spells := w.Seconds.Spells(allTheTime); len(spells) > 0 && w.Longest >= slowAnswer {
			c := read(r, w, spells, "for answers of "+w.Peer)
			c.Confidence = finding.Possible
			c.Advice = "Check " + w.Peer + " at that time. Set a read timeout on the connection."
			found = append(found, c)
		}
	}
	for _, w := range r.Files {
		if spells := w.Seconds.Spells(slowFile); len(spells) > 0 {
			c := read(r, w, spells, "to read "+w.Peer)
			c.Confidence, c.Advice = finding.Proven, "Check the disk or network mount of this file at that time."
			found = append(found, c)
		}
	}
	return found
}

func read(r *flight.Recording, w flight.Waits, spells []flight.Spell, what string) finding.Candidate {
	culprits := detect.Refs(w.Waiters)
	return finding.Candidate{Finding: finding.Finding{
		Severity: finding.Info, Culprits: culprits,
		Title: fmt.Sprintf("%s waited %s in total %s%s, %s; longest %s", finding.Counted(w.Threads, "thread"),
			detect.Span(w.Total), what, detect.TopPlace(w.Places, culprits), r.Worst(spells), detect.Span(w.Longest)),
		Evidence: detect.Waited(r, w, spells),
	}}
}
