package top

import (
	"hash/fnv"
	"hash/maphash"
	"io"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/render"
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
	// thread is the only one, or the first of a group in the report's order, which is by CPU; of virtual threads at one
	// place the oldest, and all are in members.
	thread  *analysis.ThreadReport
	members []*analysis.ThreadReport
	threads int
	cpu     *float64 // percent of a core, the sum of a group; nil if unknown
	state   string   // "mixed" of a group whose threads differ
	waited  time.Duration
}

// keyOf distinguishes threads. Virtual threads that share a row of the report are followed by what they have in common:
// the oldest of them may end.
func keyOf(t *analysis.ThreadReport) rowKey {
	if t.Size() == 1 {
		return rowKey{name: t.Name, id: t.ID, nativeID: t.NativeID}
	}
	return placeKey(t)
}

// placeKey distinguishes virtual threads by where they are, and whom they wait for.
func placeKey(t *analysis.ThreadReport) rowKey {
	h := fnv.New64a()
	for _, frame := range t.Stack {
		_, _ = io.WriteString(h, frame+"\n")
	}
	what := whatFor(t)
	return rowKey{name: strings.Join([]string{"virtual", t.State, what.kind, what.owner}, "\n"), stack: h.Sum64()}
}

// groupBy is what threads are grouped by.
type groupBy int

const (
	groupNone groupBy = iota
	groupPool
	groupStack
	groupings
)

func (g groupBy) String() string { return [...]string{"none", "pool", "stack"}[g] }

// arrange makes the rows of the latest reading anew, and finds the selected one among them.
func (m *Model) arrange() {
	threads := m.threads()
	m.all = 0
	m.rows, m.folds = m.rows[:0], manyVirtual(threads)
	groups := map[rowKey]*row{}
	for i := range threads {
		t := &threads[i]
		m.all += t.Size()
		if !m.state.accepts(t) || m.pattern != nil && !m.matches(t) {
			continue
		}
		key := m.groupOf(t)
		if g := groups[key]; g != nil {
			g.add(t, m.waited(keyOf(t)))
			continue
		}
		r := &row{key: key, thread: t, threads: t.Size(), cpu: t.CPUPercent, state: t.State, waited: m.waited(keyOf(t))}
		m.rows = append(m.rows, r)
		if m.group != groupNone || m.foldsRow(t) {
			groups[key], r.members = r, []*analysis.ThreadReport{t}
		}
	}
	clear(m.rows[len(m.rows):cap(m.rows)]) // nothing of an older reading is held
	m.order()
	m.reselect()
}

// manyVirtual reports whether there are so many virtual threads that those at one place share a row.
func manyVirtual(threads []analysis.ThreadReport) bool {
	n := 0
	for i := range threads {
		if t := &threads[i]; t.Virtual() {
			n += t.Size()
		}
	}
	return n > timeline.FewVirtual
}

// foldsRow reports a virtual thread that shares a row with those at the same place.
func (m *Model) foldsRow(t *analysis.ThreadReport) bool {
	return m.folds && m.group == groupNone && t.Virtual() && t.Carrier == 0
}

// matches reports whether the pattern that is typed matches the name of a row, as shown or as the program gave it.
func (m *Model) matches(t *analysis.ThreadReport) bool {
	return m.pattern.MatchString(t.Name) || t.Virtual() && m.pattern.MatchString(render.ThreadName(t))
}

func (m *Model) groupOf(t *analysis.ThreadReport) rowKey {
	switch m.group {
	case groupPool:
		if t.Virtual() && t.Name == "" {
			return rowKey{group: "virtual #"}
		}
		return rowKey{group: pools.NamePattern(t.Name)}
	case groupStack:
		return rowKey{group: firstFrame(t), stack: stackHash(t, m.seed)}
	}
	if m.foldsRow(t) {
		return placeKey(t)
	}
	return keyOf(t)
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

// firstFrame is the method of the application that a thread is in, else the innermost one, without its file.
func firstFrame(t *analysis.ThreadReport) string {
	if t.Frame == "" && len(t.Stack) > 0 {
		method, _, _ := strings.Cut(t.Stack[0], "(")
		return method
	}
	return t.Frame
}

// add puts one more thread into a group.
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

// reselect keeps the selection at its row, or at its place where that row is gone.
func (m *Model) reselect() {
	if !m.follows {
		m.selected = 0
	} else {
		for i, r := range m.rows {
			if r.key == m.key {
				m.selected = i
				break
			}
		}
	}
	m.selectRow(m.selected)
}

// selectRow moves the selection to a row, the nearest one that there is.
func (m *Model) selectRow(i int) {
	m.selected = max(0, min(i, len(m.rows)-1))
	if len(m.rows) > 0 {
		if key := m.rows[m.selected].key; key != m.key {
			m.key, m.scroll = key, 0
		}
	}
}
