package bench_test

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

var engineLine = regexp.MustCompile(`(?m)^ +--engine \S+.*(?:\n {10,}.*)*`)

// engines are the engines of this jstall that profile the CPU time without others.
func (b *flameBench) engines(t *testing.T) (names []string) {
	help, err := exec.Command(b.jstall, "flame", "--help").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, help)
	}
	told := engineLine.FindString(string(help))
	only := strings.Fields(os.Getenv("FLAME_ENGINES"))
	for _, name := range []string{"perf", "jfr", "dumps"} {
		if len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		if regexp.MustCompile(`\b` + name + `\b`).MatchString(told) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		t.Fatalf("no engine in %q", told)
	}
	return names
}

// comparison is a profile of jstall and one of async-profiler over the same time. The flight recorder and
// async-profiler may use the same signal, so they alternate: half of async-profiler's time is before, half after.
type comparison struct {
	engine      string
	run         flameRun
	used        time.Duration // CPU time of the process during the profile
	ours, async stacks
}

func (b *flameBench) compare(t *testing.T, jvm *jvmtest.JVM, engine string) comparison {
	t.Helper()
	r := comparison{engine: engine}
	ours := func() {
		before := used(t, jvm)
		r.run = b.profile(t, jvm, 2*b.period, "--engine", engine)
		r.used = used(t, jvm) - before
	}
	if engine == "jfr" {
		half := func() { time.Sleep(b.period) }
		r.async = b.async(t, jvm, half)
		ours()
		r.async = append(r.async, b.async(t, jvm, half)...)
	} else {
		r.async = b.async(t, jvm, ours)
	}
	r.ours = stacksOf(t, r.run.profile, "cpu")
	return r
}

// nineParts are the methods of Nine.
var nineParts = []string{"sort", "copy", "stream", "map", "regex", "exception", "string", "lambda", "io"}

// nine compares the shares of nine different methods with those of async-profiler and of the program's own clock.
func (b *flameBench) nine(t *testing.T) {
	for _, version := range []string{"17", "21", "25"} {
		t.Run(version, func(t *testing.T) {
			jvm := b.start(t, jvmtest.Find(t, version), "Nine")
			var all []comparison
			before := len(jvm.Output())
			for _, engine := range b.engines(t) {
				all = append(all, b.compare(t, jvm, engine))
			}
			clock := nineClock(t, jvm.Output()[before:])
			b.nineShares(all, clock, version)
			b.nineSelves(all, version)
			for _, r := range all {
				b.quality(t, r, version)
			}
		})
	}
}

var nineLine = regexp.MustCompile(`(?m)^NINE .*$`)

// nineClock is the share of each method by the CPU time that the program has measured, in percent.
func nineClock(t *testing.T, output string) map[string]float64 {
	lines := nineLine.FindAllString(output, -1)
	if len(lines) < 2 {
		t.Fatalf("Nine has printed %d lines", len(lines))
	}
	shares, sum := map[string]float64{}, 0.0
	for i, word := range strings.Fields(lines[len(lines)-1])[1:] {
		name, after, _ := strings.Cut(word, "=")
		_, before, _ := strings.Cut(strings.Fields(lines[0])[i+1], "=")
		shares[name] = float64(number(t, after) - number(t, before))
		sum += shares[name]
	}
	for name := range shares {
		shares[name] *= 100 / sum
	}
	return shares
}

// nineShares prints a row for each method, and one for the greatest differences of the engines.
func (b *flameBench) nineShares(all []comparison, clock map[string]float64, version string) {
	worst, off := make([]float64, len(all)), make([]float64, len(all))
	asyncOff := 0.0
	for _, name := range nineParts {
		var ours []string
		async := 0.0
		for i, r := range all {
			is, was := r.ours.ofThread("main").share("Nine."+name), r.async.ofThread("main").share("Nine."+name)
			ours = append(ours, fmt.Sprintf("%s %.1f (%+.1f)", r.engine, is, is-was))
			worst[i], off[i] = max(worst[i], math.Abs(is-was)), max(off[i], math.Abs(is-clock[name]))
			async += was / float64(len(all))
		}
		asyncOff = max(asyncOff, math.Abs(async-clock[name]))
		b.row(fmt.Sprintf("%% of `%s`, JDK %s", name, version), strings.Join(ours, ", "),
			fmt.Sprintf("async-profiler %.1f, own clock %.1f", async, clock[name]), "")
	}
	var together, alone []string
	for i, r := range all {
		together = append(together, fmt.Sprintf("%s %.1f", r.engine, worst[i]))
		alone = append(alone, fmt.Sprintf("%s %.1f", r.engine, off[i]))
	}
	b.row("greatest difference of the nine from async-profiler, in points, JDK "+version,
		strings.Join(together, ", "), "", "perf 3, jfr 5")
	b.row("greatest difference of the nine from their own clock, in points, JDK "+version, strings.Join(alone, ", "),
		fmt.Sprintf("async-profiler %.1f", asyncOff), "")
}

// topSelves is how many methods of the JDK are compared by their own share.
const topSelves = 8

// nineSelves prints the greatest difference in the own shares of the JDK's methods. Native code counts for the method
// that called it.
func (b *flameBench) nineSelves(all []comparison, version string) {
	var ours []string
	for _, r := range all {
		is, was := r.ours.ofThread("main").selves(), r.async.ofThread("main").selves()
		names := slices.SortedFunc(maps.Keys(was), func(a, b string) int { return cmp.Compare(was[b], was[a]) })
		names = slices.DeleteFunc(names, func(name string) bool { return !jdkName.MatchString(name) })
		names = names[:min(topSelves, len(names))]
		at, worst := "", -1.0
		for _, name := range names {
			if off := math.Abs(is[name] - was[name]); off > worst {
				at, worst = name, off
			}
		}
		ours = append(ours, fmt.Sprintf("%s %.1f (`%s`: %.1f, not %.1f)", r.engine, worst, at, is[at], was[at]))
	}
	b.row(fmt.Sprintf("greatest difference in self %%, in points, %d first methods of the JDK, JDK %s", topSelves,
		version), strings.Join(ours, ", "), "by async-profiler", "")
}

