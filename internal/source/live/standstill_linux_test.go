package live

import (
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/source"
)

// TestAnAnswerThatComesIsWaitedFor: once a part of it has come, a VM thread that is busy is no reason to give up.
func TestAnAnswerThatComesIsWaitedFor(t *testing.T) {
	vm := jvmtest.Start(t, jvmtest.Find(t, "25"), jvmtest.Options{Class: "NoPolls", JVMArgs: []string{
		"-XX:-UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=0", "-XX:+UnlockDiagnosticVMOptions",
		"-XX:GuaranteedSafepointInterval=50", "-XX:+SafepointALot"}})
	k := kernel.New("/proc")
	p, err := jvm.Inspect(t.Context(), k, vm.PID())
	if err != nil {
		t.Fatal(err)
	}
	a := (&Source{Kernel: k, Process: p, Count: 1, Via: source.ViaAuto}).Asker()
	for begin := time.Now(); !a.noAnswerNear(t.Context()); {
		if time.Since(begin) > time.Minute {
			t.Fatal("the VM thread that waits for a safepoint is not noticed")
		}
	}
	a.answering.Store(true)
	if a.noAnswerNear(t.Context()) {
		t.Error("gave up while the answer came")
	}
}
