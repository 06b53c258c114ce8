package deadlock

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// memberRefs names the members, each before the one that it waits for. The first one does not depend on the order of
// the dump (see locks.Cycle).
func memberRefs(f *timeline.Timeline, c *locks.Cycle) []finding.ThreadRef {
	refs := make([]finding.ThreadRef, 0, len(c.Members))
	for _, m := range c.Members {
		if m.Sample == nil {
			refs = append(refs, finding.ThreadRef{Name: m.Name})
		} else {
			refs = append(refs, f.Ref(m.Sample))
		}
	}
	return refs
}

// cycleResource is what the first member waits for.
func cycleResource(c *locks.Cycle) *finding.Resource {
	m := c.Members[0]
	switch {
	case m.Sample != nil && m.Sample.WaitsOn() != nil:
		l := m.Sample.WaitsOn()
		r := &finding.Resource{Type: timeline.LockType(m.Sample), Class: l.Class}
		if l.Address != 0 {
			r.Address = finding.Hex(l.Address)
		}
		return r
	case m.Sample != nil:
		return &finding.Resource{Type: timeline.LockType(m.Sample)}
	case m.Entry.Monitor:
		return &finding.Resource{Type: "monitor", Class: m.Entry.Class, Address: finding.Hex(m.Entry.Address)}
	}
	return &finding.Resource{Type: "ownable synchronizer", Class: m.Entry.Class, Address: finding.Hex(m.Entry.Address)}
}

// cycleEvidence quotes what each member waits for and holds, and the JVM's own report.
func cycleEvidence(f *timeline.Timeline, c *locks.Cycle) []finding.Evidence {
	var quotes []finding.Evidence
	for _, m := range c.Members {
		if m.Sample != nil {
			if l := m.Sample.WaitsOn(); l != nil {
				quotes = append(quotes, f.QuoteLock(c.At, l))
			} else {
				quotes = append(quotes, initialiserEvidence(f, c.At, m.Sample)...)
			}
		}
		if m.Holds != nil {
			quotes = append(quotes, f.QuoteLock(c.At, m.Holds))
		}
	}
	for _, s := range c.ByClass {
		quotes = append(quotes, f.QuoteFrame(c.At, s, len(s.Stack.Frames)-1))
	}
	if c.Queued != nil {
		quotes = append(quotes, finding.Figure(c.Queued.Executor.Words(c.Queued.Pattern())))
	}
	if c.UpgradedReads > 0 {
		quotes = append(quotes, finding.Figure(fmt.Sprintf("memory: the read lock is held %s; the waiting "+
			"thread is one of its readers", finding.Counted(c.UpgradedReads, "time"))))
	}
	if c.Reported == nil {
		return quotes
	}
	quotes = append(quotes, f.Quote(c.At, "Found one Java-level deadlock:", int32(c.Reported.Line)))
	for _, m := range c.Members {
		if m.Entry != nil && m.Holds == nil && !strings.ContainsAny(m.Name, "\n\r") {
			quotes = append(quotes, f.Quote(c.At, `which is held by "`+m.Entry.HeldBy+`"`, int32(m.Entry.Line)+2))
		}
	}
	return quotes
}

// initialiserEvidence quotes the frame of the static initialiser that a thread is stuck in.
func initialiserEvidence(f *timeline.Timeline, at int, s *timeline.Sample) []finding.Evidence {
	for i, frame := range s.Stack.Frames {
		if frame.Method == "<clinit>" {
			return []finding.Evidence{f.QuoteFrame(at, s, i)}
		}
	}
	return nil
}
