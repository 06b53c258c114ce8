package iowait_test

import (
	"slices"
	"strings"
	"testing"

	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

func TestPipesBetweenThreads(t *testing.T) {
	const wait = "!java.lang.Object.wait0"
	in := func(id int64, name string, frames ...string) *threaddump.Thread {
		return Thread(id, name, ParkedIn("java.io.PipedInputStream", frames...), Timed, Used(1, 9))
	}
	writer := in(11, "w", wait, "java.io.PipedInputStream.awaitSpace", "java.io.PipedInputStream.receive",
		"java.io.PipedOutputStream.write",
		"java.io.BufferedOutputStream.flush", "Brook.pour", "Brook.source", "java.lang.Thread.run")
	reader := in(12, "r", wait, "java.io.PipedInputStream.read", "java.io.InputStreamReader.read", "Brook.sip",
		"Brook.mouth", "java.lang.Thread.run")
	busy := Thread(13, "x", At("Brook.rest", "Brook.bed", "java.lang.Thread.run"), Sleeping, Used(1, 9))
	other := Thread(13, "x", At("Hill.rest", "Hill.top", "java.lang.Thread.run"), Sleeping, Used(1, 9))
	for _, test := range []struct {
		name    string
		threads []*threaddump.Thread
		want    []string
	}{
		{"full, with a reader that rests", []*threaddump.Thread{writer, busy},
			[]string{"queue-full/warning/likely: x | w"}},
		{"full, with nobody who reads",
			[]*threaddump.Thread{writer, other, Thread(14, "y", At("Dale.work", "Dale.day", "Dale.run"), Used(1, 9))},
			[]string{"queue-full/warning/likely: w | "}},
		{"empty, with a writer that rests", []*threaddump.Thread{reader, busy},
			[]string{"io-wait/info/possible: x | r"}},
		{"empty, with nobody who writes", []*threaddump.Thread{reader}, []string{"io-wait/info/possible: r | "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			Expect(t, Diagnose(Observe(0, test.threads...), Observe(1, test.threads...), Observe(2, test.threads...)),
				test.want...)
		})
	}
}

// Who reads from a named pipe, or writes to one, is told which.
func TestNamedPipes(t *testing.T) {
	for _, test := range []struct{ call, peer, want, on string }{
		{"!java.io.FileInputStream.readBytes", "/run/orders", `"a" waits to read from the named pipe /run/orders, unchanged`,
			"anon_pipe_read, on the named pipe /run/orders"},
		{"!java.io.FileOutputStream.writeBytes", "", `"a" waits to write to a named pipe, unchanged`, "on a named pipe"},
	} {
		var all []timeline.Observation
		for i := range 3 {
			o := Observe(float64(i), Thread(1, "a", At(test.call, "App.line", "App.importAll", "App.run"), Used(0, 9)))
			o.Tasks = map[int64]timeline.Task{1001: {State: "S", File: "named-pipe", Peer: test.peer,
				WaitChannel: "anon_pipe_read"}}
			all = append(all, o)
		}
		f := Diagnose(all...).Findings[0]
		if f.Kind != finding.KindIOWait || !strings.HasPrefix(f.Title, test.want) ||
			!strings.HasPrefix(f.Advice, "Find the process that has the other end open") ||
			!slices.ContainsFunc(f.Evidence, func(e finding.Evidence) bool {
				return strings.HasSuffix(e.Text, test.on)
			}) {
			t.Errorf("%s: %q %q %v", f.Kind, f.Title, f.Advice, f.Evidence)
		}
	}
}
