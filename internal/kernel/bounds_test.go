package kernel

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// fixtureTree is a saved tree of /proc and /sys: process 7 in nested control groups of
// version 2, in which we are too, but one level further out.
func fixtureTree(t *testing.T, more map[string]string) *Reader {
	t.Helper()
	root := t.TempDir()
	files := map[string]string{
		"proc/self/mountinfo": "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
		"proc/self/cgroup":    "0::/pods\n",
		"proc/7/cgroup":       "0::/pods/app/jvm\n",
		"proc/7/status":       "Name:\tjava\nState:\tS (sleeping)\nUid:\t1000\t1000\t1000\t1000\nThreads:\t60\n",
		"proc/7/limits": "Limit                     Soft Limit           Hard Limit           Units\n" +
			"Max processes             100                  100                  processes\n" +
			"Max open files            unlimited            unlimited            files\n",
		"proc/7/uid_map": "         0          0 4294967295\n",
		"proc/8/status":  "Name:\tworker\nState:\tS (sleeping)\nUid:\t1000\t1000\t1000\t1000\nThreads:\t38\n",
		"proc/9/status":  "Name:\tother\nState:\tS (sleeping)\nUid:\t1001\t1001\t1001\t1001\nThreads:\t500\n",
		"proc/loadavg":   "0.1 0.1 0.1 1/598 99\n",
		"proc/meminfo":   "MemTotal: 1000 kB\nMemAvailable: 400 kB\nSwapFree: 0 kB\n",

		"sys/fs/cgroup/pods/app/jvm/pids.max":       "max\n",
		"sys/fs/cgroup/pods/app/jvm/pids.current":   "60\n",
		"sys/fs/cgroup/pods/app/pids.max":           "64\n",
		"sys/fs/cgroup/pods/app/pids.current":       "62\n",
		"sys/fs/cgroup/pods/pids.max":               "1000\n",
		"sys/fs/cgroup/pods/pids.current":           "90\n",
		"sys/fs/cgroup/pods/app/jvm/memory.max":     "10000000\n",
		"sys/fs/cgroup/pods/app/jvm/memory.high":    "9000000\n",
		"sys/fs/cgroup/pods/app/jvm/memory.current": "8000000\n",
		"sys/fs/cgroup/pods/app/jvm/memory.stat": "anon 1\ninactive_file 500000\nactive_file 100000\n" +
			"slab_reclaimable 400000\n",
		"sys/fs/cgroup/pods/memory.max":     "50000000\n",
		"sys/fs/cgroup/pods/memory.current": "30000000\n",
	}
	for name, text := range more {
		files[name] = text
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return New(filepath.Join(root, "proc"))
}

func TestFixtureGroupTasksOfAllAncestors(t *testing.T) {
	want := []Bound{
		{File: "/sys/fs/cgroup/pods/app/pids.max", Used: 62, Limit: 64},
		{File: "/sys/fs/cgroup/pods/pids.max", Used: 90, Limit: 1000},
	}
	if got := fixtureTree(t, nil).GroupTasks(7); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestFixtureMachineTasks(t *testing.T) {
	got := fixtureTree(t,
		map[string]string{"proc/sys/kernel/threads-max": "600\n",
			"proc/sys/kernel/pid_max": "4194304\n"}).MachineTasks()
	want := []Bound{
		{File: "kernel.threads-max", Used: 598, Limit: 600},
		{File: "kernel.pid_max", Used: 598, Limit: 4194304, Reserved: 300},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	// another namespace's processes have no id in ours
	got = fixtureTree(t, map[string]string{"proc/loadavg": "0 0 0 1/32400 9\n",
		"proc/sys/kernel/pid_max": "32768\n"}).MachineTasks()
	if len(got) != 1 || got[0].Used != 598 || got[0].Free() != 32768-300-598 {
		t.Errorf("%+v", got)
	}
}

// The figures of a user are those of its real uid; root and holders of two capabilities
// are excused in the initial user namespace only.
func TestFixtureUserTasks(t *testing.T) {
	status := func(uid, caps string) map[string]string {
		return map[string]string{

			"proc/7/status": "Name:\tjava\nState:\tS\nUid:\t" + uid + "\t1000\t1000\t1000\nThreads:\t60\n" +
				"CapEff:\t" + caps + "\n",
		}
	}
	none, sysAdmin, sysResource := "0000000000000000", "0000000000200000", "0000000001000000"
	inner := map[string]string{"proc/7/uid_map": "0 100000 65536\n"}
	for name, test := range map[string]struct {
		files []map[string]string
		used  int64 // 0: not bound
	}{
		"user":                          {nil, 98},
		"root":                          {[]map[string]string{status("0", none)}, 0},
		"CAP_SYS_ADMIN":                 {[]map[string]string{status("1000", sysAdmin)}, 0},
		"CAP_SYS_RESOURCE":              {[]map[string]string{status("1000", sysResource)}, 0},
		"capable in its namespace only": {[]map[string]string{status("1000", sysAdmin), inner}, 98},
		"no limit": {[]map[string]string{{"proc/7/limits": "Max processes unlimited " +
			"unlimited processes\n"}}, 0},
	} {
		files := map[string]string{}
		for _, more := range test.files {
			for name, text := range more {
				files[name] = text
			}
		}
		b, bound := fixtureTree(t, files).UserTasks(7)
		if bound != (test.used > 0) || b.Used != test.used {
			t.Errorf("%s: %+v %v, want %d in use", name, b, bound, test.used)
		}
	}
}

func TestFixtureMemoryBounds(t *testing.T) {
	got := fixtureTree(t, nil).MemoryBounds(7)
	want := []MemoryBound{
		{Bound: Bound{File: "/sys/fs/cgroup/pods/app/jvm/memory.max", Used: 7000000, Limit: 10000000}, Theirs: true},
		{
			Bound:  Bound{File: "/sys/fs/cgroup/pods/app/jvm/memory.high", Used: 7000000, Limit: 9000000},
			Theirs: true, Slows: true,
		},
		{
			Bound: Bound{File: "/sys/fs/cgroup/pods/memory.max", Used: 30000000, Limit: 50000000}, Theirs: true,
			Ours: true,
		},
		{Bound: Bound{File: "MemAvailable", Used: 600 << 10, Limit: 1000 << 10}, Theirs: true, Ours: true},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if room := got[0].Room(); room != 3000000 {
		t.Errorf("room %d", room)
	}
}
