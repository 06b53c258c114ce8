package analysis

import (
	"fmt"
	"strconv"
	"strings"
)

// replacedWorkers are the names of workers that have ended, as it seems because a task of
// theirs threw: others took their places.
//
// Rule: the JDK's own names, which count from one, have gaps, fewer than there are workers;
// and those that are idle wait for work without a time limit, so that none goes for lack of
// it. (An executor that has had more for a while and is back to its core looks the same.)
func (f *facts) replacedWorkers() []string {
	var names []string
	for _, p := range f.executors() {
		names = append(names, p.replaced()...)
	}
	return names
}

func (p *pool) replaced() []string {
	const most = 1000
	prefix, ok := strings.CutSuffix(p.pattern, "#")
	if !ok || !strings.HasPrefix(prefix, "pool-") || !strings.HasSuffix(prefix, "-thread-") || p.mixed || len(p.idle) == 0 {
		return nil
	}
	there, last := map[int]bool{}, 0
	for _, h := range p.workers {
		n, err := strconv.Atoi(strings.TrimPrefix(h.thread.Name, prefix))
		if err != nil || n > most {
			return nil
		}
		there[n], last = true, max(last, n)
	}
	for _, h := range p.idle {
		if h.last().timed() {
			return nil
		}
	}
	var gone []string
	for n := 1; n < last; n++ {
		if !there[n] {
			gone = append(gone, prefix+strconv.Itoa(n))
		}
	}
	if len(gone) >= len(p.workers) {
		return nil
	}
	return gone
}

// tellReplaced adds what workers that were replaced tell of a signal that did not come.
func (f *facts) tellReplaced(finding *Finding) {
	if gone := f.replacedWorkers(); len(gone) > 0 {
		told := figure(fmt.Sprintf("%s %s gone from the executor: an exception seems to have ended %s", quoteNames(gone),
			verb(len(gone), "is", "are"), verb(len(gone), "its task", "their tasks")))
		finding.Evidence = append([]Evidence{told}, finding.Evidence...)
		finding.Advice = "Look in the log for the exception that ended a task, and give the signal in a finally block. Wait with a time limit."
	}
}
