package top

import (
	"hash/maphash"
	"regexp"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
)

// Model is the screen. It is for one goroutine.
type Model struct {
	paint         painter
	title         string
	width, height int

	now      *Reading // the latest reading, nil before the first
	waits    waits
	findings findings

	seed     maphash.Seed // of hashes in keys of rows
	sort     sortBy
	reverse  bool
	group    groupBy
	folds    bool // virtual threads at one place have a common row
	state    stateFilter
	pattern  *regexp.Regexp // of names, nil for all
	prompt   prompt
	rows     []*row // threads that pass the filters, sorted
	all      int    // threads of the latest reading
	selected int
	key      rowKey // of the selected row
	// follows reports that the selection stays with its row. Until an arrow is pressed it stays at the top.
	follows bool
	offset  int // of the first visible row

	stack   bool // the pane with the stack is open
	scroll  int  // lines of the pane that are scrolled away
	help    bool
	paused  bool
	message string
	ended   string
}

// New returns a screen of the default size without a reading.
func New(o Options) *Model {
	return &Model{paint: newPainter(o.Color), title: o.Title, width: 80, height: 24, seed: maphash.MakeSeed()}
}

// Resize sets the number of columns and lines of the terminal.
func (m *Model) Resize(width, height int) {
	m.width, m.height = max(1, width), max(1, height)
}

// Ended notes that no reading follows, and why. The screen keeps the latest one.
func (m *Model) Ended(why string) { m.ended = why }

// Say shows a message until the next key.
func (m *Model) Say(message string) { m.message = message }

// Paused reports whether readings are not wanted.
func (m *Model) Paused() bool { return m.paused }

// line joins segments and cuts them at the width of the screen.
func (m *Model) line(segments ...segment) string {
	var b strings.Builder
	left := m.width
	for _, s := range segments {
		text := cutEnd(s.text, left)
		left -= render.Cells(text)
		b.WriteString(m.paint.put(text, s.style))
		if left <= 0 {
			break
		}
	}
	return b.String()
}

// threads are those of the latest reading.
func (m *Model) threads() []analysis.ThreadReport {
	if m.now == nil {
		return nil
	}
	return m.now.Report.Threads
}

// waited is how long a thread has been seen waiting, 0 if it does not wait or if that is unknown.
func (m *Model) waited(k rowKey) time.Duration {
	begin, ok := m.waits.since[k]
	if !ok || m.now == nil {
		return 0
	}
	return m.now.At.Sub(begin.at)
}
