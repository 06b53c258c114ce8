package kernel

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// machineTree makes a /proc and, next to it, what is mounted elsewhere.
func machineTree(t *testing.T, files map[string]string) *Reader {
	t.Helper()
	all := map[string]string{}
	for name, text := range files {
		all[name] = text
	}
	root := tree(t, all).Root
	return New(filepath.Join(root, "proc"))
}

const (
	mountsV2 = "30 1 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
	mountsV1 = "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n" +
		"35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" +
		"37 31 0:34 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n" +
		"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
)

func TestCgroupV2TakesTheTightestLevel(t *testing.T) {
	r := machineTree(t, map[string]string{
		"proc/self/mountinfo": mountsV2, "proc/7/cgroup": "0::/pod/app\n",
		"sys/fs/cgroup/pod/app/cpu.max":  "200000 100000\n",
		"sys/fs/cgroup/pod/app/cpu.stat": "usage_usec 5\nnr_periods 9\nnr_throttled 1\nthrottled_usec 1\n",
		"sys/fs/cgroup/pod/app/cpu.pressure": "some avg10=1.00 avg60=0.00 avg300=0.00 total=2500000\n" +
			"full avg10=0.00 avg60=0.00 avg300=0.00 total=1000\n",
		"sys/fs/cgroup/pod/app/memory.max":     "max\n",
		"sys/fs/cgroup/pod/app/memory.current": "4096\n",
		"sys/fs/cgroup/pod/app/pids.max":       "100\n",
		"sys/fs/cgroup/pod/app/pids.current":   "40\n",
		"sys/fs/cgroup/pod/cpu.max":            "50000 100000\n",
		"sys/fs/cgroup/pod/cpu.stat": "usage_usec 5\nnr_periods 90\nnr_throttled 60\n" +
			"throttled_usec 3000000\n",
		"sys/fs/cgroup/pod/memory.max":     "1000\n",
		"sys/fs/cgroup/pod/memory.current": "950\n",
		"sys/fs/cgroup/pod/memory.events":  "low 0\nhigh 0\nmax 12\noom 1\noom_kill 2\n",
		"sys/fs/cgroup/pod/memory.stat": "anon 500\nfile 400\ninactive_file 300\nactive_file 100\n" +
			"slab_reclaimable 50\n",
	})
	c := r.Surroundings(7).Cgroup()
	want := Cgroup{
		Quota: Known(0.5), Throttled: Known(3 * time.Second), Periods: Known(int64(90)),
		ThrottledPeriods: Known(int64(60)),
		Memory:           Usage{Known(int64(500)), Known(int64(1000))}, MemoryDenied: Known(int64(12)),
		OOMKills: Known(int64(2)),
		Tasks:    Usage{Known(int64(40)), Known(int64(100))},
		Pressure: Pressures{CPU: Pressure{Known(2500 * time.Millisecond), Known(time.Millisecond)}},
	}
	if c != want {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
}

func TestCgroupV1FindsEachControllersOwnTree(t *testing.T) {
	r := machineTree(t, map[string]string{
		"proc/self/mountinfo": mountsV1,
		"proc/7/cgroup":       "4:memory:/docker/abc/deep\n3:pids:/\n2:cpu,cpuacct:/docker/abc\n0::/\n",
		"sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us":  "150000\n",
		"sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us": "100000\n",
		"sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.stat": "nr_periods 10\nnr_throttled 4\n" +
			"throttled_time 70000000\n",
		"sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us": "-1\n",
		"sys/fs/cgroup/memory/deep/memory.limit_in_bytes":   "9223372036854771712\n",
		"sys/fs/cgroup/memory/memory.limit_in_bytes":        "2000\n",
		"sys/fs/cgroup/memory/memory.usage_in_bytes":        "1990\n",
		"sys/fs/cgroup/memory/memory.failcnt":               "3\n",
		"sys/fs/cgroup/memory/memory.stat": "inactive_file 1\ntotal_inactive_file 90\n" +
			"total_active_file 900\n",
	})
	c := r.Surroundings(7).Cgroup()
	want := Cgroup{
		Quota: Known(1.5), Throttled: Known(70 * time.Millisecond), Periods: Known(int64(10)),
		ThrottledPeriods: Known(int64(4)),
		Memory:           Usage{Known(int64(1000)), Known(int64(2000))}, MemoryDenied: Known(int64(3)),
	}
	if c != want {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
}

func TestAGroupOutsideOfOurViewIsUnknown(t *testing.T) {
	for _, path := range []string{"/../other", "/elsewhere", ""} {
		r := machineTree(t, map[string]string{
			"proc/self/mountinfo":   "30 1 0:26 /here /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
			"proc/7/cgroup":         "0::" + path + "\n",
			"sys/fs/cgroup/cpu.max": "50000 100000\n", "sys/fs/cgroup/cpu.stat": "nr_periods 1\n",
		})
		if c := r.Surroundings(7).Cgroup(); c != (Cgroup{}) {
			t.Errorf("%q: %+v", path, c)
		}
	}
}

func TestMachineSumsTheCPUsThatTheProcessMayUse(t *testing.T) {
	r := machineTree(t, map[string]string{
		"proc/stat": "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 100 1 20 5000 7 3 4 50 0 0\n" +
			"cpu1 900 0 0 0 0 0 0 0 0 0\ncpu2 10 0 0 0 0 0 0 1 0 0\nintr 5\n",
		"proc/7/status": "Name:\tjava\nState:\tS (sleeping)\nCpus_allowed_list:\t0,2-3\n" +
			"Mems_allowed_list:\t0\n",
		"proc/7/limits": "Limit                     Soft Limit           Hard Limit           Units " +
			"    \nMax open files            256                  4096                 files     \n",
		"proc/7/fd/0":                 "",
		"proc/7/fd/1":                 "",
		"proc/loadavg":                "0.10 0.20 0.30 3/700 99\n",
		"proc/sys/kernel/pid_max":     "32768\n",
		"proc/sys/kernel/threads-max": "9000\n",
		"proc/pressure/io":            "some avg10=0.00 avg60=0.00 avg300=0.00 total=7\n",
		"proc/9/stat":                 "9 (burn) " + statTail + "\n",
		"proc/7/stat":                 "7 (java) " + statTail + "\n",
	})
	m := r.Surroundings(7).Machine()
	if m.CPUs != Known(3) || m.Allowed != Known(3) || m.Busy != Known(1380*time.Millisecond) ||
		m.Stolen != Known(510*time.Millisecond) {
		t.Errorf("CPUs: %+v", m)
	}
	if busy, cpus := r.Busy(7); busy != Known(m.Busy.Value+m.Stolen.Value) || cpus != 3 {
		t.Errorf("%v on %d CPUs", busy, cpus)
	}
	if m.OpenFiles != (Usage{Known(int64(2)), Known(int64(256))}) ||
		m.Tasks != (Usage{Known(int64(700)), Known(int64(9000))}) {
		t.Errorf("limits: %+v", m)
	}
	if want := (Pressure{Some: Known(7 * time.Microsecond)}); m.Pressure.IO != want || m.Pressure.CPU != (Pressure{}) {
		t.Errorf("pressure: %+v", m.Pressure)
	}
	if want := (OtherProcess{"burn", 98765, 1680 * time.Millisecond}); len(m.Others) != 1 || m.Others[9] != want {
		t.Errorf("others: %+v", m.Others)
	}
}

// A child of 7 and one of that, each with 1.68 s of itself and 0.08 s of children
// that have ended; 12's parent is another one.
func TestChildrenAreThoseOfTheProcess(t *testing.T) {
	stat := func(pid, parent int) string {
		return fmt.Sprintf("%d (sh) S %d 77 77 0 -1 4194304 915 0 0 0 123 45 5 3 20 0 33 0 98765 1048576 17 1\n", pid,
			parent)
	}
	r := machineTree(t, map[string]string{
		"proc/7/status": "Name:\tjava\nPid:\t7\n",
		"proc/9/wchan":  "do_wait", "proc/10/wchan": "hrtimer_nanosleep", "proc/11/wchan": "hrtimer_nanosleep",
		"proc/9/stat": stat(9, 7), "proc/10/stat": stat(10, 9), "proc/11/stat": stat(11, 1),
		"proc/12/stat": stat(12, 11),
	})
	if c := r.Surroundings(7).Machine().Children; c != (Children{Count: 2, CPU: 3520 * time.Millisecond,
		Started: 98765, Pausing: 1, Waiting: 1, Only: "sh (pid 9)"}) {
		t.Errorf("%+v", c)
	}
}

// Children that wait at a pipe of which process 7 has the other end, and one that waits
// at a pipe of others.
func TestChildrenThatWaitForTheirParent(t *testing.T) {
	read, write := fmt.Sprint(fileCalls()[0]), fmt.Sprint(fileCalls()[1])
	child := func(pid int) string {
		return fmt.Sprintf("%d (sh) S 7 77 77 0 -1 4194304 915 0 0 0 123 45 5 3 20 0 33 0 98765 1048576 17 1\n", pid)
	}
	r := machineTree(t, map[string]string{
		"proc/7/status":   "Name:\tjava\nPid:\t7\n",
		"proc/7/fdinfo/4": "pos:\t0\nflags:\t0100001\n", "proc/7/fdinfo/5": "pos:\t0\nflags:\t0100000\n",
		"proc/8/stat": child(8), "proc/8/wchan": "anon_pipe_read", "proc/8/syscall": read + " 0x0 0x7f 0x1\n",
		"proc/8/schedstat": "123 45 17\n",
		"proc/9/stat":      child(9), "proc/9/wchan": "pipe_write", "proc/9/syscall": write + " 0x1 0x7f 0x1\n",
		"proc/9/schedstat": "123 45 4\n",
		"proc/10/stat":     child(10), "proc/10/wchan": "pipe_read", "proc/10/syscall": read + " 0x0 0x7f 0x1\n",
		"proc/10/schedstat": "123 45 1000\n",
		"proc/11/stat":      child(11), "proc/11/wchan": "pipe_write", "proc/11/syscall": write + " 0x1 0x7f 0x1\n",
		"proc/11/schedstat": "123 45 1000\n",
		"proc/9/fdinfo/0":   "pos:\t0\nflags:\t0100000\n",
	})
	for name, pipe := range map[string]string{"7/fd/4": "pipe:[40]", "7/fd/5": "pipe:[50]", "8/fd/0": "pipe:[40]",
		"9/fd/0": "pipe:[60]", "9/fd/1": "pipe:[50]", "10/fd/0": "pipe:[50]", "11/fd/1": "pipe:[60]"} {
		path := filepath.Join(r.Root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(pipe, path); err != nil {
			t.Fatal(err)
		}
	}
	if c := r.Surroundings(7).Machine().Children; c.Count != 4 || c.Reading != 1 || c.Writing != 1 || c.Waiting != 1 ||
		c.Turns != 21 {
		t.Errorf("%+v", c)
	}
}

func TestNothingIsKnownOfNothing(t *testing.T) {
	f := New(t.TempDir()).Surroundings(7)
	if c := f.Cgroup(); c != (Cgroup{}) {
		t.Errorf("%+v", c)
	}
	if m := f.Machine(); m.CPUs.Known || m.OpenFiles.Used.Known || m.Tasks.Limit.Known || len(m.Others) > 0 {
		t.Errorf("%+v", m)
	}
}

func TestSurroundingsOfOurselves(t *testing.T) {
	r := live(t)
	f, err := os.Open("/dev/null")
	if err != nil {
		t.Fatal(err)
	}
	before, err := r.OpenFiles(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if after, err := r.OpenFiles(os.Getpid()); err != nil || after != before-1 {
		t.Errorf("%d descriptors, %v; want one less than %d", after, err, before)
	}
	m := r.Surroundings(os.Getpid()).Machine()
	if !m.CPUs.Known || !m.Busy.Known || !m.OpenFiles.Limit.Known || !m.Tasks.Used.Known {
		t.Errorf("%+v", m)
	}
}

func FuzzSurroundings(f *testing.F) {
	f.Add("cgroup/0/cpu.max", "50000 100000")
	f.Add("process/status", "x\nCpus_allowed_list:\t0-99999999\n")
	f.Add("stat", "cpu0 9223372036854775807 1 1 1 1 1 1 1 1")
	f.Fuzz(func(t *testing.T, name, text string) {
		files := Files{name: []byte(text)}
		if q := files.Cgroup().Quota; q.Known && !(q.Value > 0) {
			t.Errorf("quota %v", q.Value)
		}
		files.Machine()
	})
}
