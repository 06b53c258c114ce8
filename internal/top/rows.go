package top

import (
	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/render"
)

// arrange makes new rows from the latest reading, and finds the selected one among them.
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
	clear(m.rows[len(m.rows):cap(m.rows)]) // this frees the older readings
	m.order()
	m.reselect()
}

// manyVirtual reports whether there are so many virtual threads that those at one place have a common row.
func manyVirtual(threads []analysis.ThreadReport) bool {
	n := 0
	for i := range threads {
		if t := &threads[i]; t.Virtual() {
			n += t.Size()
		}
	}
	return n > timeline.FewVirtual
}

// foldsRow reports whether a virtual thread has a common row with those at the same place.
func (m *Model) foldsRow(t *analysis.ThreadReport) bool {
	return m.folds && m.group == groupNone && t.Virtual() && t.Carrier == 0
}

// matches reports whether the typed pattern matches the name of a row, as shown or as the program gave it.
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

// reselect keeps the selection at its row, or at its position if that row is gone.
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

// selectRow moves the selection to a row, or to the nearest existing one.
func (m *Model) selectRow(i int) {
	m.selected = max(0, min(i, len(m.rows)-1))
	if len(m.rows) > 0 {
		if key := m.rows[m.selected].key; key != m.key {
			m.key, m.scroll = key, 0
		}
	}
}
