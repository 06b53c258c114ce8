package bench_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

// TestLinear measures the cost of files of 1, 10 and 40 MB that contain more and more of one thing: the CPU time, and
// the ratio of 40 MB to 10 MB (4 is linear). bench/run.sh TestLinear runs it.
func TestLinear(t *testing.T) {
	if os.Getenv("BENCH") != "1" {
		t.Skip("measures for minutes: run bench/run.sh TestLinear")
	}
	b := &bench{jstall: jvmtest.Binary(t), out: os.Stdout}
	b.head()
	for _, g := range growing {
		for _, command := range []string{"status", "deadlock"} {
			var figures []string
			var took [3]time.Duration
			for i, mb := range []int{1, 10, 40} {
				path := filepath.Join(t.TempDir(), "saved.txt")
				if err := grow(path, mb<<20, g.dump); err != nil {
					t.Fatal(err)
				}
				took[i] = leastCPU(t, b.jstall, command, path)
				figures = append(figures, fmt.Sprintf("%d MB %s", mb, ms(took[i])))
			}
			figures = append(figures, fmt.Sprintf("%.1f × for 4 × as much", float64(took[2])/float64(took[1])))
			b.row(fmt.Sprintf("`%s`, %s", command, g.name), strings.Join(figures, ", "), "", "6 ×")
		}
	}
}

// leastCPU is the least CPU time of three runs.
func leastCPU(t *testing.T, args ...string) time.Duration {
	t.Helper()
	least := time.Duration(0)
	for range 3 {
		cmd := exec.Command(args[0], args[1:]...)
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 0 && code != 2 && code != 5 {
			t.Errorf("%v: %v\n%.2000s", args, err, out)
		}
		if cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); least == 0 || cpu < least {
			least = cpu
		}
	}
	return least
}

// growing write the content of dump i of a file of about size bytes.
var growing = []struct {
	name string
	dump func(w io.Writer, i, size int)
}{
	{"dumps of the same 20 threads", func(w io.Writer, i, _ int) {
		for k := range 20 {
			writeThread(w, k, "RUNNABLE", "")
		}
	}},
	{"dumps of 5 new threads each", func(w io.Writer, i, _ int) {
		for k := range 5 {
			writeThread(w, 5*i+k, "RUNNABLE", "")
		}
	}},
	{"dumps of 500 new threads each", func(w io.Writer, i, _ int) {
		for k := range 500 {
			writeThread(w, 500*i+k, "RUNNABLE", "")
		}
	}},
	{"a new deadlock in each dump", func(w io.Writer, i, _ int) {
		writeDeadlocked(w, 2*i, 2*i+1)
		writeDeadlocked(w, 2*i+1, 2*i)
	}},
	{"one dump with sections of deadlocks", func(w io.Writer, _, size int) {
		writeThread(w, 0, "RUNNABLE", "")
		for k := range size / 350 {
			_, _ = fmt.Fprintf(w, "Found one Java-level deadlock:\n=============================\n"+
				"\"a-%[1]d\":\n  waiting to lock monitor 0x%016[2]x (object 0x%016[3]x, a java.lang.Object),\n"+
				"  which is held by \"b-%[1]d\"\n"+
				"\"b-%[1]d\":\n  waiting to lock monitor 0x%016[4]x (object 0x%016[5]x, a java.lang.Object),\n"+
				"  which is held by \"a-%[1]d\"\n\n", k, k*64+64, k*128+128, k*64+96, k*128+136)
		}
	}},
	{"one dump of threads", func(w io.Writer, _, size int) {
		for k := range size / 210 {
			writeThread(w, k, "RUNNABLE", "")
		}
	}},
	{"one dump of threads that wait", func(w io.Writer, _, size int) {
		for k := range size / 320 {
			writeThread(w, k, "WAITING (on object monitor)", fmt.Sprintf(
				"\tat java.lang.Object.wait(java.base@21.0.13/Native Method)\n"+
					"\t- waiting on <0x%016x> (a com.acme.Queue%d)\n", 0x700000000+k*16, k))
		}
	}},
}

// grow writes dumps until a file has a size.
func grow(path string, size int, dump func(w io.Writer, i, size int)) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	counted := &countingWriter{to: bufio.NewWriter(file)}
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for i := 0; counted.n < size; i++ {
		_, _ = fmt.Fprintf(counted,
			"%s\nFull thread dump OpenJDK 64-Bit Server VM (21.0.13+9 mixed mode, sharing):\n\n",
			start.Add(time.Duration(i)*time.Second).Format(time.DateTime))
		dump(counted, i, size)
		_, _ = fmt.Fprint(counted, "JNI global refs: 1, weak refs: 0\n\n")
	}
	if err := counted.to.Flush(); err != nil {
		return err
	}
	return file.Close()
}

type countingWriter struct {
	to *bufio.Writer
	n  int
}

func (c *countingWriter) Write(b []byte) (int, error) {
	c.n += len(b)
	return c.to.Write(b)
}

func writeThread(w io.Writer, i int, state, frames string) {
	_, _ = fmt.Fprintf(w, "\"t-%d\" #%d prio=5 os_prio=0 cpu=1.00ms elapsed=20.00s tid=0x%016x nid=%d runnable  "+
		"[0x00007f0000001000]\n   java.lang.Thread.State: %s\n%s\tat com.acme.Job.run(Job.java:9)\n\n",
		i, i+1, 0x7f0000000000+i*256, i+100, state, frames)
}

// writeDeadlocked writes a thread that holds its own object and waits for that of another thread.
func writeDeadlocked(w io.Writer, i, other int) {
	writeThread(w, i, "BLOCKED (on object monitor)", fmt.Sprintf("\tat com.acme.Job.take(Job.java:7)\n"+
		"\t- waiting to lock <0x%016x> (a java.lang.Object)\n\t- locked <0x%016x> (a java.lang.Object)\n",
		0x700000000+other*16, 0x700000000+i*16))
}
