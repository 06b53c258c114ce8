//go:build linux

package trials_test

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvmtest"
)

// limits are JVMs for which an attach would need more than a limit of the kernel leaves.
var limits = []trial{
	{name: "no room for a thread or a descriptor", run: noThreadNoFile},
	{name: "no room for a thread of its user, a full /tmp", run: noUserThreadNoSpace},
	{name: "12 MB of memory left for 1,500 threads", run: littleMemory},
}

// TestLimits writes its results to RESULTS.md with SAVE=1.
func TestLimits(t *testing.T) {
	t.Run("all", func(t *testing.T) { eachMainJDK(t, limits) })
	if os.Getenv("SAVE") != "" && !t.Failed() {
		saveSection(t, limitsSection(t))
	}
}

// onFixtures are the limits that are tested on a saved tree of /proc and /sys: this kernel lacks some of them, and
// others apply to the whole machine.
var onFixtures = []struct{ limit, test string }{
	{"control groups of version 2: pids.max, memory.max and memory.high of all levels",
		"internal/kernel TestFixtureGroupTasksOfAllAncestors, TestFixtureMemoryBounds"},
	{"kernel.threads-max, kernel.pid_max",
		"internal/kernel TestFixtureMachineTasks, internal/source/target TestFixtureThreadsMax"},
	{"RLIMIT_NPROC of root, of capable processes, in a user namespace", "internal/kernel TestFixtureUserTasks"},
	{"MemAvailable of the machine", "internal/kernel TestFixtureMemoryBounds"},
}

