package jvmthread_test

import (
	"testing"

	"github.com/jstall/jstall/internal/jvmthread"
)

func TestJobs(t *testing.T) {
	for name, want := range map[string]jvmthread.Job{
		"GC Thread#3": jvmthread.GC, "G1 Refine#0": jvmthread.GC, "Shenandoah GC Threads#0": jvmthread.GC,
		"C2 CompilerThread0": jvmthread.JIT, "C2 CompilerThread0 of mine": jvmthread.Unknown,
		"VM Thread": jvmthread.VM, "VM Thread pool": jvmthread.Unknown,
		"Signal Dispatcher": jvmthread.Hidden, "AdapterThread-1": jvmthread.Unknown,
		"Finalizer": jvmthread.Java, "Finalizer-2": jvmthread.Unknown, "web-1": jvmthread.Unknown,
		"": jvmthread.Unknown,
		// the kernel's
		"G1 Refinement W": jvmthread.GC, "G1 Refi..ontrol": jvmthread.GC, "Concurrent Mark": jvmthread.GC,
		"C2 CompilerThre": jvmthread.JIT, "C2 Comp..read12": jvmthread.JIT, "VM Periodic Tas": jvmthread.VM,
		"VM Peri..Thread": jvmthread.VM, "Signal Dispatch": jvmthread.Hidden, "Signal ..atcher": jvmthread.Hidden,
		"Signal ..er of 7": jvmthread.Unknown, "Signal ..-pool7": jvmthread.Unknown,
	} {
		if got := jvmthread.JobOf(name); got != want {
			t.Errorf("%q has job %d, want %d", name, got, want)
		}
	}
}

func TestWorkersInPauses(t *testing.T) {
	for name, want := range map[string]bool{
		"GC Thread#0": true, "Gang worker#1": true, "ZWorkerYoung#0": true, "Shenandoah GC T": true,
		"Shenand..eads#0": true, "ShenWorker#1": true, "G1 Service": false, "ZDriver": false, "web-1": false,
		"Shenand..Thread": false, "Gang worker#0 (": true,
	} {
		if jvmthread.WorksInPauses(name) != want {
			t.Errorf("%q: want %v", name, want)
		}
	}
}

func TestBeginnings(t *testing.T) {
	for name, want := range map[string]bool{"G1 Refi..ontrol": true, "G1 Refinement W": true, "G1 Refine Contr": true,
		"G1": false, "G1 Refine#0": true} {
		if got := jvmthread.Begins(name, "G1 Refine"); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
