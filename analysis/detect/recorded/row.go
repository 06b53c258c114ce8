package recorded

import (
	"cmp"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// row is one rule.
type row struct {
	// kind is that of its findings, unless say names another.
	kind finding.Kind
	// events are those that the figures are made of.
	events []detect.Event
	// figures measures each thing that the rule is about, and returns those of at least the size noticed.
	figures func(r *flight.Recording, noticed float64) []figure
	// A figure is a hint from noticed on, a warning from warning on, critical from critical on. Zero is never.
	noticed, warning, critical float64
	// confidence is Proven unless the row has another.
	confidence finding.Confidence
	// say writes the title and the evidence, and names threads.
	say func(f figure) finding.Candidate
	// advice is what to do, unless say writes another.
	advice string
}

// figure is what a row measures of one thing in a recording.
type figure struct {
	*flight.Recording // findings fills it in
	size              float64
	// when are the times in which it was noticed.
	when []flight.Spell
	// isHint keeps it a hint, whatever its size.
	isHint bool
	// waits, stops and throw are what it is a figure of.
	waits flight.Waits
	stops flight.Stops
	throw flight.Throw
}

// share is how much of the time of the worst spell its sum of seconds is, 0 to 1.
func (f *figure) share() float64 {
	worst := flight.Worst(f.when)
	took := min(worst.To, f.End).Sub(max(worst.From, f.Begin)).Seconds()
	if took <= 0 {
		return 0
	}
	return min(1, worst.Sum/took)
}

// findings are what some rows find, without ID and ExplainedBy.
func findings(rows []row, r *flight.Recording) []finding.Candidate {
	var found []finding.Candidate
	for _, w := range rows {
		for _, f := range w.figures(r, w.noticed) {
			f.Recording = r
			c := w.say(f)
			c.Kind, c.Advice = cmp.Or(c.Kind, w.kind), cmp.Or(c.Advice, w.advice)
			c.Severity, c.Confidence = w.severityOf(f), cmp.Or(w.confidence, finding.Proven)
			found = append(found, c)
		}
	}
	return found
}

func (w *row) severityOf(f figure) finding.Severity {
	from := func(size float64) bool { return size > 0 && f.size >= size }
	switch {
	case f.isHint:
		return finding.Info
	case from(w.critical):
		return finding.Critical
	case from(w.warning):
		return finding.Warning
	}
	return finding.Info
}
