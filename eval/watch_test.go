package eval

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

// TestWatchLeavesHealthyProgramsAlone watches healthy programs from their start: none of them may be an event. SOAK=1
// takes 30 of them for half a minute each.
func TestWatchLeavesHealthyProgramsAlone(t *testing.T) {
	all, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	jdk := jvmtest.Find(t, jvmtest.System)
	all = slices.DeleteFunc(all, func(p program) bool {
		return !p.Healthy || !p.runsOn(jdk.Version) || len(p.Prefix) > 0
	})
	many, atOnce, long := 3, 3, 8*time.Second
	if os.Getenv("SOAK") != "" {
		many, atOnce, long = 30, 3, 30*time.Second
	}
	if len(all) < many {
		t.Fatalf("%d healthy programs", len(all))
	}
	for some := range slices.Chunk(all[:many], atOnce) {
		watchHealthy(t, jdk, some, long)
	}
}

func watchHealthy(t *testing.T, jdk jvmtest.JDK, some []program, long time.Duration) {
	t.Helper()
	args := []string{"watch", "-v", "--max-cpu", strconv.Itoa(len(some)), "-o", t.TempDir()}
	names := map[string]string{}
	for _, p := range some {
		classes, err := p.compiled()
		if err != nil {
			t.Fatal(err)
		}
		line := p.commandLine(jdk.Java(), classes, "")
		cmd := exec.Command(line[0], line[1:]...)
		cmd.Dir = t.TempDir()
		if err := p.start(cmd); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			_ = cmd.Wait()
		})
		pid := strconv.Itoa(javaOf(kernel.New("/proc"), cmd.Process.Pid))
		args, names[pid] = append(args, pid), p.ID
	}
	watch := exec.Command(jvmtest.Binary(t), args...)
	var out, errs bytes.Buffer
	watch.Stdout, watch.Stderr = &out, &errs
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(long)
	if err := watch.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := watch.Wait()
	t.Logf("%v: %d readings", names, strings.Count(errs.String(), "read in"))
	if err != nil || out.Len() > 0 {
		t.Errorf("%v: %v\n%s\n%s", names, err, out.String(), errs.String())
	}
}
