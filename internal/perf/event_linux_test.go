package perf

import (
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"jstall/internal/jvmtest"
)

// stackPointer is its number in asm/perf_regs.h.
var stackPointer = map[string]int{"amd64": 7, "arm64": 31}[runtime.GOARCH]

// TestSampleOfAThreadThatRuns samples a thread of the test itself, twice: its stack pointer is in the stack that the
// kernel has copied, and no further sample comes unasked.
func TestSampleOfAThreadThatRuns(t *testing.T) {
	tid, stop := make(chan int), make(chan struct{})
	defer close(stop)
	go func() {
		runtime.LockOSThread()
		tid <- unix.Gettid()
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
		}
	}()
	thread := <-tid
	e, err := Open(thread, Options{Registers: 1 << stackPointer, Stack: 1024, Period: 100 * time.Microsecond})
	if errors.Is(err, fs.ErrPermission) {
		jvmtest.Lack(t, "the right to sample by perf")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for range 2 {
		if err := e.Once(); err != nil {
			t.Fatal(err)
		}
		if err := Wait(t.Context(), []*Event{e}, time.Minute); err != nil {
			t.Fatal(err)
		}
		b, err := e.Read()
		if err != nil || len(b.Samples) != 1 {
			t.Fatalf("%+v, %v", b, err)
		}
		s := b.Samples[0]
		if s.TID != thread || s.PID != unix.Getpid() || len(s.Registers) != 1 || s.Registers[0] == 0 || len(s.Stack) == 0 {
			t.Errorf("%+v", s)
		}
	}
	if b, err := e.Read(); len(b.Samples) != 0 || err != nil {
		t.Errorf("unasked: %+v, %v", b, err)
	}
}

// TestWaitEnds: a thread that does not run gives no sample.
func TestWaitEnds(t *testing.T) {
	tid, stop := make(chan int), make(chan struct{})
	defer close(stop)
	go func() {
		runtime.LockOSThread()
		tid <- unix.Gettid()
		<-stop
	}()
	e, err := Open(<-tid, Options{Registers: 1 << stackPointer, Stack: 1024, Period: time.Second})
	if errors.Is(err, fs.ErrPermission) {
		jvmtest.Lack(t, "the right to sample by perf")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.Once(); err != nil {
		t.Fatal(err)
	}
	if err := Wait(t.Context(), []*Event{e}, 20*time.Millisecond); err != nil {
		t.Error(err)
	}
	if b, err := e.Read(); len(b.Samples) != 0 || err != nil {
		t.Errorf("%+v, %v", b, err)
	}
	if sizes := []int{ringSize(0), ringSize(1024), ringSize(32 << 10)}; !slices.Equal(sizes, []int{4096, 4096, 64 << 10}) &&
		unix.Getpagesize() == 4096 {
		t.Errorf("sizes %v", sizes)
	}
}
