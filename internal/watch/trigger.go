package watch

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// Trigger is a condition that makes an event when it begins to hold.
type Trigger struct {
	// Name is that of its rule; Threshold is a share from 0 to 1, for rules with a threshold.
	Name      string
	Threshold float64

	rule rule
}

// String is the trigger as it is typed: "deadlock", "cpu>90%".
func (t Trigger) String() string {
	if t.rule.usual == 0 {
		return t.Name
	}
	return fmt.Sprintf("%s>%s%%", t.Name, strconv.FormatFloat(100*t.Threshold, 'g', 12, 64))
}

// rule is a kind of trigger.
type rule struct {
	name, doc string
	// former is the name that the rule had before, which may still be typed; empty without one.
	former string
	// usual is the threshold if none is typed, 0 for a rule without one.
	usual float64
	// fromPulses reports that pulses decide, not reports alone.
	fromPulses bool
	// standing reports that the recording needs a reading of the JVM while it is unresponsive.
	standing bool
	// judge states the condition in a sentence, empty if it does not hold. While an event lasts, threshold is lower.
	judge func(e *Evidence, threshold float64) string
}

// The times and shares that the rules judge.
const (
	cpuOver              = 1200 * time.Millisecond
	gcShortly, gcLong    = 1 * time.Second, 10 * time.Second
	gcMostly, gcOften    = 0.5, 0.25
	pressureReports      = 2
	leastOf              = 0.9 // the part of a threshold that ends an event
	defaultCPU, defaultH = 0.9, 0.9
)

// rules are all kinds of triggers, in the order of their documentation.
func rules() []rule {
	return []rule{
		{name: "deadlock", doc: "threads are deadlocked, proven or likely", judge: deadlocked},
		{name: "stall", doc: "the verdict is stalled: no progress for a second, or proven", judge: stalled},
		{name: "unresponsive", former: "deaf", doc: "the JVM is stopped or frozen for 0.7 s, or at one safepoint\n" +
			"or in one collection for 1.2 s, or gives no answer", fromPulses: true, standing: true,
			judge: notAnswering},
		{name: "gc", doc: "collections stop the application for 50 % of a second or\n" +
			"25 % of 10 s, or a finding gc-pressure in two readings", fromPulses: true, judge: gcPressure},
		{name: "cpu", doc: "the JVM uses more of the CPU that it may use, over 1.2 s", usual: defaultCPU,
			fromPulses: true, judge: busy},
		{name: "heap", doc: "more of the heap is in use after a collection", usual: defaultH,
			fromPulses: true, judge: heapFull},
	}
}

// Usual are the triggers unless others are asked for. cpu and heap are not among them: a healthy program may use all
// of its CPU, and a heap that is full of caches need not be a problem.
const Usual = "deadlock,stall,unresponsive,gc"

// Names are the triggers as they may be typed.
func Names() []string {
	var names []string
	for _, r := range rules() {
		names = append(names, Trigger{Name: r.name, Threshold: r.usual, rule: r}.String())
	}
	return names
}

// Docs are the triggers as they may be typed, each with its meaning.
func Docs() string {
	var b strings.Builder
	for i, r := range rules() {
		doc := strings.ReplaceAll(r.doc, "\n", "\n"+strings.Repeat(" ", 16))
		fmt.Fprintf(&b, "   %-12s %s\n", Names()[i], doc)
	}
	return b.String()
}

// Parse reads triggers as they are typed: "deadlock,cpu>90%".
func Parse(text string) ([]Trigger, error) {
	var all []Trigger
	for word := range strings.SplitSeq(text, ",") {
		t, err := parseOne(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(o Trigger) bool { return o.String() == t.String() }) {
			continue
		}
		all = append(all, t)
	}
	return all, nil
}

func parseOne(word string) (Trigger, error) {
	if word == "" {
		return Trigger{}, errors.New("a trigger is empty; separate triggers with one comma")
	}
	name, limit, limited := strings.Cut(word, ">")
	name, limit = strings.TrimSpace(name), strings.TrimSpace(limit)
	for _, r := range rules() {
		if name == "" || r.name != name && r.former != name {
			continue
		}
		t := Trigger{Name: r.name, Threshold: r.usual, rule: r}
		if !limited {
			return t, nil
		}
		percent, err := strconv.ParseFloat(strings.TrimRight(strings.TrimSuffix(limit, "%"), " "), 64)
		switch {
		case r.usual == 0:
			return t, fmt.Errorf("%s takes no threshold", name)
		case err != nil, !(percent > 0 && percent < 100):
			return t, fmt.Errorf("%s needs a threshold between 0 and 100 %%, not %q", name, limit)
		}
		t.Threshold = percent / 100
		return t, nil
	}
	return Trigger{}, fmt.Errorf("there is no trigger %q", word)
}

// Holds states the condition in a sentence, empty if it does not hold. during is true while its event lasts: then less
// than the threshold suffices, so that a figure that varies around it makes only one event.
func (t Trigger) Holds(e *Evidence, during bool) string {
	threshold := t.Threshold
	if during {
		threshold *= leastOf
	}
	return t.rule.judge(e, threshold)
}

func deadlocked(e *Evidence, _ float64) string {
	if e.Report == nil {
		return ""
	}
	for _, f := range e.Report.Findings {
		isDeadlock := f.Kind == finding.KindDeadlock || f.Kind == finding.KindPoolDeadlock
		if isDeadlock && f.Confidence != finding.Possible && f.Severity != finding.Info {
			return e.Report.Verdict.Summary
		}
	}
	return ""
}

func stalled(e *Evidence, _ float64) string {
	if e.Report == nil || e.Report.Verdict.State != analysis.Stalled {
		return ""
	}
	return e.Report.Verdict.Summary
}

func notAnswering(e *Evidence, _ float64) string {
	_, cause := e.Standing()
	if cause = cmp.Or(cause, e.Unanswered); cause == "" {
		return ""
	}
	return "the JVM does not answer: " + cause
}

func gcPressure(e *Evidence, _ float64) string {
	if share, ok := e.gcShare(gcShortly); ok && share >= gcMostly {
		return fmt.Sprintf("collections stop the application for %.0f %% of a second", 100*share)
	}
	if share, ok := e.gcShare(gcLong); ok && share >= gcOften {
		return fmt.Sprintf("collections stop the application for %.0f %% of 10 s", 100*share)
	}
	if e.Pressed < pressureReports {
		return ""
	}
	for _, f := range e.Report.Findings {
		if f.Kind == finding.KindGCPressure {
			return f.Title
		}
	}
	return ""
}

func busy(e *Evidence, threshold float64) string {
	share, ok := e.cpuShare(cpuOver)
	if !ok || share <= threshold {
		return ""
	}
	return fmt.Sprintf("the JVM uses %.2f of the %.3g cores that it may use", share*e.Cores, e.Cores)
}

func heapFull(e *Evidence, threshold float64) string {
	if e.Heap <= threshold {
		return ""
	}
	return fmt.Sprintf("%.0f %% of the heap are in use after a collection", 100*e.Heap)
}