func limitsSection(t *testing.T) string {
	var jdks []string
	for _, jdk := range jvmtest.Available(t) {
		if isMain(jdk.Version) {
			jdks = append(jdks, strconv.Itoa(jdk.Version))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# JVMs at a limit of the kernel\n\n"+
		"%s, Linux %s. Written by `SAVE=1 go test -run TestLimits ./trials`: before the first attach nothing was\n"+
		"sent, the JVM lived and printed nothing; with the listener up it answered where the limit allows it; "+
		"afterwards it answered.\n\n",
		time.Now().Format("2 January 2006"), kernelRelease())
	b.WriteString("| limit | shown by |\n|---|---|\n")
	for _, tr := range limits {
		fmt.Fprintf(&b, "| %s | real JVMs %s |\n", tr.name, strings.Join(jdks, ", "))
	}
	for _, f := range onFixtures {
		fmt.Fprintf(&b, "| %s | fixture tree of /proc and /sys: %s |\n", f.limit, f.test)
	}
	return b.String()
}

// saveSection replaces the section of RESULTS.md with the same heading.
func saveSection(t *testing.T, section string) {
	t.Helper()
	const file = "RESULTS.md"
	old, _ := os.ReadFile(file)
	heading, _, _ := strings.Cut(section, "\n")
	var kept []string
	for part := range strings.SplitSeq("\n"+string(old), "\n# ") {
		if part = strings.TrimSpace(part); part != "" && !strings.HasPrefix("# "+part, heading+"\n") {
			kept = append(kept, "# "+part+"\n")
		}
	}
	text := strings.Join(append(kept, section), "\n")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// limited is a JVM that is captured under limits.
type limited struct {
	*jvmtest.JVM
	client
}

// reports checks that status names the limit that prevents a dump.
func (l limited) reports(t *testing.T, limit string) {
	t.Helper()
	r, o := l.report(t, "status")
	if o.code != exitNoDump || len(r.Findings) == 0 || r.Capture.Source != "procfs" {
		t.Fatalf("%s: exit %d, %+v %s", limit, o.code, r.Verdict, o.stderr)
	}
	f := r.Findings[0]
	named := strings.Contains(f.Title, limit) && strings.Contains(r.Verdict.Summary, limit)
	advised := f.Kind == finding.KindLimitNear && f.Advice != ""
	checked := r.Error != nil && r.Error.Phase == "check"
	if !advised || !named || !checked {
		t.Errorf("%s: %+v, verdict %+v, error %+v", limit, f, r.Verdict, r.Error)
	}
}

// refuses checks that nothing is sent, that the limit is named, and how commands end.
func (l limited) refuses(t *testing.T, limit string, listening bool) {
	t.Helper()
	if o := l.run(t, "doctor"); o.code != exitNothing || !strings.Contains(o.stdout, limit) ||
		!strings.Contains(o.stdout, "Repair") {
		t.Errorf("doctor: exit %d, want %q: %s%s", o.code, limit, o.stdout, o.stderr)
	}
	l.reports(t, limit)
	o := l.run(t, "dump", "--via", "attach")
	if o.code != exitNoDump || o.stdout != "" || !strings.Contains(o.stderr, limit) {
		t.Errorf("dump: exit %d, want %q: %s%s", o.code, limit, o.stdout, o.stderr)
	}
	l.untouched(t, listening)
}

// untouched checks that the JVM lives and has printed nothing, and that there is no file of an attach.
func (l limited) untouched(t *testing.T, listening bool) {
	t.Helper()
	if !l.Alive() || l.Output() != "READY\n" {
		t.Fatalf("alive %v, it printed %q", l.Alive(), l.Output())
	}
	names := []string{".attach_pid%d", ".attach_pid%d.*", ".java_pid%d.tmp", ".java_pid%d"}
	if listening {
		names = names[:3]
	}
	for _, name := range names {
		for _, dir := range []string{"cwd", "root/tmp"} {
			if found, _ := filepath.Glob(fmt.Sprintf("/proc/%d/%s/"+name, l.pid, dir, l.pid)); len(found) > 0 {
				t.Errorf("%s is there", found)
			}
		}
	}
}

// asked checks that the doctor reports ok and that a dump can be taken.
func (l limited) asked(t *testing.T) {
	t.Helper()
	if o := l.run(t, "doctor"); o.code != exitDone {
		t.Errorf("doctor: exit %d: %s%s", o.code, o.stdout, o.stderr)
	}
	l.answers(t)
	l.untouched(t, true)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0); err != nil {
		t.Fatal(err)
	}
}

func readNumber(t *testing.T, path string) int64 {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// newGroup makes a control group of the controller with this limit, and one inside it.
func newGroup(t *testing.T, controller, limit string) (outer, inner string) {
	t.Helper()
	for _, top := range []string{"/sys/fs/cgroup/" + controller, "/sys/fs/cgroup"} {
		if _, err := os.Stat(filepath.Join(top, "cgroup.procs")); err != nil {
			continue
		}
		outer = filepath.Join(top, "jstall-trial-"+filepath.Base(t.TempDir())+"-"+strconv.Itoa(os.Getpid())+"-"+
			strings.ReplaceAll(t.Name(), "/", "-"))
		inner = filepath.Join(outer, "inner")
		if os.Mkdir(outer, 0o755) != nil {
			continue
		}
		t.Cleanup(func() { await(t, "end of the control group", func() bool { return os.Remove(outer) == nil }) })
		_ = os.WriteFile(filepath.Join(outer, "cgroup.subtree_control"), []byte("+"+controller), 0) // version 2
		if os.Mkdir(inner, 0o755) != nil {
			continue
		}
		t.Cleanup(func() { await(t, "end of the control group", func() bool { return os.Remove(inner) == nil }) })
		if _, err := os.Stat(filepath.Join(inner, limit)); err == nil {
			return outer, inner
		}
	}
	jvmtest.Lack(t, "no control group of %s can be made here", controller)
	return "", ""
}

func noThreadNoFile(t *testing.T, jdk jvmtest.JDK) {
	outer, inner := newGroup(t, "pids", "pids.max")
	j, c := idle(t, jdk)
	l := limited{j, c}
	write(t, filepath.Join(inner, "cgroup.procs"), strconv.Itoa(l.pid))
	full := func(group string) (raise func()) {
		path := filepath.Join(group, "pids.max")
		write(t, path, fmt.Sprint(readNumber(t, filepath.Join(group, "pids.current"))))
		return func() { write(t, path, "max") }
	}
	for _, group := range []string{inner, outer} {
		raise := full(group)
		l.refuses(t, filepath.Join(group, "pids.max"), false)
		raise()
	}
	for free := range 2 {
		restore := leaveFiles(t, l.pid, free)
		l.refuses(t, "RLIMIT_NOFILE", false)
		restore()
	}
	l.asked(t)
	for _, group := range []string{inner, outer} {
		raise := full(group)
		l.asked(t)
		raise()
	}
	restore := leaveFiles(t, l.pid, 0)
	l.refuses(t, "RLIMIT_NOFILE", true)
	restore()
	restore = leaveFiles(t, l.pid, 1)
	l.asked(t)
	restore()
	l.asked(t)
}

// leaveFiles leaves a process a number of free descriptors.
func leaveFiles(t *testing.T, pid, free int) (restore func()) {
	t.Helper()
	used := openFiles(t, pid)
	limit := 0
	for left := free; left > 0 || used[strconv.Itoa(limit)]; limit++ {
		if !used[strconv.Itoa(limit)] {
			left--
		}
	}
	return setLimit(t, pid, "nofile", limit)
}

// openFiles are the descriptors of a process while it opens and closes none: it closes a connection shortly after the
// client has seen its end.
func openFiles(t *testing.T, pid int) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	await(t, "open descriptors", func() bool {
		before := len(used)
		names, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		used = map[string]bool{}
		for _, name := range names {
			used[filepath.Base(name)] = true
		}
		time.Sleep(100 * time.Millisecond)
		return len(used) == before
	})
	return used
}

// setLimit changes the soft limit of a process, as its own user, because root may lack CAP_SYS_RESOURCE.
func setLimit(t *testing.T, pid int, resource string, limit int) (restore func()) {
	t.Helper()
	info, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	prlimit := func(arg ...string) string {
		t.Helper()
		o := execute(t, append([]string{"setpriv", "--reuid", fmt.Sprint(owner.Uid), "--regid", fmt.Sprint(owner.Gid),
			"--clear-groups",
			"prlimit", "--pid", strconv.Itoa(pid)}, arg...))
		if o.code != 0 {
			t.Fatal(o.stderr)
		}
		return strings.TrimSpace(o.stdout)
	}
	was := prlimit("--"+resource, "--raw", "--noheadings", "-o", "SOFT")
	prlimit(fmt.Sprintf("--%s=%d:", resource, limit))
	return func() { prlimit(fmt.Sprintf("--%s=%s:", resource, was)) }
}

// Each of these JVMs has its own user, so that no other test's threads count.
func noUserThreadNoSpace(t *testing.T, jdk jvmtest.JDK) {
	user := strconv.Itoa(61000 + jdk.Version)
	j, c := inside(t, jdk, `exec unshare -m sh -ec 'eval "$BARE"; `+ownTemp+
		`exec setpriv --reuid `+user+` --regid `+user+` --clear-groups $JAVA "$@"' java "$@"`, false)
	l := limited{j, c}
	restore := setLimit(t, l.pid, "nproc", threadCount(t, l.pid))
	l.refuses(t, "RLIMIT_NPROC", false)
	restore()
	temp := fmt.Sprintf("/proc/%d/root/tmp", l.pid)
	for _, fill := range []func(*testing.T, string) func(){noInodes, noBlocks} {
		empty := fill(t, temp)
		l.refuses(t, "/tmp", false)
		empty()
	}
	l.asked(t)
	defer setLimit(t, l.pid, "nproc", threadCount(t, l.pid))()
	l.asked(t)
	for _, fill := range []func(*testing.T, string) func(){noInodes, noBlocks} {
		empty := fill(t, temp)
		l.asked(t)
		empty()
	}
}

func threadCount(t *testing.T, pid int) int {
	t.Helper()
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		t.Fatal(err)
	}
	return len(tasks)
}

