package iowait_test

import (
	"testing"

	"jstall/analysis/facts/iowaits"
	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Who reads what a child writes, while that waits for input, waits for ever if it is in the
// midst of work; who only passes it on may do so.
func TestOutputOfAChildThatWaitsForInput(t *testing.T) {
	reads := func(own ...string) Part {
		return func(t *threaddump.Thread) {
			At(append([]string{"!java.io.FileInputStream.readBytes", "java.io.FileInputStream.read",
				"java.io.BufferedReader.readLine"}, own...)...)(t)
			LockOn(t, threaddump.Locked, 0x8, iowaits.FromChild)
		}
	}
	task := []string{stack.JUC + "FutureTask.run", stack.JUC + "ThreadPoolExecutor.runWorker", stack.JUC +
		"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"}
	const stuck, hint = "io-wait/warning/likely: a | ", "io-wait/info/possible: a | "
	joined := Thread(2, "main", At("App.main"), Joins(0x9), Used(0, 9))
	for _, test := range []struct {
		name   string
		reader Part
		other  *threaddump.Thread
		unfed  int
		fed    int64 // how often it got something within the capture
		want   string
	}{
		{"work that is joined", reads("Sorter.collect", "Batch.run", "java.lang.Thread.run"), joined, 1, 0, stuck +
			"main"},
		{"work that is joined, on what a child gets now and then",
			reads("Sorter.collect", "Batch.run", "java.lang.Thread.run"), joined, 1, 3, hint + "main"},
		{"work that is joined, beside a child that has its input",
			reads("Sorter.collect", "Batch.run", "java.lang.Thread.run"), joined, 0, 0, hint + "main"},
		{"work that is joined, beside who reads commands", reads("Sorter.collect", "Batch.run", "java.lang.Thread.run"),
			Thread(2, "main",
				At("!java.io.FileInputStream.readBytes", "java.io.FileInputStream.read", "App.command",
					"App.main"), Used(0,
					9)), 1, 0, hint},
		{"passing on, joined", reads("Pump.run", "java.lang.Thread.run"), joined, 1, 0, hint + "main"},
		{"work that nobody waits for", reads("Sorter.collect", "Batch.run", "java.lang.Thread.run"), nil, 1, 0, hint},
		{"a Callable", reads(append([]string{"Sorter.collect", "Batch.call"}, task...)...), nil, 1, 0, stuck},
		{"a Callable beside a child that has its input",
			reads(append([]string{"Sorter.collect", "Batch.call"}, task...)...), nil, 0, 0, hint},
		{"a task that passes on", reads(append([]string{"Pump.drain", "Pump.run"}, task...)...), nil, 1, 0, hint},
	} {
		var look []timeline.Observation
		for i := range 3 {
			threads := []*threaddump.Thread{Thread(1, "a", test.reader, Used(0, 9))}
			if test.other != nil {
				threads = append(threads, test.other)
			}
			o := Observe(float64(i), threads...)
			o.Machine = &timeline.Machine{Children: timeline.Children{Count: 1, Reading: test.unfed, Turns: 9 +
				int64(i)*test.fed}}
			look = append(look, o)
		}
		t.Run(test.name, func(t *testing.T) { ExpectOnly(t, Diagnose(look...), finding.KindIOWait, test.want) })
	}
}

// A child that writes while its output is read in vain writes its errors, which nobody reads.
func TestErrorsOfAChildThatNobodyReads(t *testing.T) {
	for children, want := range map[timeline.Children]string{
		{Count: 2, Writing: 2}:             "io-wait/warning/likely: a,b | ",
		{Count: 4, Writing: 2, Waiting: 2}: "io-wait/warning/likely: a,b | ", // shells wait for who writes
		{Count: 2, Writing: 1}:             "io-wait/info/possible: a,b | ",
		{Count: 2, Waiting: 2}:             "io-wait/info/possible: a,b | ",
	} {
		var look []timeline.Observation
		for i := range 3 {
			reads := func(id int64, name string) *threaddump.Thread {
				t := Thread(id, name,
					At("!java.io.FileInputStream.readBytes", "java.io.BufferedReader.readLine", "Converter.preview",
						"Worker.run"), Used(0, 9))
				LockOn(t, threaddump.Locked, 0x8+uint64(id), iowaits.FromChild)
				return t
			}
			o := Observe(float64(i), reads(1, "a"), reads(2, "b"))
			o.Machine = &timeline.Machine{Children: children}
			look = append(look, o)
		}
		ExpectOnly(t, Diagnose(look...), finding.KindIOWait, want)
	}
}

// What a child cannot write may be read by one that takes its time.
func TestErrorsOfAChildThatAnotherReads(t *testing.T) {
	reads := func(id int64, name string, frames ...string) *threaddump.Thread {
		all := append([]string{"!java.io.FileInputStream.readBytes", "java.io.BufferedReader.readLine"}, frames...)
		child := Thread(id, name, At(all...), Used(0, 9))
		LockOn(child, threaddump.Locked, 0x8+uint64(id), iowaits.FromChild)
		return child
	}
	out := func() *threaddump.Thread { return reads(1, "out", "Converter.preview", "Worker.run") }
	sleeps := func(frame string) *threaddump.Thread {
		return Thread(2, "err", Asleep("App.tally", frame), Timed, Used(0, 9))
	}
	takes := func() *threaddump.Thread { return Thread(2, "err", IdleAt(0xa), Used(0, 9)) }
	keepsOn := func() *threaddump.Thread { return Thread(2, "main", AsleepIn("Converter.main"), Timed, Used(0, 9)) }
	const hint, stuck = "io-wait/info/possible: out | ", "io-wait/warning/likely: out | "
	for name, test := range map[string]struct {
		before, last *threaddump.Thread
		want         string
	}{
		"one that sleeps in its class":    {sleeps("Converter.errors"), sleeps("Converter.errors"), hint},
		"one that was seen to read":       {reads(2, "err", "Errors.run"), sleeps("Errors.run"), hint},
		"one that sleeps somewhere else":  {sleeps("Clock.run"), sleeps("Clock.run"), stuck},
		"one that waits for work of both": {takes(), takes(), stuck},
		"main that keeps the program on":  {keepsOn(), keepsOn(), stuck},
	} {
		var look []timeline.Observation
		for i, other := range []*threaddump.Thread{test.before, test.before, test.last} {
			o := Observe(float64(i), out(), other)
			o.Machine = &timeline.Machine{Children: timeline.Children{Count: 1, Writing: 1}}
			look = append(look, o)
		}
		t.Run(name, func(t *testing.T) { ExpectOnly(t, Diagnose(look...), finding.KindIOWait, test.want) })
	}
}

// Who read something that a child wrote within the capture tells that it works, whoever waits for its end.
func TestOutputOfAChildThatWorks(t *testing.T) {
	for each, want := range map[float64]string{
		0:   "io-wait/warning/likely: b | \nio-wait/info/possible: log | ",
		0.4: "io-wait/info/possible: b | ",
	} {
		var look []timeline.Observation
		for i := range 3 {
			o := Observe(float64(i),
				Thread(1, "log",
					At("!java.io.FileInputStream.readBytes", "java.io.FileInputStream.read", "Log.follow", "Log.run",
						"java.lang.Thread.run"),
					Used(float64(i)*each, 9), func(t *threaddump.Thread) {
						LockOn(t, threaddump.Locked, 0x8, iowaits.FromChild)
					}),
				Thread(2, "b",
					ParkedIn("java.lang.ProcessImpl", UnsafePark, "java.lang.ProcessImpl.waitFor", "App.render",
						"java.lang.Thread.run"), WaitingState, Used(0, 9)),
				Thread(3, "main", At("App.main"), func(t *threaddump.Thread) {
					WaitingState(t)
					LockOn(t, threaddump.WaitingOn, 0x9, "java.lang.Thread")
					t.Stack = Trace("!java.lang.Object.wait", "java.lang.Thread.join", "App.main")
				}, Used(0, 9)))
			o.Machine = &timeline.Machine{Children: timeline.Children{Count: 1}}
			look = append(look, o)
		}
		ExpectOnly(t, Diagnose(look...), finding.KindIOWait, want)
	}
}
