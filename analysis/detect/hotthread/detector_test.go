package hotthread_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func TestHotThreads(t *testing.T) {
	gc := func(cpu, elapsed float64) *threaddump.Thread {
		return &threaddump.Thread{Name: "GC Thread#0", TID: 77, NativeID: 77, CPU: threaddump.Known(Sec(cpu)),
			Elapsed: threaddump.Known(Sec(elapsed))}
	}
	burn := func(id int64, cpu, elapsed float64) *threaddump.Thread {
		return Thread(id, string(rune('a'+id)), At("!java.lang.StrictMath.sin", "App.burn", "App.run"),
			Used(cpu, elapsed))
	}
	tests := []struct {
		name          string
		cores         float64
		first, second []*threaddump.Thread
		want          []string
	}{
		{
			name: "one thread", first: []*threaddump.Thread{burn(1, 5, 9)},
			second: []*threaddump.Thread{burn(1, 6.9, 11)},
			want:   []string{"hot-thread/warning/proven: b | "},
		},
		{name: "less than 80 %", first: []*threaddump.Thread{burn(1, 5, 9)},
			second: []*threaddump.Thread{burn(1, 6.5, 11)}},
		{name: "collectors are another kind", first: []*threaddump.Thread{gc(1, 1)},
			second: []*threaddump.Thread{gc(2.9, 3)},
			want:   []string{"gc-pressure/warning/proven:  | "}},
		{
			name: "a thread started in between", second: []*threaddump.Thread{Thread(9, "j", Used(1.4, 1.5))},
			want: []string{"hot-thread/warning/proven: j | "},
		},
		{
			name:   "DestroyJavaVM, on the native thread of main",
			first:  []*threaddump.Thread{Thread(1, "main", Used(1.4, 9))},
			second: []*threaddump.Thread{Thread(9, "DestroyJavaVM", At(), Used(1.4, 1.5), native(1001))},
		},
		{
			name:   "a thread that attached, and had run before",
			second: []*threaddump.Thread{Thread(9, "j", Used(5.4, 1.5))},
		},
		{
			name: "threads with the same work that fill the cores", cores: 2,
			first:  []*threaddump.Thread{burn(1, 1, 1), burn(2, 1, 1), burn(3, 1, 1)},
			second: []*threaddump.Thread{burn(1, 2, 3), burn(2, 2.2, 3), burn(3, 2.4, 3)},
			want:   []string{"hot-thread/warning/proven: d,c,b | "},
		},
		{
			name: "the same on a larger machine", cores: 4,
			first:  []*threaddump.Thread{burn(1, 1, 1), burn(2, 1, 1), burn(3, 1, 1)},
			second: []*threaddump.Thread{burn(1, 2, 3), burn(2, 2.2, 3), burn(3, 2.4, 3)},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			one, two := Observe(0, test.first...), Observe(2, test.second...)
			one.Cores, two.Cores = test.cores, test.cores
			r := Diagnose(one, two)
			Expect(t, r, test.want...)
			if len(test.want) > 0 && strings.HasPrefix(test.want[0], "hot") && r.Verdict.State != analysis.Degraded {
				t.Errorf("verdict %q", r.Verdict.State)
			}
		})
	}
}

// A thread that waits for a CPU whenever it does not have one is as hot as the
// machine lets it be.
// native gives a thread the kernel's id of another one.
func native(id int64) Part { return func(t *threaddump.Thread) { t.NativeID = id } }

func TestThreadThatWantsACore(t *testing.T) {
	look := func(at, cpu, queued float64) timeline.Observation {
		o := Observe(at, Thread(1, "a", Used(cpu, 10+at)))
		o.Tasks = map[int64]timeline.Task{1001: {CPU: Sec(cpu), RunQueue: threaddump.Known(Sec(queued))}}
		return o
	}
	r := Diagnose(look(0, 1, 0), look(2, 1.6, 1.3))
	Expect(t, r, "hot-thread/warning/likely: a | ")
	if want := `"a" needs a whole core (ran 30 %, waited for a CPU 65 %)`; r.Findings[0].Title != want {
		t.Errorf("title %q", r.Findings[0].Title)
	}
	Expect(t, Diagnose(look(0, 1, 0), look(2, 1.6, 0.2)))
}

// A thread that lives briefly and computes all that time is not a finding, whether it had the CPU or not.
func TestShortLivedThreadIsNotHot(t *testing.T) {
	for _, figures := range [][2]float64{{0.2, 0}, {0.02, 0.18}} {
		o := Observe(2, Thread(9, "j", Used(figures[0], 0.2)), Thread(1, "a", Used(1, 11)))
		o.Tasks = map[int64]timeline.Task{1009: {RunQueue: threaddump.Known(Sec(figures[1]))}}
		Expect(t, Diagnose(Observe(0, Thread(1, "a", Used(1, 9))), o))
	}
}

func TestHotThreadNamesItsWork(t *testing.T) {
	hot := func(cpu float64, frames ...string) *threaddump.Thread {
		return Thread(1, "w", At(frames...), Used(cpu, 10+cpu))
	}
	r := Diagnose(
		Observe(0, hot(1, "java.util.HashMap.get", "App.look", "App.run")),
		Observe(1, hot(2, "App.look", "App.run")),
		Observe(2, hot(3, "App.rest", "App.run")),
	)
	if want := `"w" uses 100 % of a core in App.look (App.java:7)`; r.Verdict.Summary != want {
		t.Errorf("summary %q, want %q", r.Verdict.Summary, want)
	}
	if p := r.Findings[0].Culprits[0].CPUPercent; p == nil || *p != 100 {
		t.Errorf("cpu %v", p)
	}
}

