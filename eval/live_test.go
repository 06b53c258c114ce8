package eval

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	running "github.com/jstall/jstall/internal/source/live"
	observing "github.com/jstall/jstall/internal/source/observe"
)

const (
	sources  = "../testdata/eval"
	recorded = "../testdata/eval/recorded"
	// patience is how long a program may take to be ready.
	patience = 60 * time.Second
)

// TestLive runs every program of testdata/eval on the JDKs of EVAL_JDKS (default 17 and 21) and
// ends with the score. EVAL_ONLY limits it to programs whose name matches one of
// its words, or whose first kind does; EVAL_RECORD=1 keeps the dumps for TestRecorded.
func TestLive(t *testing.T) {
	if os.Getenv("EVAL") == "" {
		t.Skip("runs under `make eval`: it starts a JVM per program")
	}
	all, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	evaluate(t, "alone", all, func(p program, jdk jvmtest.JDK) (*analysis.Report, error) {
		report, dumps, err := p.look(t, jdk, "")
		if err == nil && os.Getenv("EVAL_RECORD") != "" && len(dumps) > 0 {
			err = p.keep(t.Context(), jdk.Version, dumps)
		}
		return report, err
	})
}

// evaluate judges what look reports of each program on each JDK, and prints the scores.
func evaluate(t *testing.T, form string, all []program, look func(program, jvmtest.JDK) (*analysis.Report, error)) {
	for _, version := range versions() {
		jdk := jvmtest.Find(t, version)
		chosen := slices.DeleteFunc(slices.Clone(all),
			func(p program) bool { return !p.runsOn(jdk.Version) || !p.wanted() })
		tally := tally{}
		runAll(chosen, func(p program) {
			report, err := look(p, jdk)
			s := score{why: fmt.Sprint("no report: ", err)}
			if err == nil {
				s = judge(p, jdk.Version, report)
			}
			tally.add(p, jdk.Version, s)
		})
		fmt.Printf("\nJDK %d, %s: %s\n\n", jdk.Version, form, tally.summary())
		if tally.wrong > 0 {
			t.Errorf("JDK %d, %s: %d programs are not judged right", jdk.Version, form, tally.wrong)
		}
	}
}

func versions() []string {
	if v := os.Getenv("EVAL_JDKS"); v != "" {
		return strings.Fields(v)
	}
	return []string{"17", "21"}
}

// wanted reports whether EVAL_ONLY names the program, or its first kind.
func (p program) wanted() bool {
	only := strings.Fields(os.Getenv("EVAL_ONLY"))
	return len(only) == 0 || slices.Contains(only, p.ID) || slices.Contains(only, p.label())
}

func (p program) label() string {
	if p.Healthy {
		return "healthy"
	}
	return string(p.Kinds[0])
}

// runAll first runs several of the programs that only wait at a time (EVAL_JOBS, default 1), then one by one those that
// use the CPU, or must be distinguished from such.
func runAll(programs []program, run func(program)) {
	jobs, err := strconv.Atoi(os.Getenv("EVAL_JOBS"))
	if err != nil || jobs < 1 {
		jobs = 1
	}
	var still sync.WaitGroup
	slots := make(chan bool, jobs)
	for _, p := range programs {
		if p.standsStill() {
			slots <- true
			still.Go(func() { run(p); <-slots })
		}
	}
	still.Wait()
	for _, p := range programs {
		if !p.standsStill() {
			run(p)
		}
	}
}

// standsStill reports whether the fault does not use the CPU and does not show in times.
func (p program) standsStill() bool {
	return slices.Contains([]string{
		"deadlock", "pool-deadlock", "missed-signal", "resource-exhausted", "queue-full",
		"executor-saturated", "single-thread-blocked", "io-wait",
	}, p.label())
}

// tally adds up the scores; programs may end at the same time.
type tally struct {
	mu                                                                                sync.Mutex
	faults, found, first, thread, frame, victims, healthy, alone, undetectable, wrong int
}

