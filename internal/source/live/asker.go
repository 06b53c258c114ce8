package live

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/folder"
	"github.com/jstall/jstall/internal/source/memory"
	"github.com/jstall/jstall/internal/source/target"
)

// Asker sends commands to one JVM.
type Asker struct {
	*target.JVM
	memory *memory.Reader
	// Timeout bounds one command; 0: [attach.DefaultTimeout]; negative: no limit.
	Timeout time.Duration
	// Force sends a command although a check predicts harm to the JVM.
	Force bool
	// auto allows reading the JVM's memory instead of waiting for an answer (--via auto).
	auto bool

	client *attach.Client
	// sent is what was sent to the target so far.
	sent []attach.Sent
	// filesLeft are files of this attach that neither the target nor jstall could remove.
	filesLeft []string
	// justRead are the counters that were read right before a request. inGC uses them once.
	justRead []byte
	// answering is set when a part of the answer to the latest request has come.
	answering atomic.Bool
}

// Folders returns a maker of folders for the files that the JVM writes for jstall.
func (a *Asker) Folders() *folder.Maker {
	return &folder.Maker{JVM: a.JVM, Clear: clearTriggers(a.attachClient())}
}

// Execute sends one command to the JVM. On failure the error is an *attach.Error; the Cost has the files that were
// left.
func (a *Asker) Execute(ctx context.Context, cmd attach.Command) (*attach.Answer, error) {
	return a.execute(ctx, cmd)
}

// Refuses returns why a command is never sent to this JVM, nil if it may be sent. The error is an *attach.Error.
func (a *Asker) Refuses(cmd attach.Command) error {
	return a.attachClient().Refusal(a.attachTarget(), cmd)
}

// execute is Execute. It does the work while jstall waits for the answer.
func (a *Asker) execute(ctx context.Context, cmd attach.Command, work ...func()) (*attach.Answer, error) {
	if a.client == nil {
		work = append(work, func() { target.InTime(Clearing, a.Folders().ClearLeft) })
	}
	client := a.attachClient()
	start, wait := meanwhile(work)
	cmd.Asked = start
	a.answering.Store(false)
	early := cmd.Early
	cmd.Early = func(body *attach.Body) {
		a.answering.Store(true)
		if early != nil {
			early(body)
		}
	}
	watched, end := a.WatchStopped(ctx)
	defer end()
	answer, err := client.Execute(watched, a.attachTarget(), cmd)
	if target.RefusedForLimit(err) { // no work is started: there is no request to wait for, and memory may be short
		return answer, err
	}
	defer wait()
	if answer != nil && err == nil {
		a.sent = append(a.sent, answer.Sent...)
	}
	if e := (*attach.Error)(nil); errors.As(err, &e) {
		a.filesLeft = append(a.filesLeft, e.FilesLeft...)
		a.sent = append(a.sent, e.Sent...)
		e.Sent = slices.Clone(a.sent)
	}
	return answer, err
}

// ExecuteFor is Execute for a command that may take longer than others.
func (a *Asker) ExecuteFor(ctx context.Context, patience time.Duration, cmd attach.Command) (*attach.Answer, error) {
	client := a.attachClient()
	defer func(d time.Duration) { client.Timeout = d }(client.Timeout)
	client.Timeout = max(client.Timeout, patience)
	return a.Execute(ctx, cmd)
}

func (a *Asker) attachClient() *attach.Client {
	if a.client == nil {
		a.client = &attach.Client{
			Proc: a.Kernel, RunAs: kernel.RunAs, Timeout: a.Timeout, Hold: a.holdDuringGC,
			Limits: target.NewLimits(a.Kernel), Force: a.Force,
		}
	}
	return a.client
}

func (a *Asker) attachTarget() attach.Target {
	p := a.Process
	t := attach.Target{
		PID: p.PID, NSPID: p.NSPID, UID: p.UID, GID: p.GID, Groups: p.Groups,
		StartTime: p.StartTime, TempDir: p.TempDir, Major: p.Major, Version: p.JavaVersion, Collector: p.GC,
		Options: p.JVMArgs, Unread: p.Unread, SharesTemp: p.SharesTemp,
	}
	if p.Attachable.Known {
		t.Capabilities = "0"
		if p.Attachable.Value {
			t.Capabilities = "1"
		}
	}
	return t
}

// gcPoll is how often the counters are read during a GC.
const gcPoll = 2 * time.Millisecond

// holdDuringGC waits while the counters show a GC. A request sent during the GC would not be answered earlier, and
// would leave a trigger file if it timed out. It returns target.ErrCannotAnswer for a process that a cgroup has frozen,
// because attach checks that only before a signal, and after longStandstill if the memory may be read instead.
func (a *Asker) holdDuringGC(ctx context.Context) error {
	if kernel.ParseFrozen(a.Kernel.Frozen(a.Process.PID)) {
		return target.ErrCannotAnswer
	}
	begin := time.Now()
	for a.inGC() {
		if a.auto && time.Since(begin) > longStandstill && a.memory.MayRead(ctx) {
			return target.ErrCannotAnswer
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(gcPoll):
		}
	}
	return nil
}

// inGC reports whether the counters show a GC. Counters from right before the request are not read again.
func (a *Asker) inGC() bool {
	raw := a.justRead
	if a.justRead = nil; raw == nil {
		raw = a.Counters().Bytes
	}
	data, err := jvm.ParsePerfData(raw)
	return err == nil && data.InGC()
}

// jcmd sends one diagnostic command and returns the answer or the error as an entry of the recording.
func (a *Asker) jcmd(ctx context.Context, command string) recording.Entry {
	begin := time.Now()
	answer, err := a.Execute(ctx, attach.Jcmd(command))
	entry := recording.Entry{
		Kind: recording.Jcmd, Name: command, At: begin.Sub(a.Start), Took: time.Since(begin), Err: err,
	}
	if answer != nil {
		entry.Bytes, entry.Took = answer.Body, answer.Took
	}
	return entry
}
