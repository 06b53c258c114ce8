package analysis

import (
	"testing"

	"jstall/threaddump"
)

func TestPipesBetweenThreads(t *testing.T) {
	const wait = "!java.lang.Object.wait0"
	in := func(id int64, name string, frames ...string) *threaddump.Thread {
		return thread(id, name, parkedIn("java.io.PipedInputStream", frames...), timed, used(1, 9))
	}
	writer := in(11, "w", wait, "java.io.PipedInputStream.awaitSpace", "java.io.PipedInputStream.receive", "java.io.PipedOutputStream.write",
		"java.io.BufferedOutputStream.flush", "Brook.pour", "Brook.source", "java.lang.Thread.run")
	reader := in(12, "r", wait, "java.io.PipedInputStream.read", "java.io.InputStreamReader.read", "Brook.sip", "Brook.mouth", "java.lang.Thread.run")
	busy := thread(13, "x", at("Brook.rest", "Brook.bed", "java.lang.Thread.run"), sleeping, used(1, 9))
	other := thread(13, "x", at("Hill.rest", "Hill.top", "java.lang.Thread.run"), sleeping, used(1, 9))
	for _, test := range []struct {
		name    string
		threads []*threaddump.Thread
		want    []string
	}{
		{"full, with a reader that rests", []*threaddump.Thread{writer, busy}, []string{"queue-full/warning/likely: x | w"}},
		{"full, with nobody who reads", []*threaddump.Thread{writer, other, thread(14, "y", at("Dale.work", "Dale.day", "Dale.run"), used(1, 9))},
			[]string{"queue-full/warning/likely: w | "}},
		{"empty, with a writer that rests", []*threaddump.Thread{reader, busy}, []string{"io-wait/info/possible: x | r"}},
		{"empty, with nobody who writes", []*threaddump.Thread{reader}, []string{"io-wait/info/possible: r | "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			expect(t, diagnose(observe(0, test.threads...), observe(1, test.threads...), observe(2, test.threads...)), test.want...)
		})
	}
}
