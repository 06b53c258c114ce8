package unresponsive

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/analysis/facts/unanswered"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// reason is why a JVM does not answer, as far as it can be seen.
type reason struct {
	// why continues the sentence "the JVM does not answer: it …".
	why string
	// gone reports that the process no longer exists or is a zombie.
	gone   bool
	advice string
	// severity and confidence are empty for critical and proven.
	severity   finding.Severity
	confidence finding.Confidence
	culprits   []*unanswered.Thread
	evidence   []string
}

// certain reports that the reason is proven: the JVM is gone, stopped or frozen.
func (r *reason) certain() bool { return r.gone || r.confidence == "" && r.severity == "" }

// growth is by how much a counter has grown; 0 if it is unknown.
func growth(a, b timeline.Opt[int64]) int64 {
	if !a.Known || !b.Known {
		return 0
	}
	return b.Value - a.Value
}

// firstFew bounds the threads that a finding blames.
func firstFew(threads []*unanswered.Thread) []*unanswered.Thread {
	const few = 5
	return threads[:min(len(threads), few)]
}

// useOf is the evidence of the CPU that some threads used.
func useOf(threads []*unanswered.Thread) []string {
	if len(threads) == 0 {
		return nil
	}
	var parts []string
	for _, t := range firstFew(threads) {
		parts = append(parts, fmt.Sprintf("%s %s of a core", finding.QuoteName(t.Name), finding.Percent(t.Share())))
	}
	return []string{"CPU: " + strings.Join(parts, ", ")}
}
