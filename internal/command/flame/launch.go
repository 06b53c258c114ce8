package flame

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/profile"
	"github.com/jstall/jstall/internal/shell"
)

// gatherLaunched starts a program and profiles it to its end, on request with the JVMs that it starts.
func gatherLaunched(ctx context.Context, env *shell.Env, command []string, o flameOptions) (gathered, error) {
	if err := shell.NeedsLinux(); err != nil {
		return gathered{}, err
	}
	if o.eventSet && o.event != flame.EventCPU {
		return gathered{}, shell.Usage(fmt.Sprintf("jstall flame --event %s PID, while it runs", o.event),
			"jstall flame -- COMMAND profiles with dumps only, which show no %s", o.event)
	}
	if len(command) == 0 {
		return gathered{}, shell.Usage("jstall flame -- java -jar app.jar", "after -- comes the command to start")
	}
	l := &launched{env: env, options: o, kernel: kernel.New(env.ProcRoot), seen: map[int]bool{}, started: time.Now()}
	l.cmd = exec.Command(command[0], command[1:]...)
	l.cmd.Stdin, l.cmd.Stdout, l.cmd.Stderr = env.Stdin, env.Stdout, env.Stderr
	if err := l.cmd.Start(); err != nil {
		return gathered{}, shell.NoResult("", "cannot start %s: %v", command[0], shell.BareError(errors.Unwrap(err)))
	}
	l.follow(ctx)
	g, err := l.result(ctx, strings.Join(command, " "))
	g.note(flagsBehind(command))
	return g, err
}

// flagsBehind notes that flags of jstall after the dashes went to the program, empty if there are none.
func flagsBehind(command []string) string {
	for _, word := range command {
		name := shell.FlagName(word)
		for _, f := range flameFlags() {
			if shell.IsLongFlag(word) && slices.Contains(f.Names(), name) {
				return fmt.Sprintf("%s is a flag of %s here, as it is behind --. For jstall, write it before --.",
					word, command[0])
			}
		}
	}
	return ""
}

// launched is a program that jstall has started, and its JVMs.
type launched struct {
	env     *shell.Env
	options flameOptions
	kernel  *kernel.Reader
	cmd     *exec.Cmd
	started time.Time
	seen    map[int]bool
	runs    []*launchedJVM
	// ended is closed when the program has ended; err says how.
	ended chan struct{}
	err   error
}

// launchedJVM is one JVM of the program.
type launchedJVM struct {
	process jvm.Process
	builder *flame.Builder
	times   *flame.Timeline
	done    profile.Sampled
}

// jvmPoll is how often to search for JVMs of the program. It is short so that the start of the first one is not missed.
const jvmPoll = 20 * time.Millisecond

// follow profiles the program until it ends, the time is over, or the user interrupts.
func (l *launched) follow(ctx context.Context) {
	l.ended = make(chan struct{})
	go func() {
		l.err = l.cmd.Wait()
		close(l.ended)
	}()
	var runs sync.WaitGroup
	poll := time.NewTicker(jvmPoll)
	defer poll.Stop()
	for {
		for _, p := range l.newJVMs(ctx) {
			run := l.newRun(p)
			l.runs = append(l.runs, run)
			runs.Go(func() {
				if p := caught.Try(func() { l.profile(ctx, run) }); p != nil {
					run.done.Failure = p
				}
			})
		}
		select {
		case <-poll.C:
			continue
		case <-l.ended:
		case <-ctx.Done():
			l.stop()
		}
		runs.Wait()
		return
	}
}

func (l *launched) newRun(p jvm.Process) *launchedJVM {
	times := &flame.Timeline{}
	options := flame.Options{ExactNames: l.options.exactNames, Thread: l.options.thread, Timeline: times}
	return &launchedJVM{process: p, builder: flame.NewBuilder(options), times: times}
}

// patience is how long a program may take to end after the request to end.
const patience = 3 * time.Second

func (l *launched) stop() {
	_ = l.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-l.ended:
	case <-time.After(patience):
	}
}

