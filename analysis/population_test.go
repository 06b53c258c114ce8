package analysis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// parkedAt is a virtual thread that waits for an object of a class.
func parkedAt(id int64, name, class string, address uint64, frames ...string) *threaddump.Thread {
	t := Virtual(id, name, In(threaddump.Waiting), At(append([]string{"java.lang.VirtualThread.park"}, frames...)...))
	t.Locks = append(t.Locks, threaddump.Lock{Op: threaddump.Parking, Class: class, Address: address})
	return t
}

const latchSync = "java.util.concurrent.CountDownLatch$Sync"

// inLatch are virtual threads that wait for one latch.
func inLatch(n int, first int64, pattern string, address uint64) (all []*threaddump.Thread) {
	for i := range n {
		name := pattern
		if strings.Contains(pattern, "%") {
			name = fmt.Sprintf(pattern, i)
		}
		all = append(all, parkedAt(first+int64(i), name, latchSync, address,
			"java.util.concurrent.CountDownLatch.await", "App.await"))
	}
	return all
}

func diagnoseListed(o analysis.Options, threads ...*threaddump.Thread) *analysis.Report {
	dump := Observe(0, append([]*threaddump.Thread{Thread(1, "main", Sleeping)}, threads...)...)
	dump.Dump.VirtualListed = true
	s := timeline.NewSeries()
	s.Add(dump)
	o.Kinds = []finding.Kind{finding.KindDeadlock} // other findings would name threads, which gives them rows
	return analysis.Diagnose(s, o)
}

