package watch

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestLimits(t *testing.T) {
	now := time.Unix(10_000, 0)
	l := Limits{Files: 3, FreeBytes: 100 << 20, MinInterval: 5 * time.Minute}
	for name, c := range map[string]struct {
		last  time.Time
		there room
		why   string
	}{
		"the first":          {time.Time{}, room{0, 1 << 40}, ""},
		"long ago":           {now.Add(-6 * time.Minute), room{2, -1}, ""},
		"a moment ago":       {now.Add(-time.Minute), room{0, 1 << 40}, "rate limit"},
		"many files":         {time.Time{}, room{3, 1 << 40}, "file limit"},
		"a disk nearly full": {time.Time{}, room{0, 99 << 20}, "disk limit"},
	} {
		if got := l.refuse(now, c.last, c.there); (got == "") != (c.why == "") || !strings.HasPrefix(got, c.why) {
			t.Errorf("%s: %q, want %q", name, got, c.why)
		}
	}
}

func TestNamesOfFilesAreSafe(t *testing.T) {
	for name, want := range map[string]string{
		"com.acme.Main": "com.acme.Main", "../../etc/passwd": "etc-passwd", "-rf": "rf", "": "jvm", "$(id)": "id",
		"a\x1b[31m\nb": "a--31m-b", "Ünï": "n", strings.Repeat("x", 200): strings.Repeat("x", longestName),
		"...": "jvm",
	} {
		if got := safeName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	dir := folder(t.TempDir())
	seen := map[string]bool{}
	for range 3 {
		path, err := dir.fresh("A", 7, time.Unix(0, 0), "cpu>90%")
		if err != nil || seen[path] {
			t.Fatal(path, err)
		}
		seen[path] = true
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if there := dir.room(); there.files != 3 {
		t.Errorf("%+v", there)
	}
	_ = os.WriteFile(filepath.Join(string(dir), "other.zip"), nil, 0o600)
	if there := dir.room(); there.files != 3 {
		t.Errorf("a file of another counts: %+v", there)
	}
}

// A budget holds its share over a time, and no expensive reading makes the next one wait for long.
func TestABudgetHoldsItsShare(t *testing.T) {
	var cpu time.Duration
	now := time.Unix(0, 0)
	b := &Budget{Share: 0.01, CPU: func() time.Duration { return cpu }}
	var longest time.Duration
	last := now
	for n, end := 0, now.Add(time.Hour); now.Before(end); {
		if wait := b.Wait(now); wait > 0 {
			now = now.Add(wait)
			continue
		}
		longest, last = max(longest, now.Sub(last)), now
		if n++; n%20 == 0 {
			cpu += 40 * time.Millisecond
		}
		cpu, now = cpu+7*time.Millisecond, now.Add(10*time.Millisecond)
	}
	if share := cpu.Seconds() / 3600; share < 0.0095 || share > 0.0102 {
		t.Errorf("%.4f of a core was used, want 0.01", share)
	}
	if longest > 3*time.Second {
		t.Errorf("no reading for %v", longest)
	}
	began, before := now, cpu
	for end := now.Add(time.Hour); now.Before(end); { // a JVM that has become large
		if wait := b.Wait(now); wait > 0 {
			now = now.Add(wait)
			continue
		}
		cpu, now = cpu+400*time.Millisecond, now.Add(time.Second)
	}
	if share := float64(cpu-before) / float64(now.Sub(began)); share > 0.0103 {
		t.Errorf("%.4f of a core was used for a large JVM", share)
	}
	b.Free(func() { cpu += time.Hour })
	if b.Wait(time.Now()) > time.Minute {
		t.Error("what was free must be paid for")
	}
}

func TestHurriedReadingsAreFew(t *testing.T) {
	var h hurry
	n := 0
	for at := time.Unix(0, 0); at.Before(time.Unix(60, 0)); at = at.Add(100 * time.Millisecond) {
		if h.take(at) {
			n++
		}
	}
	if n < 5*hurries || n > 7*hurries {
		t.Errorf("%d in a minute", n)
	}
}

func TestTheCommandGetsTheFileAndTheLine(t *testing.T) {
	dir := t.TempDir()
	var complaints []string
	var output bytes.Buffer
	h := &Hook{Limit: 10 * time.Second, Output: &output,
		Complain: func(m string) { complaints = append(complaints, m) },
		Command:  `echo "$# $1 ${JSTALL_FILE#"$1"}"; test -e "$JSTALL_FILE" && test -e "$1"; s=$?; cat; (exit $s)`}
	file := filepath.Join(dir, "it's $(a) file.zip")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h.Start()
	h.Add(run{file: file, line: []byte(`{"a":1}`)})
	h.Add(run{line: []byte(`{"b":2}`)})
	h.Stop(time.Minute)
	if got, want := output.String(), "1 "+file+" \n{\"a\":1}\n0  \n{\"b\":2}\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if len(complaints) != 1 || !strings.Contains(complaints[0], "exit status 1") {
		t.Errorf("%q, want one of the second run", complaints)
	}
	output.Reset()
	h = &Hook{Limit: 10 * time.Second, Output: &output, Complain: h.Complain, Command: "yes | head -c 200000"}
	h.Start()
	h.Add(run{})
	h.Stop(time.Minute)
	if n := len(complaints); n != 2 || !strings.Contains(complaints[1], "more than 64 kB") ||
		output.Len() != mostPrinted {
		t.Errorf("%d bytes, %q", output.Len(), complaints)
	}
	late := &Hook{Limit: 100 * time.Millisecond, Output: &output, Command: "sleep 100",
		Complain: func(m string) { complaints = append(complaints, m) }}
	late.Start()
	late.Add(run{})
	late.Stop(time.Minute)
	if n := len(complaints); n != 3 || !strings.Contains(complaints[2], "--exec-timeout") {
		t.Errorf("%q, want one of the time limit", complaints)
	}
	complaints = nil
	h = &Hook{Limit: 300 * time.Millisecond, Output: &output, Command: "echo x >>" + dir + "/runs; sleep 100",
		Complain: late.Complain}
	h.Start()
	for range 5 {
		h.Add(run{})
	}
	h.Stop(time.Minute) // in one limit, not in five
	if runs, _ := os.ReadFile(filepath.Join(dir, "runs")); len(runs) > 2*len("x\n") || len(complaints) < 2 ||
		!strings.Contains(complaints[len(complaints)-1], "the watch had to end") {
		t.Errorf("it ran for %q; %q", runs, complaints)
	}
	(*Hook)(nil).Add(run{})
	(*Hook)(nil).Stop(time.Minute)
}