func (l *launched) profile(ctx context.Context, run *launchedJVM) {
	s := newSampler(l.env, run.process, l.options)
	s.Started = l.started
	if age := run.process.Age; run.process.PID != l.cmd.Process.Pid && age > 0 {
		s.Started = time.Now().Add(-age)
	}
	if l.options.durationSet {
		s.Duration = l.options.duration
	}
	run.done = s.Run(ctx, run.builder.Add)
}

// newJVMs returns the JVMs that have started since the last call.
func (l *launched) newJVMs(ctx context.Context) []jvm.Process {
	var fresh []jvm.Process
	for _, pid := range l.candidates() {
		p, err := jvm.Inspect(ctx, l.kernel, pid)
		if err == nil && p.NotSupported == "" && l.hasCounters(p) {
			l.seen[pid] = true
			fresh = append(fresh, p)
		}
	}
	return fresh
}

// hasCounters reports whether a JVM's counters exist, or will never exist.
func (l *launched) hasCounters(p jvm.Process) bool {
	_, err := jvm.ReadPerfData(l.kernel, p)
	return err == nil || p.Age > 10*jvmPoll
}

// candidates returns the program itself, and on request its descendants.
func (l *launched) candidates() []int {
	root := l.cmd.Process.Pid
	pids := []int{root}
	if l.options.children {
		if all, err := l.kernel.PIDs(); err == nil {
			pids = descendants(root, all, l.parent)
		}
	}
	var unseen []int
	for _, pid := range pids {
		if !l.seen[pid] {
			unseen = append(unseen, pid)
		}
	}
	return unseen
}

func (l *launched) parent(pid int) int {
	raw, err := l.kernel.ReadFile(pid, "stat")
	if err != nil {
		return 0
	}
	stat, err := kernel.ParseStat(raw)
	if err != nil {
		return 0
	}
	return stat.PPID
}

// descendants returns a process and those below it, in the order of pids.
func descendants(root int, pids []int, parent func(int) int) []int {
	parents := map[int]int{}
	for _, pid := range pids {
		parents[pid] = parent(pid)
	}
	var found []int
	for _, pid := range pids {
		at := pid
		for steps := 0; at > 1 && at != root && steps < len(pids); steps++ {
			at = parents[at]
		}
		if at == root {
			found = append(found, pid)
		}
	}
	return found
}

// result makes one profile of all JVMs of the program.
func (l *launched) result(ctx context.Context, command string) (gathered, error) {
	if len(l.runs) == 0 {
		return gathered{}, shell.NoResult("--children profiles the JVMs that a program starts",
			"%s %s; no JVM ran in it", command, l.ending())
	}
	var g gathered
	var parts []*pprof.Profile
	samples := 0
	for _, run := range l.runs {
		p := l.profileOf(run)
		if len(l.runs) > 1 {
			flame.Under(p, fmt.Sprintf("[%d %s]", run.process.PID, run.process.Name()))
		}
		parts = append(parts, p)
		samples += run.done.Samples
		if run.done.Failure != nil {
			g.code = shell.ExitPartial
			g.notes = append(g.notes, fmt.Sprintf("%d %s: %s", run.process.PID, run.process.Name(),
				shell.Failure(run.done.Failure).Message))
		}
	}
	p, err := flame.Merge(parts)
	if err != nil {
		return g, shell.NoResult("", "%v", err)
	}
	g.profile = p
	if len(l.runs) == 1 {
		g.timeline = l.runs[0].times
	}
	g.notes = append(g.notes, fmt.Sprintf("%s %s.", command, l.ending()))
	if samples == 0 || ctx.Err() != nil {
		g.code = shell.ExitPartial
	}
	return g, nil
}

func (l *launched) profileOf(run *launchedJVM) *pprof.Profile {
	whole := !l.options.durationSet && len(l.runs) == 1 && run.process.PID == l.cmd.Process.Pid
	if state := l.cmd.ProcessState; state != nil && whole {
		run.builder.SetProcessCPU(state.UserTime() + state.SystemTime())
	}
	p := run.builder.Profile(liveTitle(run.process, run.done), pauseNote(run.done))
	p.TimeNanos = l.started.UnixNano()
	return p
}

// ending says how the program ended.
func (l *launched) ending() string {
	select {
	case <-l.ended:
	default:
		return "has not ended yet"
	}
	if l.err == nil {
		return "ended"
	}
	return "ended with " + l.err.Error()
}