// describeRows are the rows of virtual threads in short.
func describeRows(r *analysis.Report) string {
	var all []string
	for i := range r.Threads {
		t := &r.Threads[i]
		if !t.Virtual() {
			continue
		}
		text := fmt.Sprintf("%d × %s#%d[%s]", t.Size(), t.Name, t.ID, t.NamePattern)
		if w := t.WaitsFor; w != nil {
			text += " " + w.Type + " " + strings.TrimLeft(w.Address, "0x")
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// waitingForFutures are virtual threads that wait for another future each.
func waitingForFutures(n int) (all []*threaddump.Thread) {
	const class = "java.util.concurrent.CompletableFuture"
	for i := range n {
		name := fmt.Sprintf("f-%d", i)
		all = append(all, parkedAt(int64(700+i), name, class+"$Signaller", uint64(0x100+i), class+".get", "App.get"))
	}
	return all
}

func TestRowsOfVirtualThreads(t *testing.T) {
	alike := parkedAt(500, "unit-1", latchSync, 0xa, "App.await")
	alike.Alike = 4999
	mounted := Virtual(600, "runs", In(threaddump.Runnable), At("App.run"))
	mounted.Carrier = 7
	unread := Virtual(601, "torn", In(threaddump.Waiting))
	unread.Unread = "it moved while it was read"
	const orders = "120 × order-0#10[order-#] latch a"
	with := func(others ...*threaddump.Thread) []*threaddump.Thread {
		return append(inLatch(120, 10, "order-%d", 0xa), others...)
	}
	for name, test := range map[string]struct {
		asked   string
		threads []*threaddump.Thread
		want    string
	}{
		"few": {"", inLatch(2, 10, "order-%d", 0xa), "1 × order-0#10[] latch a; 1 × order-1#11[] latch a"},
		"of several latches": {"", with(slices.Concat(inLatch(12, 200, "late-%d", 0xb), inLatch(9, 300, "rare-%d", 0xc),
			inLatch(9, 400, "rare-%d", 0xd))...),
			orders + "; 18 × rare-0#300[rare-#] latch ; 12 × late-0#200[late-#] latch b"},
		"without names": {"", inLatch(101, 10, "", 0xa), "101 × #10[] latch a"},
		"with one name": {"", inLatch(101, 10, "worker", 0xa), "101 × worker#10[worker] latch a"},
		"with ids in the names": {"", inLatch(101, 10, "tx-%[1]d-part-%[1]d", 0xa),
			"101 × tx-0-part-0#10[tx-#-part-#] latch a"},
		"counted by the dump": {"", []*threaddump.Thread{alike}, "5000 × unit-1#500[] unpark "},
		"on a carrier":        {"", with(mounted), "1 × runs#600[]; " + orders},
		"asked for": {"order-11", with(), strings.Join([]string{
			"1 × order-11#21[] latch a", "1 × order-110#120[] latch a",
			"1 × order-111#121[] latch a", "1 × order-112#122[] latch a", "1 × order-113#123[] latch a",
			"1 × order-114#124[] latch a", "1 × order-115#125[] latch a", "1 × order-116#126[] latch a",
			"1 × order-117#127[] latch a", "1 × order-118#128[] latch a", "1 × order-119#129[] latch a",
			"109 × order-0#10[order-#] latch a"}, "; ")},
		"too many asked for": {"order", with(inLatch(3, 300, "other-%d", 0xa)...),
			orders + "; 3 × other-0#300[other-#] latch a"},
		"each for another object": {"", with(waitingForFutures(11)...), orders + "; 11 × f-0#700[f-#] result "},
		"unread":                  {"", with(unread), orders + "; 1 × torn#601[] unpark "},
	} {
		var o analysis.Options
		if test.asked != "" {
			o.Thread = func(name string, _ int64) bool { return strings.HasPrefix(name, test.asked) }
		}
		r := diagnoseListed(o, test.threads...)
		if got := describeRows(r); got != test.want {
			t.Errorf("%s: %s\nwant %s", name, got, test.want)
		}
		if name == "unread" && !r.Threads[len(r.Threads)-1].StackUnknown {
			t.Error("the row does not say that its stack is unknown")
		}
	}
}

// Of many places those with the most threads have rows, and the others are counted.
func TestRowsOfVirtualThreadsAreBounded(t *testing.T) {
	var all []*threaddump.Thread
	for i := range 70 {
		for j := range 2 {
			all = append(all, parkedAt(int64(1000+2*i+j), "v", latchSync, 0, fmt.Sprintf("App.at%d", i)))
		}
	}
	all = append(all, parkedAt(2000, "v", latchSync, 0, "App.at69"))
	r := diagnoseListed(analysis.Options{}, all...)
	rows := strings.Split(describeRows(r), "; ")
	if len(rows) != 50 || !strings.HasPrefix(rows[0], "3 × v#1138") || r.VirtualThreads.Unlisted != 40 {
		t.Errorf("%d rows, %d threads in none: %v", len(rows), r.VirtualThreads.Unlisted, rows)
	}
}

// A comparison shows the group of virtual threads that grew, and not the others, whatever their ids and numbers are.
func TestVirtualThreadsAreCompared(t *testing.T) {
	capture := func(ids int64, orders, quotes int) *analysis.Report {
		named := func(what string) string { return fmt.Sprintf("%s-%d-%%d", what, ids) }
		threads := append(inLatch(orders, ids, named("order"), 0xa), inLatch(2, ids+5000, "", 0xb)...)
		for i, q := range inLatch(quotes, ids+9000, named("quote"), 0xc) {
			q.Stack = Trace("java.lang.VirtualThread.park", "App.quote")
			q.Carrier = int64(i % 2) // some on carriers
			threads = append(threads, q)
		}
		return diagnoseListed(analysis.Options{}, threads...)
	}
	c := analysis.Compare(capture(100, 120, 200), capture(70100, 160, 480))
	grew := analysis.PoolChange{Pattern: "quote-#-#", Good: 200, Bad: 480, Virtual: true}
	if len(c.Pools) != 1 || c.Pools[0] != grew {
		t.Errorf("pools %+v", c.Pools)
	}
	if len(c.Stacks) != 1 || c.Stacks[0].Good != 200 || c.Stacks[0].Bad != 480 || !c.Stacks[0].Virtual {
		t.Errorf("stacks %+v", c.Stacks)
	}
	if c.Good.Threads != 324 || c.Good.VirtualThreads != 322 || c.Bad.VirtualThreads != 642 {
		t.Errorf("%+v, %+v", c.Good, c.Bad)
	}
	if c := analysis.Compare(capture(100, 120, 0), capture(700, 130, 1)); len(c.Pools)+len(c.Stacks)+len(c.Locks) > 0 {
		t.Errorf("one thread more: %+v", c)
	}
}

// The states over time have virtual threads in their own rows, up to a limit.
func TestStripsOfVirtualThreads(t *testing.T) {
	s := timeline.NewSeries()
	for i := range 8 {
		alike := parkedAt(500, "unit", latchSync, 0, "App.await")
		alike.Alike = 4999
		o := Observe(float64(i), append([]*threaddump.Thread{Thread(1, "main", In(threaddump.Waiting)), alike},
			inLatch(2, 10, "order-%d", 0xa)...)...)
		for id := range int64(256) { // each is in other dumps
			if id>>i&1 == 1 {
				o.Dump.Threads = append(o.Dump.Threads, parkedAt(1000+id, "", latchSync, 0, "App.await"))
			}
		}
		o.Dump.VirtualListed = true
		s.Add(o)
	}
	strips := analysis.SeriesStrips(s)
	first := strips.Rows[0]
	if !first.Virtual || first.Size() != 5003 || len(first.Threads) != 4 { // with the one that is in all dumps
		t.Errorf("%d virtual threads, %d of them listed", first.Size(), len(first.Threads))
	}
	virtual, listed := 0, strips.Unlisted
	for _, r := range strips.Rows {
		if r.Virtual {
			virtual++
			listed += r.Size()
		}
	}
	if virtual != 100 || strips.Unlisted != 155 || listed != 5002+255 {
		t.Errorf("%d rows, %d threads in none, %d in all", virtual, strips.Unlisted, listed)
	}
}