// noInodes takes all inodes of a small file system.
func noInodes(t *testing.T, dir string) (empty func()) {
	t.Helper()
	remount(t, dir, "size=1m,nr_inodes=64")
	var made []string
	for {
		path := filepath.Join(dir, fmt.Sprint("inode-", len(made)))
		f, err := os.Create(path)
		if err != nil {
			break
		}
		_ = f.Close()
		made = append(made, path)
	}
	return func() {
		for _, path := range made {
			_ = os.Remove(path)
		}
	}
}

// noBlocks takes all of its blocks.
func noBlocks(t *testing.T, dir string) (empty func()) {
	t.Helper()
	remount(t, dir, "size=1m,nr_inodes=64")
	path := filepath.Join(dir, "blocks")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for page := make([]byte, 4096); err == nil; {
		_, err = f.Write(page)
	}
	return func() { _ = os.Remove(path) }
}

func remount(t *testing.T, dir, options string) {
	t.Helper()
	pid := strings.Split(dir, "/")[2]
	o := execute(t, []string{"nsenter", "-t", pid, "-m", "mount", "-o", "remount," + options, "/tmp"})
	if o.code != 0 {
		t.Fatalf("remount: %s", o.stderr)
	}
}

// jstall runs in the JVM's own control group, as by kubectl exec.
func littleMemory(t *testing.T, jdk jvmtest.JDK) {
	readFiles(t, jdk.Home, jvmtest.Binary(t))
	_, group := newGroup(t, "memory", "memory.stat")
	procs := filepath.Join(group, "cgroup.procs")
	wrapped := jvmtest.Wrapped(t, jdk, `echo $$ > `+procs+`; exec $JAVA "$@"`)
	j := jvmtest.Start(t, wrapped, jvmtest.Options{Class: "Idle", Args: []string{"1500"},
		JVMArgs: []string{"-Xss256k", "-Xmx64m", "-XX:+UseSerialGC"}})
	l := limited{j, client{pid: j.PID(), before: []string{"sh", "-c", "echo $$ > " + procs + `; exec "$@"`, "sh"}}}
	// the kernel's entries of 1,500 threads in /proc take 5 MB, which count for the group of the first reader
	if o := l.run(t, "threads", "--via", "memory"); o.code != 0 {
		t.Fatalf("without a limit: exit %d: %s", o.code, o.stderr)
	}
	raise := limitMemory(t, group, 12<<20)
	l.refuses(t, filepath.Join(group, "memory."), false)
	raise()
	l.asked(t)
	raise = limitMemory(t, group, 12<<20)
	l.refuses(t, filepath.Join(group, "memory."), true)
	if o := l.run(t, "threads", "--attach-anyway", "--via", "attach"); o.code != exitNoDump {
		t.Errorf("--attach-anyway: exit %d: %s", o.code, o.stderr)
	}
	l.untouched(t, true)
	raise()
	l.asked(t)
}

