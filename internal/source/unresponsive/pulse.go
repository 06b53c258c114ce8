package unresponsive

import (
	"fmt"
	"io/fs"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/internal/source/target"
)

// Pulse has the facts of /proc and the counters about a JVM at one time. Taking it sends the JVM nothing, reads none of
// its memory, and costs about 0.3 ms of CPU.
type Pulse struct {
	At time.Time
	// State is the kernel's letter for the process; Frozen reports that its control group is frozen.
	State  string
	Frozen bool
	// CPU is the CPU time of the process so far, in steps of 10 ms.
	CPU time.Duration
	// Counters are nil if the JVM has none.
	Counters *timeline.Counters
	// LastFull reports that the latest GC collected the old generation; false before the first GC.
	LastFull bool
	// VM has the kernel's facts about the VM thread, which stops and restarts the application; its State is empty if
	// unknown.
	VM kernel.Task
}

// Pulses takes pulses of one JVM. It is for one goroutine.
type Pulses struct {
	Kernel  *kernel.Reader
	Process jvm.Process

	vm int // id of the VM thread, 0 until it is known
}

// Take takes a pulse. Its error is [fs.ErrNotExist] once the process has ended.
func (s *Pulses) Take() (Pulse, error) {
	pid := s.Process.PID
	p := Pulse{At: time.Now()}
	raw, err := s.Kernel.ReadFile(pid, "stat")
	if err != nil {
		return p, err
	}
	stat, err := kernel.ParseStat(raw)
	switch {
	case err != nil:
		return p, err
	case stat.State == "Z", stat.State == "X", stat.StartTime != s.Process.StartTime:
		return p, fmt.Errorf("process %d has ended: %w", pid, fs.ErrNotExist)
	}
	p.State, p.CPU = stat.State, stat.CPU()
	p.Frozen = kernel.ParseFrozen(s.Kernel.Frozen(pid))
	if raw, err := jvm.ReadPerfData(s.Kernel, s.Process); err == nil {
		p.addCounters(raw)
	}
	p.VM = s.vmThread()
	return p, nil
}

func (p *Pulse) addCounters(raw []byte) {
	data, err := jvm.ParsePerfData(raw)
	if err != nil {
		return
	}
	p.Counters = form.Counters(data)
	form.AddCollection(p.Counters, recording.Entry{Kind: recording.Counters, Bytes: raw})
	if all := data.Collectors(); len(all) > 1 && len(data.Generations()) > 1 {
		p.LastFull = all[1].LastExit.Known && all[1].LastExit.Value > all[0].LastExit.Value
	}
}

// vmThread reads the VM thread.
func (s *Pulses) vmThread() kernel.Task {
	if s.vm == 0 {
		s.vm = (&target.JVM{Kernel: s.Kernel, Process: s.Process}).VMThreadID()
	}
	options := kernel.TaskOptions{CPU: true, State: true, WaitChannel: true, Only: []int{s.vm}}
	tasks, err := s.Kernel.Tasks(s.Process.PID, options)
	if err != nil || s.vm == 0 {
		return kernel.Task{}
	}
	return tasks[s.vm]
}

// WhyStopped is why a JVM that does not run is not asked, nil if it runs or that cannot be seen.
func (s *Pulses) WhyStopped() error {
	p, err := s.Take()
	cause := ""
	switch {
	case err != nil: // the reading has the reason
	case p.State == "t":
		cause = "a debugger has stopped it"
	case p.State == "T":
		cause = "it is stopped (SIGSTOP)"
	case p.Frozen:
		cause = "its control group is frozen"
	}
	if cause == "" {
		return nil
	}
	return Unasked(s.Process.PID, attach.CodeStopped, cause)
}

// Unasked is the error of a JVM that is not asked as it cannot answer now, as when it is stopped. code says why
// (attach.CodeStopped, attach.CodeTimeout).
func Unasked(pid int, code, cause string) error {
	e := &attach.Error{Phase: attach.PhaseCheck, PID: pid, Code: code, Cause: "not asked: " + cause, At: time.Now()}
	if code == attach.CodeStopped {
		e.Remedy = fmt.Sprintf("kill -CONT %d", pid)
	}
	return e
}
