package perf

import (
	"errors"
	"io/fs"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/jvmtest"
)

// stackPointer is its number in asm/perf_regs.h.
var stackPointer = map[string]int{"amd64": 7, "arm64": 31}[runtime.GOARCH]

// spin starts a thread that never waits, and returns its id.
func spin(t *testing.T) int {
	t.Helper()
	tid := make(chan int)
	go func() {
		runtime.LockOSThread()
		tid <- unix.Gettid()
		for t.Context().Err() == nil {
		}
	}()
	return <-tid
}

// rest starts a thread that waits.
func rest(t *testing.T) int {
	t.Helper()
	tid := make(chan int)
	go func() {
		runtime.LockOSThread()
		tid <- unix.Gettid()
		<-t.Context().Done()
	}()
	return <-tid
}

// open makes an event of a thread that takes one sample.
func open(t *testing.T, tid int) *Event {
	t.Helper()
	e, err := Open(tid, Options{Registers: 1 << stackPointer, Stack: 1024, Period: 100 * time.Microsecond})
	if errors.Is(err, fs.ErrPermission) {
		jvmtest.Lack(t, "the right to sample by perf")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	if err := e.Once(); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestSampleOfAThreadThatRuns samples a thread of the test itself, twice: its stack pointer and a copy of its stack
// are there, and no further sample comes unasked.
func TestSampleOfAThreadThatRuns(t *testing.T) {
	thread := spin(t)
	e := open(t, thread)
	for range 2 {
		if err := Wait(t.Context(), []*Event{e}, time.Minute); err != nil {
			t.Fatal(err)
		}
		b, err := e.Read()
		if err != nil || len(b.Samples) != 1 {
			t.Fatalf("%+v, %v", b, err)
		}
		s := b.Samples[0]
		if s.TID != thread || s.PID != unix.Getpid() || len(s.Registers) != 1 || s.Registers[0] == 0 {
			t.Errorf("%+v", s)
		}
		if len(s.Stack) == 0 {
			t.Errorf("%+v", s)
		}
		if b, err := e.Read(); len(b.Samples) != 0 || err != nil {
			t.Errorf("unasked: %+v, %v", b, err)
		}
		if err := e.Once(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWaitEnds: a thread that does not run gives no sample.
func TestWaitEnds(t *testing.T) {
	e := open(t, rest(t))
	if err := Wait(t.Context(), []*Event{e}, 20*time.Millisecond); err != nil {
		t.Error(err)
	}
	if b, err := e.Read(); len(b.Samples) != 0 || err != nil {
		t.Errorf("%+v, %v", b, err)
	}
}

// TestRingHoldsASample: a buffer is a power of two of pages and larger than a stack.
func TestRingHoldsASample(t *testing.T) {
	for _, stack := range []int{0, 1024, 16 << 10, 32 << 10, 60 << 10} {
		pages := ringSize(stack) / unix.Getpagesize()
		if ringSize(stack) <= stack || pages == 0 || pages&(pages-1) != 0 {
			t.Errorf("%d bytes for a stack of %d", ringSize(stack), stack)
		}
	}
}
