package watch

import (
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
)

// A JVM that starts again continues with the rates of the one before; another JVM of the same name that runs at the
// same time has separate rates.
func TestRatesSurviveARestart(t *testing.T) {
	var said []string
	g := Group{Options: Options{Kernel: kernel.New(t.TempDir())}}
	g.Say = func(f string, _ ...any) { said = append(said, f) }
	packer, err := newPacker()
	if err != nil {
		t.Fatal(err)
	}
	m := &members{running: map[key]bool{}, before: map[string]rates{}, ends: make(chan ended)}
	m.shared = &shared{Options: g.Options, packer: packer, jvms: func() int { return 1 }}
	begun := time.Unix(7, 0)
	m.end(ended{jvm.Process{PID: 1, MainClass: "A"}, rates{"deadlock": begun}})
	for _, want := range []time.Time{begun, {}} {
		p := jvm.Process{PID: 2, MainClass: "A"}
		m.start(t.Context(), p)
		m.start(t.Context(), p) // is watched already
		got := <-m.ends         // there is no such process
		delete(m.running, keyOf(p))
		if got.begun["deadlock"] != want {
			t.Errorf("%v, want %v", got.begun, want)
		}
	}
	if len(said) != 2 {
		t.Errorf("%q", said)
	}
}
