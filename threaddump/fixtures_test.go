package threaddump

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
)

// eachTextFixture runs a test on every fixture in HotSpot's text form.
func eachTextFixture(t *testing.T, test func(t *testing.T, file string, b []byte)) {
	n := 0
	for _, file := range fixtures(t) {
		if !strings.Contains(file, "threaddump") && !strings.Contains(file, "sigquit") {
			continue
		}
		n++
		t.Run(strings.TrimPrefix(file, "../testdata/dumps/"), func(t *testing.T) { test(t, file, read(t, file)) })
	}
	if n < 100 {
		t.Errorf("only %d fixtures", n)
	}
}

// javaThreadsIn counts the Java threads without the parser: by the JVM's own
// list or, as JDK 8 has none, by what each real thread has and no forged one.
func javaThreadsIn(t *testing.T, b []byte) int {
	if m := regexp.MustCompile(`(?m)^_java_thread_list=0x[0-9a-f]+, length=(\d+),`).FindSubmatch(b); m != nil {
		n, _ := parseInt(m[1])
		return int(n)
	}
	if n := bytes.Count(b, []byte("\n   Locked ownable synchronizers:\n")); n > 0 {
		return n
	}
	return len(regexp.MustCompile(`#\d+ (daemon )?prio=\d+ os_prio=\d+ tid=0x[0-9a-f]{16} nid=0x`).FindAll(b, -1))
}

func TestEveryThreadOfEveryFixtureIsParsed(t *testing.T) {
	eachTextFixture(t, func(t *testing.T, file string, b []byte) {
		d := one(t, b)
		java, vm := 0, 0
		for _, th := range d.Threads {
			if th.ID > 0 {
				java++
			} else {
				vm++
			}
		}
		want := javaThreadsIn(t, b)
		if strings.Contains(file, "jdk8/oddnl") && strings.Contains(file, "-l-e") {
			want = javaThreadsIn(t, read(t, strings.Replace(file, "-l-e", "-l", 1)))
		}
		if java != want {
			t.Errorf("%d Java threads, want %d", java, want)
		}
		vmWant := len(regexp.MustCompile(`(?m)^("[^"]*" )?os_prio=.* nid=(0x)?[0-9a-f]+ [a-z ]+$`).FindAll(b, -1))
		if vm != vmWant {
			t.Errorf("%d threads without Java id, want %d", vm, vmWant)
		}
		if len(d.Problems) > 0 {
			t.Errorf("problems: %+v", d.Problems)
		}
	})
}

func TestEveryFrameAndLockOfEveryFixtureIsParsed(t *testing.T) {
	eachTextFixture(t, func(t *testing.T, file string, b []byte) {
		if strings.Contains(file, "oddnl") {
			return // a name there holds a frame
		}
		threads, _, _ := bytes.Cut(b, []byte("Found one Java-level deadlock:"))
		frames, locks := 0, 0
		for _, th := range one(t, b).Threads {
			frames += len(th.Stack) + len(th.MountedStack)
			locks += len(th.Locks) + len(th.MountedLocks)
			for _, l := range th.Locks {
				if l.Depth >= len(th.Stack) || l.Depth < 0 != (l.Op == OwnsSynchronizer) {
					t.Errorf("%s: lock of line %d at depth %d", th.Name, l.Line, l.Depth)
				}
			}
		}
		if want := bytes.Count(threads, []byte("\tat ")); frames != want {
			t.Errorf("%d frames, want %d", frames, want)
		}
		if want := bytes.Count(threads, []byte("\n\t- ")) - bytes.Count(threads, []byte("\n\t- None")); locks != want {
			t.Errorf("%d locks, want %d", locks, want)
		}
	})
}

func TestLineNumbersPointAtTheLine(t *testing.T) {
	eachTextFixture(t, func(t *testing.T, file string, b []byte) {
		lines := strings.Split(string(b), "\n")
		d := one(t, b)
		for _, th := range d.Threads {
			if line := lines[th.Line-1]; !strings.HasPrefix(line, `"`) &&
				(th.Name != "" || !strings.HasPrefix(line, "os_prio=")) {
				t.Errorf("thread %q at line %d: %q", th.Name, th.Line, line)
			}
			for _, l := range th.Locks {
				if line := lines[l.Line-1]; !strings.HasPrefix(line, "\t- ") {
					t.Errorf("lock at line %d: %q", l.Line, line)
				}
			}
		}
		for _, dl := range d.Deadlocks {
			if line := lines[dl.Line-1]; line != deadlockText {
				t.Errorf("deadlock at line %d: %q", dl.Line, line)
			}
			for _, m := range dl.Members {
				name, _, _ := strings.Cut(`"`+m.Thread+`":`, "\n")
				if line := lines[m.Line-1]; line != name {
					t.Errorf("member %q at line %d: %q", m.Thread, m.Line, line)
				}
			}
		}
	})
}

func TestOtherOutputsAreNoDumps(t *testing.T) {
	for _, file := range fixtures(t) {
		if isDumpFile(file) {
			continue
		}
		if dumps, err := Parse(read(t, file)); len(dumps) != 0 || !errors.Is(err, ErrNoDump) {
			t.Errorf("%s: %d dumps, error %v", file, len(dumps), err)
		}
	}
}

// checkFrames holds that frames have a class and a method, and the class no module.
func checkFrames(t *testing.T, file string, th *Thread) {
	t.Helper()
	for _, f := range th.Stack {
		if f.Class == "" || f.Method == "" || strings.Contains(f.Class, "/java") {
			t.Errorf("%s: %+v", file, *f)
		}
	}
}

// TestFileDumpsAgree compares the two forms of Thread.dump_to_file: what they
// both tell, taken a moment apart, is the same threads.
func TestFileDumpsAgree(t *testing.T) {
	for _, file := range fixtures(t) {
		if !strings.HasSuffix(file, "dump_to_file.json") {
			continue
		}
		j := one(t, read(t, file))
		p := one(t, read(t, strings.TrimSuffix(file, "json")+"txt"))
		if j.Version == "" || j.Version != p.Version || j.Time.IsZero() || p.Time.IsZero() {
			t.Errorf("%s: versions %q and %q", file, j.Version, p.Version)
		}
		plain := map[int64]*Thread{}
		for _, th := range p.Threads {
			plain[th.ID] = th
		}
		for _, th := range j.Threads {
			other := plain[th.ID]
			if other == nil || other.Name != th.Name {
				t.Errorf("%s: #%d %q: plain has %+v", file, th.ID, th.Name, other)
			}
			checkFrames(t, file, th)
		}
		if len(j.Threads) != len(p.Threads) && len(j.Threads) != len(p.Threads)+1 {
			t.Errorf("%s: %d and %d threads", file, len(j.Threads), len(p.Threads))
		}
	}
}
