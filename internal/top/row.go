package top

import (
	"hash/fnv"
	"hash/maphash"
	"io"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis"
)

// rowKey distinguishes rows: a thread by its name and ids, a group by its name or stack.
type rowKey struct {
	group        string
	stack        uint64
	name         string
	id, nativeID int64
}

// row is a line of the table: a thread, or threads that are shown together.
type row struct {
	key rowKey
	// thread is the only thread, or the first of a group in the report's order, which is by CPU. Of virtual threads at
	// one place it is the oldest, and members has all of them.
	thread  *analysis.ThreadReport
	members []*analysis.ThreadReport
	threads int
	cpu     *float64 // percent of a core, the sum of a group; nil if unknown
	state   string   // "mixed" of a group whose threads differ
	waited  time.Duration
}

// keyOf distinguishes threads. The key of virtual threads that share a row of the report is their common place, as the
// oldest of them may end.
func keyOf(t *analysis.ThreadReport) rowKey {
	if t.Size() == 1 {
		return rowKey{name: t.Name, id: t.ID, nativeID: t.NativeID}
	}
	return placeKey(t)
}

// placeKey distinguishes virtual threads by their place, and by the thread that they wait for.
func placeKey(t *analysis.ThreadReport) rowKey {
	h := fnv.New64a()
	for _, frame := range t.Stack {
		_, _ = io.WriteString(h, frame+"\n")
	}
	what := whatFor(t)
	return rowKey{name: strings.Join([]string{"virtual", t.State, what.kind, what.owner}, "\n"), stack: h.Sum64()}
}

// groupBy is the property by which threads are grouped.
type groupBy int

const (
	groupNone groupBy = iota
	groupPool
	groupStack
	groupings
)

func (g groupBy) String() string { return [...]string{"none", "pool", "stack"}[g] }

// firstFrame is the application method of a thread, or else the innermost method, without its file.
func firstFrame(t *analysis.ThreadReport) string {
	if t.Frame == "" && len(t.Stack) > 0 {
		method, _, _ := strings.Cut(t.Stack[0], "(")
		return method
	}
	return t.Frame
}

// add adds one more thread to a group.
func (r *row) add(t *analysis.ThreadReport, waited time.Duration) {
	r.threads += t.Size()
	if r.key.group == "" { // virtual threads at one place
		r.members = append(r.members, t)
		if t.ID < r.thread.ID {
			r.thread = t
		}
	}
	if t.CPUPercent != nil {
		sum := *t.CPUPercent
		if r.cpu != nil {
			sum += *r.cpu
		}
		r.cpu = &sum
	}
	if t.State != r.state {
		r.state = "mixed"
	}
	r.waited = max(r.waited, waited)
}

func stackHash(t *analysis.ThreadReport, seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, frame := range t.Stack {
		_, _ = h.WriteString(frame)
		_ = h.WriteByte('\n')
	}
	return h.Sum64()
}
