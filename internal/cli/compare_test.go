package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

func comparisonOf(t *testing.T, args ...string) analysis.Comparison {
	t.Helper()
	got := run(t, "", append([]string{"compare", "--json"}, args...)...)
	validate(t, schemaOf(t), got.stdout)
	var c analysis.Comparison
	if err := json.Unmarshal([]byte(got.stdout), &c); err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, got.stdout, got.stderr)
	}
	return c
}

func TestCompareDumps(t *testing.T) {
	idle, stuck := filepath.Join(dumps, "jdk17/idle-threaddump-l-e.txt"),
		filepath.Join(dumps, "jdk21/mondl-threaddump-l-e.txt")
	c := comparisonOf(t, idle, stuck)
	if len(c.Appeared) != 2 || c.Appeared[0].Kind != finding.KindDeadlock || len(c.Gone) != 0 || len(c.Stacks) == 0 ||
		len(c.Locks) == 0 {
		t.Errorf("from idle to deadlocked: %+v", c)
	}
	back := comparisonOf(t, stuck, idle)
	if len(back.Gone) != len(c.Appeared) || len(back.Stacks) != len(c.Stacks) {
		t.Errorf("the other way round: %+v", back)
	}
	if same := comparisonOf(t, stuck, stuck); len(same.Appeared)+len(same.Gone)+len(same.Stacks)+len(same.Pools)+
		len(same.Locks)+len(same.CPU) > 0 {
		t.Errorf("with itself: %+v", same)
	}
	if text := run(t, "", "compare", idle, stuck); text.code != shell.ExitDeadlock ||
		!strings.HasPrefix(text.stdout, "Verdict changed from OK to DEADLOCKED\n") {
		t.Errorf("exit %d\n%s", text.code, text.stdout)
	}
}

// A recording of yesterday is compared with the JVM as it is now.
func TestCompareRecordingWithLive(t *testing.T) {
	jdk := jvmtest.Find(t, jvmtest.System)
	good, _ := launch(t, jdk, "ManyThreads", "20", "8")
	bad, _ := launch(t, jdk, "ManyThreads", "60", "8")
	file := filepath.Join(t.TempDir(), "good.zip")
	if got := run(t, "", "record", good, "-o", file, "--interval", "100ms"); got.code != shell.ExitDone {
		t.Fatal(got.stderr)
	}
	c := comparisonOf(t, file, bad, "--interval", "100ms")
	if len(c.Pools) == 0 || c.Pools[0].Bad-c.Pools[0].Good != 40 {
		t.Errorf("pools that grew: %+v", c.Pools)
	}
	if c.Good.HeapUsedBytes == nil || c.Bad.HeapUsedBytes == nil {
		t.Error("heap is unknown")
	}

	both := run(t, "", "record", good, bad, "-o", "-", "--interval", "100ms").stdout
	if got := run(t, both, "compare", "-f", "-", good, bad); got.code != shell.ExitDone ||
		!strings.Contains(got.stdout, "20   60  \"parked-*\"") {
		t.Errorf("two JVMs of a recording on standard input: exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

func TestStandardInputIsReadOnce(t *testing.T) {
	for _, args := range [][]string{{"status", "-", "-"}, {"compare", "-", "-"}, {"record", "summary", "-", "-"}} {
		got := run(t, "", args...)
		if got.code != shell.ExitUsage || got.stdout != "" || !strings.Contains(got.stderr,
			"standard input can be read only once") {
			t.Errorf("%v: exit %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
	}
}

func TestCompareWrongUse(t *testing.T) {
	one := filepath.Join(dumps, "jdk17/idle-threaddump-l-e.txt")
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{one}, shell.ExitUsage}, {[]string{one, one, one}, shell.ExitUsage},
		{[]string{one, "no-such-file.txt"}, shell.ExitNothing}, {[]string{one, "99999999"}, shell.ExitNothing},
	} {
		if got := run(t, "", append([]string{"compare"}, c.args...)...); got.code != c.code || got.stderr == "" {
			t.Errorf("%v: exit %d, want %d: %s", c.args, got.code, c.code, got.stderr)
		}
	}
}

// However much is different, it is said on one screen.
func TestCompareStaysOnOneScreen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"good", "bad"} {
		var dump bytes.Buffer
		dump.WriteString("Full thread dump OpenJDK 64-Bit Server VM (21.0.13+11-LTS mixed mode):\n\n")
		for i := range 2000 {
			pair := i/2*2 + 1 - i%2 // each two threads have what the other wants
			fmt.Fprintf(&dump, "\"%s%c%c-%d\" #%d [%d] prio=5 os_prio=0 cpu=0.10ms elapsed=4.00s tid=0x%016x nid=%d "+
				"waiting for monitor entry  [0x1]\n"+
				"   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat com.acme.%s.C%d.run(C.java:1)\n"+
				"\t- waiting to lock <0x%016x> (a com.acme.L%d)\n\t- locked <0x%016x> (a com.acme.L%d)\n\n",
				name, 'a'+i%26, 'a'+i/26%26, i, 100+i, 5000+i, i*16+16, 5000+i, name, i, pair*8+8, i/2, i*8+8, i/2)
		}
		file := filepath.Join(dir, name+".txt")
		if err := os.WriteFile(file, dump.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	got := run(t, "", "compare", files[0], files[1])
	if lines := strings.Count(got.stdout, "\n"); got.code != shell.ExitDeadlock || lines > 60 || lines < 20 {
		t.Errorf("exit %d, %d lines\n%.3000s%s", got.code, lines, got.stdout, got.stderr)
	}
}
