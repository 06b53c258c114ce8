package exhausted_test

import (
	"strings"
	"testing"

	"jstall/analysis/facts/iowaits"
	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Holders that each read from a child process which waits for input are told how to end
// that, and threads of one name once.
func TestHoldersBehindChildren(t *testing.T) {
	waits := func(id int64) *threaddump.Thread {
		return Thread(id, "desk", At("Ferry.borrowSeat", "Ferry.book", "java.lang.Thread.run"),
			Calls(Condition, 0xe, Condition+".await"), Used(1, 9))
	}
	reads := func(id int64) *threaddump.Thread {
		th := Thread(id, "desk",
			At("!java.io.FileInputStream.readBytes", "java.io.FileInputStream.read", "Ferry.book",
				"java.lang.Thread.run"), Used(1, 9))
		th.Stack[2].Line, th.Stack[2].Text = 9, "Ferry.book(App.java:9)"
		LockOn(th, threaddump.Locked, 0x70+uint64(id), "java.lang.ProcessImpl$ProcessPipeInputStream")
		return th
	}
	var all []timeline.Observation
	for i := range 3 {
		o := Observe(float64(i), waits(11), waits(12), reads(13), reads(14))
		o.Machine = &timeline.Machine{Children: timeline.Children{Count: 2, Reading: 2}}
		all = append(all, o)
	}
	const title = `Pool exhausted: 2 threads wait in Ferry.borrowSeat; 2 × "desk" hold one each; both wait ` +
		`to read from a child process's pipe, and the child for input`
	if f := Diagnose(all...).Findings[0]; f.Title != title || !strings.HasPrefix(f.Advice, iowaits.NoInputAdvice) {
		t.Errorf("%s\n%s", f.Title, f.Advice)
	}
}

// Who waits for a permit in the midst of something misses it; who waits in the method it was
// started with may be a worker that is told of work so.
func TestPermitsThatThoseInTheMiddleWait(t *testing.T) {
	waits := func(id int64, name string, methods ...string) *threaddump.Thread {
		frames := append(append([]string{stack.JUC + "Semaphore.acquire"}, methods...), "java.lang.Thread.run")
		return Thread(id, name, At(frames...),
			Calls(stack.JUC+"Semaphore$FairSync", 0xe, stack.JUC+"Semaphore.acquire"), Used(1, 9))
	}
	begin := []*threaddump.Thread{waits(11, "a", "Mine.pump"), waits(12, "b", "Mine.pump")}
	middle := []*threaddump.Thread{waits(13, "c", "Mine.clear", "Mine.drill"),
		waits(14, "d", "Mine.clear", "Mine.drill")}
	for want, threads := range map[string][]*threaddump.Thread{
		"resource-exhausted/info/possible: a,b | ":      begin,
		"resource-exhausted/warning/likely: c,d | ":     middle,
		"resource-exhausted/warning/likely: a,b,c,d | ": append(begin, middle...),
	} {
		ExpectOnly(t, DiagnoseAll([][]*threaddump.Thread{threads, threads, threads}), finding.KindResourceExhausted,
			want)
	}
}
