package live

import (
	"bytes"
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
)

// TestFullHeapIsReadFromMemory: a JVM whose old generation is full is not made to start its attach listener. One that
// has it is asked.
func TestFullHeapIsReadFromMemory(t *testing.T) {
	for _, version := range []string{"17", "25"} {
		vm := jvmtest.Start(t, jvmtest.Find(t, version), jvmtest.Options{Class: "OldFull",
			JVMArgs: []string{"-Xmx16m", "-Xms16m", "-XX:+UseSerialGC"}})
		k := kernel.New("/proc")
		p, err := jvm.Inspect(t.Context(), k, vm.PID())
		if err != nil {
			t.Fatal(err)
		}
		dump := func(via source.Via) (*attach.Answer, error) {
			l := &Source{Kernel: k, Process: p, Count: 1, Via: via}
			answer, instead, err := l.Dump(t.Context(), false)
			if err != nil || !bytes.Contains(answer.Body, []byte("OldFull.main")) {
				t.Fatalf("%s, %s: %v, %v", version, via, instead, err)
			}
			if (via == source.ViaAttach) != l.Target().Listens() {
				t.Errorf("%s, %s: the listener is up: %v", version, via, l.Target().Listens())
			}
			return answer, instead
		}
		_, instead := dump(source.ViaAuto)
		if e := (*attach.Error)(nil); !errors.As(instead, &e) || e.Code != attach.CodeHeapFull || len(e.Sent) != 0 {
			t.Errorf("%s: %v", version, instead)
		}
		dump(source.ViaAttach)
		l := &Source{Kernel: k, Process: p, Count: 1, Via: source.ViaAuto}
		if _, instead, err := l.Dump(t.Context(), false); err != nil || instead != nil {
			t.Errorf("%s, with a listener: %v, %v", version, instead, err)
		}
	}
}

// TestAStateThatIsNotReadProvesNoEnd: a process is gone if the kernel has none of its id, and not if its state could
// not be read for want of descriptors or time.
func TestAStateThatIsNotReadProvesNoEnd(t *testing.T) {
	for err, gone := range map[error]bool{
		fs.ErrNotExist: true, syscall.ESRCH: true, syscall.EMFILE: false, fs.ErrPermission: false,
		errors.New("context canceled"): false,
	} {
		for _, seen := range []error{err, &recording.Failure{Message: "read /proc/7/stat: " + err.Error()}} {
			if errors.Is(err, fs.ErrNotExist) && seen != err {
				seen = &recording.Failure{Message: "open /proc/7/stat: " + syscall.ENOENT.Error()}
			}
			p := form.ProcessOf([]recording.Entry{
				{Kind: recording.Process, Err: seen}, {Kind: recording.Tasks, Err: fs.ErrNotExist}})
			if p.Gone != gone || p.State != "" {
				t.Errorf("%v: gone %v, want %v", seen, p.Gone, gone)
			}
		}
	}
}