func (t *tally) add(p program, jdk int, s score) {
	t.mu.Lock()
	defer t.mu.Unlock()
	mark := "ok  "
	if !s.right() {
		mark = "FAIL"
	}
	fmt.Printf("%s %-12s %-22s %s\n", mark, p.ID, p.label(), s.why)
	t.wrong += one(!s.right())
	switch {
	case p.Healthy:
		t.healthy++
		t.alone += one(s.right())
		return
	case p.undetectable(jdk):
		t.undetectable += one(s.right())
		return
	}
	t.faults++
	t.found += one(s.found)
	t.first += one(s.first)
	t.thread += one(s.thread)
	t.frame += one(s.frame)
	t.victims += one(s.victims)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (t *tally) summary() string {
	return fmt.Sprintf("%d faults: found %d, first %d, right thread %d, right frame %d, victims %d; %d healthy: left "+
		"alone %d; left alone because nothing shows their fault: %d",
		t.faults, t.found, t.first, t.thread, t.frame, t.victims, t.healthy, t.alone, t.undetectable)
}

// look starts the program and takes a report and the dumps. host is the class path of the host that starts it with
// other work, empty for the program alone.
func (p program) look(t *testing.T, jdk jvmtest.JDK, host string) (*analysis.Report, [][]byte, error) {
	classes, err := p.compiled()
	if err != nil {
		return nil, nil, err
	}
	args := p.commandLine(jdk.Java(), classes, host)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = t.TempDir()
	return p.lookAt(t.Context(), cmd)
}

func (p program) commandLine(java, classes, host string) []string {
	args := slices.Concat(p.Prefix, []string{java}, p.JVM)
	if host == "" {
		args = append(args, "-cp", classes, p.ID)
	} else {
		args = append(args, "-cp", classes+":"+host, "com.acme.host.Host", p.ID)
	}
	return append(args, p.Args...)
}

// lookAt starts a command and captures its JVM as `jstall status` would; it returns the dumps as well.
func (p program) lookAt(ctx context.Context, cmd *exec.Cmd) (*analysis.Report, [][]byte, error) {
	if err := p.start(cmd); err != nil {
		return nil, nil, err
	}
	defer func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	}()
	k := kernel.New("/proc")
	process, err := jvm.Inspect(ctx, k, javaOf(k, cmd.Process.Pid))
	if err != nil {
		return nil, nil, err
	}
	count, interval := p.pace()
	src := &tee{Source: &running.Source{Kernel: k, Process: process, Count: count, Interval: interval,
		Timeout: 10 * time.Second, Via: via()}}
	result, err := observing.Take(ctx, src, observing.Plan{})
	if err != nil {
		return nil, nil, err
	}
	report := analysis.Diagnose(result.Series, analysis.Options{})
	if result.Failure != nil && len(report.Findings) == 0 {
		return nil, nil, result.Failure
	}
	return report, src.dumps, nil
}

// via is how a JVM is asked. The expectations on the programs were written for dumps alone; EVAL_VIA=auto also reads
// from the JVM's memory what threads wait for, as the commands do where they may.
func via() source.Via { return cmp.Or(source.Via(os.Getenv("EVAL_VIA")), source.ViaAttach) }

func (p program) pace() (int, time.Duration) {
	count, interval := 3, time.Second
	if p.Look.Count > 0 {
		count = p.Look.Count
	}
	if d, err := time.ParseDuration(p.Look.Interval); err == nil {
		interval = d
	}
	return count, interval
}

// start runs the program in its own process group until it is ready, or ends it.
func (p program) start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if _, err := cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := p.awaitReady(out); err != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		return err
	}
	return nil
}

// awaitReady returns when the program has reported that it is blocked, and has settled.
func (p program) awaitReady(out io.Reader) error {
	ready := make(chan bool, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if strings.TrimSpace(lines.Text()) == "READY" {
				ready <- true
			}
		}
		close(ready)
	}()
	select {
	case ok := <-ready:
		if !ok {
			return fmt.Errorf("%s ended before it was ready", p.ID)
		}
	case <-time.After(cmp.Or(p.patience, patience)):
		return fmt.Errorf("%s is not ready", p.ID)
	}
	settle := 0.5
	if p.Settle != nil {
		settle = *p.Settle
	}
	time.Sleep(time.Duration(settle * float64(time.Second)))
	return nil
}

// javaOf is the JVM among a process and its only child: java replaces a prefix such as taskset, and a shell is the
// parent of java.
func javaOf(k *kernel.Reader, pid int) int {
	if _, err := jvm.Inspect(context.Background(), k, pid); err == nil {
		return pid
	}
	raw, _ := k.ReadFile(pid, fmt.Sprintf("task/%d/children", pid))
	if fields := strings.Fields(string(raw)); len(fields) > 0 {
		if child, err := strconv.Atoi(fields[0]); err == nil {
			return child
		}
	}
	return pid
}

// tee keeps the dumps that pass through it.
type tee struct {
	source.Source
	dumps [][]byte
}

func (s *tee) Next(ctx context.Context, r source.Request) ([]recording.Entry, error) {
	entries, err := s.Source.Next(ctx, r)
	for _, e := range entries {
		if e.Kind == recording.ThreadDump && e.Err == nil {
			s.dumps = append(s.dumps, e.Bytes)
		}
	}
	return entries, err
}

// keep writes the dumps for TestRecorded, if the dumps alone show what the live capture has shown.
func (p program) keep(ctx context.Context, jdk int, dumps [][]byte) error {
	path := filepath.Join(recorded, fmt.Sprintf("jdk%d", jdk), p.ID+".txt.zst")
	if err := pack(path, dumps); err != nil {
		return err
	}
	if saved, err := p.scoreSaved(ctx, jdk, path); err != nil || !saved.right() {
		return os.Remove(path)
	}
	return nil
}

// pack writes dumps one after the other, compressed.
func pack(path string, dumps [][]byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	return os.WriteFile(path, w.EncodeAll(bytes.Join(dumps, []byte("\n")), nil), 0o644)
}