// readFiles reads all files below some paths. Pages that are in the page cache already are not counted to the control
// group that reads them next, so the memory of a trial does not depend on what ran before.
func readFiles(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		path, err := filepath.EvalSymlinks(path)
		if err != nil {
			t.Fatal(err)
		}
		err = filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer func() { _ = f.Close() }()
			_, err = io.Copy(io.Discard, f)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// settled is by how many bytes a JVM may grow between two checks if it does nothing more.
const settled = 64 << 10

// limitMemory leaves a control group a number of bytes above what cannot be reclaimed.
func limitMemory(t *testing.T, group string, free int64) (raise func()) {
	t.Helper()
	limit, usage, prefix, none := "memory.max", "memory.current", "", "max"
	if exists(filepath.Join(group, "memory.limit_in_bytes")) {
		limit, usage, prefix, none = "memory.limit_in_bytes", "memory.usage_in_bytes", "total_", "-1"
	}
	used := int64(0)
	await(t, "JVM that takes no more memory", func() bool {
		time.Sleep(300 * time.Millisecond)
		before := used
		used = readNumber(t, filepath.Join(group, usage))
		return used-before < settled
	})
	stat, _ := os.ReadFile(filepath.Join(group, "memory.stat"))
	for line := range strings.Lines(string(stat)) {
		words := strings.Fields(line)
		if len(words) == 2 && (words[0] == prefix+"inactive_file" || words[0] == prefix+"active_file") {
			n, _ := strconv.ParseInt(words[1], 10, 64)
			used -= n
		}
	}
	path := filepath.Join(group, limit)
	await(t, "limit of memory", func() bool { return os.WriteFile(path, fmt.Append(nil, used+free), 0) == nil })
	return func() { write(t, path, none) }
}