var jdkName = regexp.MustCompile(`^(java|jdk|sun)\.`)

// quality prints the size of a profile, and its cost.
func (b *flameBench) quality(t *testing.T, r comparison, version string) {
	main, async := r.ours.ofThread("main"), r.async.ofThread("main")
	b.row(fmt.Sprintf("stacks of main that are whole, %s, JDK %s", r.engine, version),
		fmt.Sprintf("%.1f %%", main.share("Nine.main")),
		fmt.Sprintf("async-profiler %.1f %%", async.share("Nine.main")), "97 %")
	samples := stacksOf(t, r.run.profile, "samples").ofThread("main").total()
	bar := ""
	if r.engine == "perf" {
		bar = "1,000"
	}
	b.row(fmt.Sprintf("samples in 10 s of a busy core, %s, JDK %s", r.engine, version),
		fmt.Sprintf("%.0f", samples*10/(r.used.Seconds())), "", bar)
	bar = ""
	if r.engine == "perf" {
		bar = "5 %"
	}
	b.row(fmt.Sprintf("CPU of jstall, %s, JDK %s", r.engine, version),
		fmt.Sprintf("%.1f %% of a core", percent(r.run.own, r.run.took)), "", bar)
}

// web compares the share of the requests' work in a server that has real ones.
func (b *flameBench) web(t *testing.T) {
	for _, version := range []string{"17", "25"} {
		t.Run(version, func(t *testing.T) {
			jvm := b.start(t, jvmtest.Find(t, version), "Crowd web")
			m := regexp.MustCompile(`PORT (\d+)`).FindStringSubmatch(jvm.Output())
			if m == nil {
				t.Fatalf("no port in %q", jvm.Output())
			}
			stop := load("http://127.0.0.1:" + m[1] + "/?name")
			defer stop(t)
			time.Sleep(settled)
			for _, engine := range b.engines(t) {
				b.oneShare(t, jvm, engine, "Web.page", "work of requests, JDK "+version, "0.8 to 1.2 ×")
			}
		})
	}
}

// load sends requests, some at a time with a pause after each, until it is stopped.
func load(url string) (stop func(*testing.T)) {
	const clients, pause = 8, 8 * time.Millisecond
	done := make(chan struct{})
	var running sync.WaitGroup
	failures := make(chan error, clients)
	for range clients {
		running.Go(func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(pause):
				}
				if err := get(url); err != nil {
					failures <- err
					return
				}
			}
		})
	}
	return func(t *testing.T) {
		close(done)
		running.Wait()
		select {
		case err := <-failures:
			t.Error(err)
		default:
		}
	}
}

// oneShare compares the share of one method in the CPU time of the whole process.
func (b *flameBench) oneShare(t *testing.T, jvm *jvmtest.JVM, engine, method, what, bar string) {
	r := b.compare(t, jvm, engine)
	is, was := r.ours.share(method), r.async.share(method)
	b.row(fmt.Sprintf("CPU time of %s, %s", what, engine), fmt.Sprintf("%.1f %%, %.2f ×", is, is/max(0.01, was)),
		fmt.Sprintf("async-profiler %.1f %%", was), bar)
}

// crowd finds the work of threads that are hard to see.
func (b *flameBench) crowd(t *testing.T) {
	for _, c := range []struct{ kind, what, version string }{
		{"many", "4 of 500 threads", "17"}, {"many", "4 of 500 threads", "25"},
		{"short", "threads that live 20 ms", "17"}, {"short", "threads that live 20 ms", "25"},
		{"virtual", "virtual threads", "21"}, {"virtual", "virtual threads", "25"},
	} {
		t.Run(c.kind+"-"+c.version, func(t *testing.T) {
			jvm := b.start(t, jvmtest.Find(t, c.version), "Crowd "+c.kind)
			for _, engine := range b.engines(t) {
				b.oneShare(t, jvm, engine, "Crowd.work", c.what+", JDK "+c.version, "")
			}
		})
	}
}

// loss is the cost of each engine: work that is not done, and time in which the target is stopped.
func (b *flameBench) loss(t *testing.T) {
	jdk := jvmtest.Find(t, "25")
	for _, engine := range b.engines(t) {
		t.Run(engine, func(t *testing.T) {
			bars := map[string][2]string{"perf": {"1 %", "0 ms"}}[engine]
			jvm := b.start(t, jdk, "Work cpu 30", "-Xlog:safepoint")
			anyway := logged(t, jvm, func() { time.Sleep(b.period) })
			caused := logged(t, jvm, func() { b.flame(t, jvm, b.period, "--engine", engine) })
			b.row(fmt.Sprintf("stopped by `flame -d %v --engine %s`, JDK %d", b.period, engine, jdk.Version),
				ms(max(0, caused-anyway)), "without "+ms(anyway), bars[1])
			wall, cpu := b.losses(t, jvm, b.pairs, "--engine", engine)
			what := fmt.Sprintf(" lost to `flame -d %v --engine %s`, JDK %d", b.period, engine, jdk.Version)
			b.row("work"+what, wall.String(), "", bars[0])
			b.row("work in a second of CPU time"+what, cpu.String(), "", bars[0])
		})
	}
}

func get(url string) error {
	answer, err := http.Get(url)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return errors.Join(err, answer.Body.Close())
}
