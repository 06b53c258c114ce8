package top

import (
	"fmt"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

func known[T any](v T) timeline.Opt[T] { return timeline.Opt[T]{Value: v, Known: true} }

func percent(v float64) *float64 { return &v }

var noon = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

// at is the time of the reading of that number, a second apart.
func at(n int) time.Time { return noon.Add(time.Duration(n) * time.Second) }

func thread(name, state string, cpu float64) analysis.ThreadReport {
	return analysis.ThreadReport{Name: name, Kind: "java", Role: "application", State: state, CPUPercent: &cpu,
		Frame: "com.acme." + state + ".run", Stack: []string{"com.acme." + state + ".run(A.java:1)"}}
}

// waiting is a thread that has waited for a monitor for some seconds, over all of two dumps.
func waiting(name, owner string, seconds float64) analysis.ThreadReport {
	t := thread(name, "BLOCKED", 0)
	t.WaitsFor = &analysis.Wait{Type: "monitor", Class: "com.acme.Cache", Address: "0x1234",
		Owner: &finding.ThreadRef{Name: owner}, Dumps: 2, Seconds: &seconds}
	return t
}

// shop is a JVM of six threads: one works, one holds a lock, two wait for it, two are idle.
func shop() []analysis.ThreadReport {
	threads := []analysis.ThreadReport{
		thread("indexer", "RUNNABLE", 97.5), thread("refresh", "TIMED_WAITING", 0.3),
		waiting("web-1", "refresh", 1), waiting("web-2", "refresh", 2),
		thread("idle-1", "WAITING", 0), thread("idle-2", "WAITING", 0),
	}
	threads[4].Idle, threads[5].Idle = "worker", "worker"
	return threads
}

func reading(n int, threads []analysis.ThreadReport, found ...finding.Finding) Reading {
	two := 2.0
	heap, most := int64(100<<20), int64(400<<20)
	return Reading{
		At: at(n), Uptime: time.Hour, Apart: time.Second,
		Counters: &timeline.Counters{GCTime: known(20 * time.Millisecond), GCCount: known(int64(7))},
		Before:   &timeline.Counters{GCTime: known(10 * time.Millisecond), GCCount: known(int64(6))},
		Report: &analysis.Report{
			Target:  analysis.Target{PID: 4711, MainClass: "com.acme.Shop", JVM: "OpenJDK", Version: "21"},
			Verdict: analysis.Verdict{State: analysis.Stalled, Summary: `2 threads wait for "refresh"`},
			Capture: analysis.Capture{Source: "memory", Dumps: 2, CPUSeconds: percent(2.4), ElapsedSeconds: &two,
				Cores: percent(4), HeapUsedBytes: &heap, HeapMaxBytes: &most},
			Threads: threads, Findings: found,
		},
	}
}

// screen is a model of a size with the shop on it, after some keys.
func screen(width, height int, keys ...string) *Model {
	m := New(Options{Title: "4711 com.acme.Shop"})
	m.Resize(width, height)
	m.Apply(reading(0, shop()))
	press(m, keys...)
	return m
}

func press(m *Model, keys ...string) {
	for _, k := range keys {
		m.Key(k)
	}
}

// names are those of the visible rows, the selected one with its mark.
func names(m *Model) string {
	lines := strings.Split(m.View(), "\n")
	column, begin := -1, 0
	for i, line := range lines {
		if column = strings.Index(line, "THREAD"); column >= 0 {
			begin = i + 1
			break
		}
	}
	var found []string
	for _, line := range lines[begin : len(lines)-1] {
		if len(line) <= column || strings.HasPrefix(line, "---") || strings.HasPrefix(line, " no thread") {
			break
		}
		name, _, _ := strings.Cut(line[column:], " ")
		found = append(found, strings.TrimSpace(line[:1])+name)
	}
	return strings.Join(found, " ")
}

// many are threads in pools of a hundred, with stacks of fifty frames.
func many(n int) []analysis.ThreadReport {
	threads := make([]analysis.ThreadReport, n)
	stack := make([]string, 50)
	for i := range stack {
		stack[i] = fmt.Sprintf("com.acme.deep.Layer%d.call(Layer%d.java:%d)", i, i, i)
	}
	for i := range threads {
		threads[i] = thread(fmt.Sprintf("pool-%d-worker-%04d", i/100, i), states[i%len(states)], float64(i%1000)/10)
		threads[i].ID, threads[i].NativeID, threads[i].Stack = int64(i+1), int64(i+1000), stack
	}
	return threads
}
