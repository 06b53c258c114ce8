package threaddump

import (
	"strings"
	"testing"
)

// TestRolesOfRealThreads checks every thread of every fixture against what the
// JDKs' sources call their own.
func TestRolesOfRealThreads(t *testing.T) {
	own := map[string]Role{
		"VM Thread": VM, "VM Periodic Task Thread": VM, "Reference Handler": JVM, "Finalizer": JVM,
		"Signal Dispatcher": JVM, "Service Thread": JVM,
		"Attach Listener": JVM, "Common-Cleaner": JVM, "Notification Thread": JVM,
		"Monitor Deflation Thread": JVM, "Sweeper thread": JVM,
		"VirtualThread-unblocker": JVM, "Surrogate Locker Thread (Concurrent GC)": JVM,
		"JFR Recorder Thread": JVM,
	}
	eachTextFixture(t, func(t *testing.T, file string, b []byte) {
		for _, th := range one(t, b).Threads {
			want, known := own[th.Name]
			switch {
			case known:
			case strings.Contains(th.Name, "CompilerThread"):
				want = JIT
			case strings.HasPrefix(th.Name, "process reaper"):
				continue // on an application thread's stack in some JDKs
			case th.ID == 0 && th.Name == "": // the recorder's sampler
				want = VM
			case th.ID == 0:
				want = GC
			}
			if got := th.Role(); got != want {
				t.Errorf("%q #%d is %s, want %s", th.Name, th.ID, got, want)
			}
		}
	})
}

// TestApplicationThreadsByAnyName: the application may take any name.
func TestApplicationThreadsByAnyName(t *testing.T) {
	for _, name := range []string{
		"VM Thread", "Finalizer", "Reference Handler", "C2 CompilerThread0", "GC Thread#0", "G1 Main Marker",
		"Common-Cleaner",
		"Signal Dispatcher", "Attach Listener", "VM Periodic Task Thread", "Service Thread",
	} {
		for _, dump := range []string{
			jdk8Head + jdk8Header(name, 28, 0x7f0ccc187800) + body,
			smrHead(0x7f0ccc187800) + jdk21Header(name, 28, 0x7f0ccc187800) + body,
			smrHead(0x7f0ccc187800) + jdk21Header(name, 28, 0x7f0ccc187800) + "\n   java.lang.Thread.State: " +
				"RUNNABLE\n\n",
		} {
			if th := one(t, []byte(dump)).Threads[0]; th.Role() != Application {
				t.Errorf("%q is %s", name, th.Role())
			}
		}
	}
}

func TestRoleNames(t *testing.T) {
	for role, want := range map[Role]string{Application: "application", GC: "gc", JIT: "jit", VM: "vm", JVM: "jvm"} {
		if role.String() != want {
			t.Errorf("%d is %s, want %s", role, role, want)
		}
	}
}
