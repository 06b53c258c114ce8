package kernel

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"time"
)

// Task is what the kernel says of one thread. Fields that TaskOptions did not ask for are
// zero. gopsutil reports only the CPU time of a thread, in steps of 10 ms.
type Task struct {
	// NSTID is the id in the innermost pid namespace: what the JVM prints as
	// nid. It equals the key where the process is in no other namespace.
	NSTID int
	// CPU is the time on a CPU since the thread started: nanoseconds where the
	// kernel keeps schedstat, else steps of 10 ms.
	CPU time.Duration
	// RunQueue is the time it was runnable and waited for a CPU, unknown
	// without schedstat.
	RunQueue Opt[time.Duration]
	// Turns is how often it was given a CPU, unknown without schedstat.
	Turns Opt[int64]
	// State is one letter; see Stat.
	State string
	// Comm is the thread's name, at most 15 bytes.
	Comm string
	// StartTime is when it started, as in [Stat].
	StartTime uint64
	// WaitChannel is the kernel function it sleeps in; empty if it runs, or if
	// we may not know.
	WaitChannel string
	// Writes is how often it has called write(2) and its like, unknown where the kernel does not count that. What is
	// sent by send(2), as the JDK does up to 12, is not among these.
	Writes Opt[int64]
	// Received is how many bytes it has got by read(2) and its like.
	Received Opt[int64]
	// File is what it waits for there, of [Reader.BlockedOn].
	File File
}

// TaskOptions says which files of each thread are read; each costs about 8 µs
// a thread.
type TaskOptions struct {
	// CPU asks for CPU, RunQueue and Turns.
	CPU bool
	// State asks for State, Comm and StartTime.
	State bool
	// Comm asks for Comm alone.
	Comm bool
	// WaitChannel asks for WaitChannel.
	WaitChannel bool
	// IO asks for Writes and Received.
	IO bool
	// Only limits the answer to these kernel ids; nil means all.
	Only []int
}

// Tasks returns the threads of a process by their id in our pid namespace.
// Threads that end meanwhile are left out; a process that is gone gives
// fs.ErrNotExist.
func (r *Reader) Tasks(pid int, opt TaskOptions) (map[int]Task, error) {
	dir, err := os.Open(r.Path(pid, "task"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	tids := opt.Only
	if tids == nil {
		if tids, err = r.TIDs(pid); err != nil {
			return nil, fmt.Errorf("threads of %d: %w", pid, gone(err))
		}
	}
	tr := taskReader{dirfd: int(dir.Fd()), opt: opt, namespaced: namespaced(r, pid)}
	tasks := make(map[int]Task, len(tids))
	for _, tid := range tids {
		t, err := tr.read(tid)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return tasks, fmt.Errorf("thread %d of %d: %w", tid, pid, err)
		}
		tasks[tid] = t
	}
	if len(tasks) == 0 && opt.Only == nil {
		return nil, fmt.Errorf("threads of %d: %w", pid, fs.ErrNotExist)
	}
	return tasks, nil
}

// namespaced reports whether the process has another pid in a namespace of its
// own; the threads' own ids are then looked up one by one.
func namespaced(r *Reader, pid int) bool {
	text, err := r.ReadFile(pid, "status")
	if err != nil {
		return false
	}
	s, _ := ParseStatus(text)
	return len(s.NSpid) > 1
}

// taskReader reads files of one process's task directory into one buffer.
type taskReader struct {
	dirfd      int
	opt        TaskOptions
	namespaced bool
	buf        []byte
}

func (tr *taskReader) file(tid int, name string) ([]byte, error) {
	text, err := readFileAt(tr.dirfd, strconv.Itoa(tid)+"/"+name, tr.buf)
	if err == nil {
		tr.buf = text
	}
	return text, err
}

func (tr *taskReader) read(tid int) (Task, error) {
	t := Task{NSTID: tid}
	var err error
	if tr.opt.CPU {
		err = tr.schedstat(tid, &t)
	}
	if err == nil && (tr.opt.State || tr.opt.CPU && !t.RunQueue.Known) {
		err = tr.stat(tid, &t)
	}
	if err == nil && tr.opt.Comm && !tr.opt.State {
		err = tr.comm(tid, &t)
	}
	if err == nil && tr.opt.WaitChannel {
		err = tr.waitChannel(tid, &t)
	}
	if err == nil && tr.opt.IO {
		tr.io(tid, &t)
	}
	if err == nil && tr.namespaced {
		err = tr.namespaceID(tid, &t)
	}
	return t, err
}

// schedstat leaves the times unknown where the kernel does not keep them.
func (tr *taskReader) schedstat(tid int, t *Task) error {
	text, err := tr.file(tid, "schedstat")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil // stat decides whether the thread is there
	}
	if err != nil {
		return err
	}
	s, err := ParseSchedstat(text)
	if err == nil && !bytes.HasPrefix(text, []byte("0 0 0")) {
		t.CPU, t.RunQueue, t.Turns = s.CPU, Known(s.RunQueue), Known(s.Turns)
	}
	return err
}

func (tr *taskReader) stat(tid int, t *Task) error {
	text, err := tr.file(tid, "stat")
	if err != nil {
		return err
	}
	s, err := ParseStat(text)
	if tr.opt.State {
		t.State, t.Comm, t.StartTime = s.State, s.Comm, s.StartTime
	}
	if tr.opt.CPU && !t.RunQueue.Known {
		t.CPU = s.CPU()
	}
	return err
}

func (tr *taskReader) comm(tid int, t *Task) error {
	text, err := tr.file(tid, "comm")
	t.Comm = string(bytes.TrimSuffix(text, []byte("\n")))
	return err
}

// waitChannel stays empty for "0": running, or not for us to know.
func (tr *taskReader) waitChannel(tid int, t *Task) error {
	text, err := tr.file(tid, "wchan")
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if name := string(bytes.TrimSpace(text)); name != "0" {
		t.WaitChannel = name
	}
	return err
}

// io leaves unknown what threads of others do, and all in kernels that keep no such figures.
func (tr *taskReader) io(tid int, t *Task) {
	text, err := tr.file(tid, "io")
	if err != nil {
		return
	}
	for line := range bytes.Lines(text) {
		name, number, _ := bytes.Cut(line, []byte(": "))
		n, err := strconv.ParseInt(string(bytes.TrimSpace(number)), 10, 64)
		if err != nil {
			continue
		}
		switch string(name) {
		case "syscw":
			t.Writes = Known(n)
		case "rchar":
			t.Received = Known(n)
		}
	}
}

func (tr *taskReader) namespaceID(tid int, t *Task) error {
	text, err := tr.file(tid, "status")
	if err != nil {
		return err
	}
	s, err := ParseStatus(text)
	if id := s.InnermostPID(); id != 0 {
		t.NSTID = id
	}
	return err
}