// Where the number of cores is unknown, threads that always run and still get
// less than a core each have used them up.
func TestGroupWithoutCores(t *testing.T) {
	group := func(cpu float64, parts ...Part) []*threaddump.Thread {
		return []*threaddump.Thread{
			Thread(1, "a", append(parts, Used(cpu, 10))...), Thread(2, "b", Used(cpu, 10)),
		}
	}
	busy := []timeline.Observation{Observe(0, group(1)...), Observe(1, group(1.6)...), Observe(2, group(2.2)...)}
	Expect(t, Diagnose(busy...), "hot-thread/warning/proven: a,b | ")
	busy[1] = Observe(1, group(1.6, Sleeping)...)
	Expect(t, Diagnose(busy...))
}

func TestOneDumpKnowsAverages(t *testing.T) {
	r := Diagnose(Observe(0, Thread(1, "a", Used(9.5, 10)), Thread(2, "b", Used(9.5, 10), Sleeping)))
	Expect(t, r, "hot-thread/info/possible: a | ")
	if r.Verdict.State != analysis.Suspicious || !strings.Contains(r.Verdict.Summary, "\"a\"") {
		t.Errorf("verdict %+v", r.Verdict)
	}
}

// Workers that are all busy with the same work are a batch if a thread gets their results, and stuck if no thread gets
// any.
func TestABatchIsAHint(t *testing.T) {
	look := func(mainUses float64) (all []timeline.Observation) {
		for i := range 3 {
			s := float64(i)
			var threads []*threaddump.Thread
			for n := 1; n <= 2; n++ {
				threads = append(threads, Thread(int64(n), fmt.Sprintf("pool-1-thread-%d", n),
					At("App.crunch", stack.JUC+"FutureTask.run", stack.JUC+"ThreadPoolExecutor.runWorker",
						stack.JUC+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"), Used(0.9*s, 9+s)))
			}
			threads = append(threads, Thread(50, "main",
				ParkedIn(Condition, UnsafePark, stack.JUC+"LinkedBlockingQueue.take",
					stack.JUC+"ExecutorCompletionService.take", "App.main"), Used(mainUses*s, 9+s)))
			all = append(all, Observe(s, threads...))
		}
		return all
	}
	for uses, want := range map[float64]string{0.01: "hot-thread/info/likely", 0: "hot-thread/warning/proven"} {
		r := Diagnose(look(uses)...)
		if i := slices.IndexFunc(r.Findings,
			func(f finding.Finding) bool { return f.Kind == finding.KindHotThread }); i < 0 ||
			!strings.HasPrefix(Found(r)[i], want) {
			t.Errorf("main uses %v: got %q, want %s", uses, Found(r), want)
		}
	}
}

// Two threads take parts of one parallel stream, and a worker alone does not end its part.
func TestPartsOfAComputationAreAHint(t *testing.T) {
	divided := At("App.interest", "java.util.concurrent.CountedCompleter.exec",
		"java.util.concurrent.ForkJoinTask.doExec")
	single := At("App.interest", "java.util.concurrent.CompletableFuture$AsyncSupply.exec",
		"java.util.concurrent.ForkJoinTask.doExec")
	idle := At("java.util.concurrent.ForkJoinPool.awaitWork", "java.util.concurrent.ForkJoinWorkerThread.run")
	work := func(name string, share float64, frames Part) func(float64) *threaddump.Thread {
		return func(now float64) *threaddump.Thread {
			th := Thread(int64(len(name)), "p", frames, Used(share*now, 100+now))
			th.Name = name
			return th
		}
	}
	for _, test := range []struct {
		name  string
		works []func(float64) *threaddump.Thread
		want  []string
	}{
		{"who calls takes parts too", []func(float64) *threaddump.Thread{work("caller", 0.95, divided),
			work("pool-worker-1", 0.9, divided)},
			[]string{"hot-thread/info/likely: caller,pool-worker-1 | "}},
		{"another of the pool has worked", []func(float64) *threaddump.Thread{work("worker-1", 0.9, divided),
			work("worker-20", 0.4, idle)},
			[]string{"hot-thread/info/likely: worker-1 | "}},
		{"separate tasks", []func(float64) *threaddump.Thread{work("worker-1", 0.9, single),
			work("worker-20", 0.9, single)},
			[]string{"hot-thread/warning/proven: worker-1,worker-20 | "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var look []timeline.Observation
			for i := range 3 {
				var threads []*threaddump.Thread
				for _, w := range test.works {
					threads = append(threads, w(float64(i)))
				}
				look = append(look, Observe(float64(i), threads...))
			}
			Expect(t, Diagnose(look...), test.want...)
		})
	}
}

// What main computes in the first seconds is the start of the program.
func TestAMainThatBeginsIsAHint(t *testing.T) {
	for age, want := range map[float64]string{2: "hot-thread/info/likely: main | ",
		20: "hot-thread/warning/proven: main | "} {
		look := func(now float64) timeline.Observation {
			return Observe(now, Thread(1, "main", At("App.main"), Used(now, age+now)))
		}
		Expect(t, Diagnose(look(0), look(1), look(2)), want)
	}
}
