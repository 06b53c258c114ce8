package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/order"
	"github.com/jstall/jstall/threaddump"
)

// Strips are the states of all threads, dump by dump.
type Strips struct {
	// Dumps are the columns: the dumps of the diagnosed JVM, in the order of time.
	Dumps []StripDump
	// Rows have the application's threads first, those that were blocked before others, larger groups before smaller
	// ones.
	Rows []Strip
	// Unlisted counts the virtual threads without a row.
	Unlisted int
}

// StripDump is one dump: Index as in evidence, and the time since the first dump, nil if unknown.
type StripDump struct {
	Index   int
	Seconds *float64
}

// Strip is threads of one role that were in equal states in every dump.
type Strip struct {
	Role    string
	Virtual bool
	Threads []StripThread
	// Alike counts further virtual threads that the dumps count with these and do not list.
	Alike int
	// States has one state per dump. It is empty if the dump does not have the threads, and "-" if the dump gives no
	// state, as for the JVM's own threads.
	States []string
}

// Size is the number of threads that the row represents.
func (s Strip) Size() int { return len(s.Threads) + s.Alike }

// StripThread is a thread with the line of its header in each dump; zero if the dump does not have the thread.
type StripThread struct {
	Name  string
	ID    int64
	Lines []int
}

// NoState is the state of threads for which a dump has no state.
const NoState = "-"

// SeriesStrips returns the states of the threads over time; it has no rows without a dump.
func SeriesStrips(s *timeline.Series) *Strips {
	out := &Strips{}
	if len(s.Snaps) == 0 {
		return out
	}
	moments, _ := s.Split()
	f := timeline.Arrange(moments)
	for at, snap := range f.Snaps {
		out.Dumps = append(out.Dumps, StripDump{snap.Index, inSeconds(wallUntil(f, at))})
	}
	places := map[string]int{}
	for _, h := range f.Threads {
		row, thread := strip(h, len(f.Snaps))
		key := fmt.Sprint(row.Role, row.Virtual, "\n", strings.Join(row.States, " "))
		i, seen := places[key]
		if !seen {
			i = len(out.Rows)
			places[key] = i
			out.Rows = append(out.Rows, row)
		}
		out.Rows[i].Threads = append(out.Rows[i].Threads, thread)
		out.Rows[i].Alike += h.Last().Size() - 1
	}
	order.SortStable(out.Rows, compareStrips)
	out.limitVirtual()
	return out
}

// mostVirtualStrips is the largest number of rows of virtual threads. Virtual threads that come and go each appear in
// other dumps, so that they share no row.
const mostVirtualStrips = 100

// limitVirtual removes the last rows of virtual threads, and counts their threads.
func (s *Strips) limitVirtual() {
	rows := 0
	s.Rows = slices.DeleteFunc(s.Rows, func(r Strip) bool {
		rows += finding.CountIf(r.Virtual)
		if left := r.Virtual && rows > mostVirtualStrips; left {
			s.Unlisted += r.Size()
			return true
		}
		return false
	})
}

// wallUntil is the time from the first dump to another.
func wallUntil(t *timeline.Timeline, at int) timeline.Opt[time.Duration] {
	sum := timeline.Opt[time.Duration]{Known: true}
	for _, wall := range t.Walls[:at] {
		sum.Value += wall.Value
		sum.Known = sum.Known && wall.Known
	}
	return sum
}

// strip is the row of one thread, with its state in each dump.
func strip(h *timeline.History, dumps int) (Strip, StripThread) {
	row := Strip{Role: h.Thread.Role.String(), Virtual: h.Thread.Virtual, States: make([]string, dumps)}
	thread := StripThread{Name: h.Thread.Name, ID: h.Thread.ID, Lines: make([]int, dumps)}
	for i, sample := range h.Samples {
		at := h.At[i]
		row.States[at] = cmp.Or(sample.Shown().String(), NoState)
		thread.Lines[at] = int(sample.Line)
	}
	return row, thread
}

func compareStrips(a, b Strip) int {
	return cmp.Or(
		cmp.Compare(roleRank(a.Role), roleRank(b.Role)),
		cmp.Compare(b.count(threaddump.Blocked), a.count(threaddump.Blocked)),
		cmp.Compare(b.count(threaddump.Runnable), a.count(threaddump.Runnable)),
		cmp.Compare(b.Size(), a.Size()),
		cmp.Compare(a.Threads[0].Name, b.Threads[0].Name),
	)
}

// roleRank ranks the application first and non-Java threads last.
func roleRank(role string) int {
	switch role {
	case threaddump.Application.String():
		return 0
	case threaddump.JVM.String():
		return 1
	}
	return 2
}

// count is the number of dumps in which the threads were in a state.
func (s Strip) count(state threaddump.State) int {
	n := 0
	for _, shown := range s.States {
		if shown == state.String() {
			n++
		}
	}
	return n
}
