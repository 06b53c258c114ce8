package target

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/kernel"
)

// fixtureProc is a saved /proc of process 7 with these files.
func fixtureProc(t *testing.T, files map[string]string) *kernel.Reader {
	t.Helper()
	root := filepath.Join(t.TempDir(), "proc")
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return kernel.New(root)
}

// What this kernel cannot be made to lack: kernel.threads-max is the whole machine's.
func TestFixtureThreadsMax(t *testing.T) {
	for most, want := range map[string]attach.Result{"600": attach.NotOK, "603": attach.OK, "5000": attach.OK} {
		r := NewLimits(
			fixtureProc(t, map[string]string{"loadavg": "0 0 0 1/598 9\n", "sys/kernel/threads-max": most + "\n"}))
		c := r.Threads(7, 1)
		if c.Result != want || !strings.Contains(c.Detail, "kernel.threads-max") {
			t.Errorf("threads-max %s: %+v, want %s", most, c, want)
		}
		if want == attach.NotOK &&
			(c.Code != attach.CodeThreads || !strings.Contains(c.Remedy, "sysctl -w kernel.threads-max=") ||
				c.Harm != attach.HarmCertain) {
			t.Errorf("%+v", c)
		}
	}
	if c := NewLimits(fixtureProc(t, nil)).Threads(7, 1); c.Result != attach.Unknown {
		t.Errorf("without limits: %+v", c)
	}
}

func TestMemoryOfAnAnswer(t *testing.T) {
	bound := func(free int64, theirs, ours, slows bool) []kernel.MemoryBound {
		return []kernel.MemoryBound{
			{
				Bound:  kernel.Bound{File: "/sys/fs/cgroup/app/memory.max", Limit: 1 << 30, Used: 1<<30 - free},
				Theirs: theirs, Ours: ours, Slows: slows,
			},
		}
	}
	for name, test := range map[string]struct {
		bounds  []kernel.MemoryBound
		threads int64
		result  attach.Result
		harm    attach.Harm
	}{
		"much":                         {bound(500<<20, true, true, false), 1500, attach.OK, ""},
		"12 MB for both":               {bound(12<<20, true, true, false), 1500, attach.NotOK, attach.HarmLikely},
		"12 MB for the JVM":            {bound(12<<20, true, false, false), 1500, attach.OK, ""},
		"1 MB for the JVM":             {bound(1<<20, true, false, false), 1500, attach.NotOK, attach.HarmCertain},
		"1 MB before it is slowed":     {bound(1<<20, true, false, true), 1500, attach.NotOK, attach.HarmLikely},
		"12 MB, few threads":           {bound(12<<20, true, true, false), 20, attach.OK, ""},
		"our own group alone is short": {bound(4<<20, false, true, false), 20, attach.NotOK, attach.HarmLikely},
		"unknown":                      {nil, 20, attach.Unknown, ""},
	} {
		c := checkMemory(test.bounds, test.threads)
		if c.Result != test.result || c.Harm != test.harm {
			t.Errorf("%s: %+v, want %s, harm %q", name, c, test.result, test.harm)
		}
		if c.Result == attach.NotOK &&
			(c.Code != attach.CodeMemory || !strings.Contains(c.Detail, "memory.max") || c.Remedy == "") {
			t.Errorf("%s: %+v", name, c)
		}
	}
}
