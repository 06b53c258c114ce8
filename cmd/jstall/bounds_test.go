package main_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ulikunitz/xz"
)

const (
	// mostMemory is what jstall may hold, whatever it is given.
	mostMemory = 500 << 20
	// patience is how long it may take on a machine that does much else: a bound on hangs.
	patience = 60 * time.Second
)

var jstall string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "jstall-bounds-")
	if err != nil {
		panic(err)
	}
	jstall = filepath.Join(dir, "jstall")
	if out, err := exec.Command("go", "build", "-o", jstall, ".").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// ended is how a run of the program ended.
type ended struct {
	code     int
	out, err string
	memory   int64 // at most, in bytes
	cpu      time.Duration
}

// run runs the program to its end, which must come by itself.
func run(t *testing.T, args ...string) ended {
	t.Helper()
	return runWith(t, nil, t.TempDir(), args...)
}

// runWith is run with something to read, and a directory for temporary files.
func runWith(t *testing.T, in io.Reader, temporary string, args ...string) ended {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, jstall, args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
	cmd.Stdin = in
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	began := time.Now()
	check(t, cmd.Start())
	most := make(chan int64, 1)
	go func() { most <- mostHeld(cmd.Process.Pid) }()
	err := cmd.Wait()
	exit := (*exec.ExitError)(nil)
	if broken := in != nil && errors.Is(err, syscall.EPIPE); err != nil && !errors.As(err, &exit) && !broken {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("did not end within %v", patience)
	}
	e := ended{cmd.ProcessState.ExitCode(), out.String(), complaints.String(), <-most,
		cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	t.Logf("exit %d, %.1f s, %.1f s of CPU, %d MB", e.code, time.Since(began).Seconds(),
		e.cpu.Seconds(), e.memory>>20)
	if e.memory > mostMemory {
		t.Errorf("used %d MB of memory, more than %d", e.memory>>20, mostMemory>>20)
	}
	return e
}

// mostHeld is the largest memory of a process, in bytes, seen until it ends. getrusage does not serve: its figure for a
// child includes what this process held when it started the child.
func mostHeld(pid int) (most int64) {
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, rest, found := strings.Cut(string(status), "VmHWM:")
		if err != nil || !found { // it has ended
			return most
		}
		var kB int64
		if _, err := fmt.Sscan(rest, &kB); err != nil {
			return most
		}
		most = max(most, kB<<10)
		time.Sleep(2 * time.Millisecond)
	}
}

// oneReading begins a manifest with one JVM, up to the entries of its one capture.
const oneReading = `{"format":1,"jvms":[{"dir":"a","target":{"pid":1,"name":"A"},"looks":[{"entries":[`

// TestHostileInput gives the program what unpacks to very much, or claims to be very much:
// it must end by itself, within its memory, and say which bound was met.
func TestHostileInput(t *testing.T) {
	for _, c := range hostileInputs() {
		if !everyBuild[c.name] && os.Getenv("SOAK") != "1" {
			continue // make soak has them all
		}
		t.Run(c.name, func(t *testing.T) {
			path := writeFile(t, c.file, c.content(t))
			e := run(t, append(strings.Fields(c.args), path)...)
			if !slices.Contains([]int{1, 5}, e.code) {
				t.Errorf("exit %d, want 1 or 5", e.code)
			}
			if said := e.out + e.err; !strings.Contains(said, c.says) {
				t.Errorf("does not say %q:\n%s", c.says, shortened(said))
			}
		})
	}
}

// everyBuild are one input for each reader and bound.
var everyBuild = map[string]bool{
	"a manifest of 80 million JVMs": true, "20 members of 500 MB": true, "a million members": true,
	"a line of 8 GB": true, "8 GB of frames in one thread": true,
	"30 million threads": true, "a collapsed line of 8 GB": true, "frames in JSON without end": true,
	"a profile of 500 million samples": true, "a profile of 20 million locations": true, "gzip in gzip": true,
	"xz of 544 MB": true, "a core of a note of 60 MB": true, "a core of 2,000 notes over one range": true,
}

func shortened(s string) string {
	if len(s) > 2000 {
		return s[:2000] + "…"
	}
	return s
}

// hostile is a file, and the words before it on the command line.
type hostile struct {
	name, file, args string
	content          func(t *testing.T) []byte
	says             string
}

func hostileInputs() []hostile {
	const mega = 1 << 20
	return []hostile{
		{says: "no libjvm.so", name: "a core of a note of 60 MB", file: "f.core", args: "status",
			content: func(*testing.T) []byte { return coreOfNotes(1, 60*mega) }},
		{says: "notes of more than", name: "a core of 2,000 notes over one range", file: "n.core", args: "status",
			content: func(*testing.T) []byte { return coreOfNotes(2000, 20*mega) }},
		{says: "larger than the limit for a recording", name: "a manifest of 80 million JVMs", file: "r.zip",
			args: "status -f", content: func(t *testing.T) []byte {
				return zipped(t, member{"manifest.json", repeated{`{"format":1,"jvms":[{}`,
					strings.Repeat(",{}", 400_000), "]}", 200}})
			}},
		{says: "more than 20000 JVMs", name: "a manifest of 20 million JVMs", file: "r.zip", args: "record summary",
			content: func(t *testing.T) []byte {
				return zipped(t, member{"manifest.json", repeated{`{"format":1,"jvms":[{}`,
					strings.Repeat(",{}", 400_000), "]}", 50}})
			}},
		{says: "larger than the limit for a recording", name: "a metadata.json of 80 million JVMs", file: "r.zip",
			args: "status -f", content: func(t *testing.T) []byte {
				return zipped(t, member{"r/metadata.json", repeated{`{"jvms":[{}`, strings.Repeat(",{}", 400_000), "]}",
					200}})
			}},
		{says: "larger than the limit", name: "20 members of 500 MB", file: "r.zip", args: "status -f",
			content: func(t *testing.T) []byte {
				readings := make([]string, 20)
				members := []member{{}}
				for i := range readings {
					readings[i] = fmt.Sprintf(`{"entries":[{"kind":"thread-dump","member":"a/%d.txt","length":%d}]}`, i,
						500*mega)
					members = append(members, member{fmt.Sprintf("a/%d.txt", i),
						repeated{"", strings.Repeat("x\n", mega/2), "", 500}})
				}
				members[0] = member{"manifest.json",
					repeated{begin: `{"format":1,"jvms":[{"dir":"a","target":{"pid":1,"name":"A"},"looks":[` +
						strings.Join(readings, ",") + `]}]}`}}
				return zipped(t, members...)
			}},
		{says: "larger than the limit", name: "20 entries of 500 MB in one reading", file: "r.zip",
			args: "status -f", content: func(t *testing.T) []byte {
				entries := make([]string, 20)
				members := []member{{}}
				for i := range entries {
					entries[i] = fmt.Sprintf(`{"kind":"kernel","name":"%d","member":"a/%d.txt","length":%d}`, i, i,
						500*mega)
					members = append(members, member{fmt.Sprintf("a/%d.txt", i),
						repeated{"", strings.Repeat("x\n", mega/2), "", 500}})
				}
				members[0] = member{"manifest.json",
					repeated{begin: oneReading + strings.Join(entries, ",") + `]}]}]}`}}
				return zipped(t, members...)
			}},
		{says: "it is missing", name: "a million entries", file: "r.zip", args: "status -f",
			content: func(t *testing.T) []byte {
				entries := strings.Repeat(`,{"kind":"kernel","member":"a","offset":0,"length":1}`, 10_000)
				return zipped(t, member{"manifest.json",
					repeated{oneReading + `{"kind":"kernel"}`, entries, "]}]}]}", 100}})
			}},
		{says: "larger than the limit", name: "a million members", file: "r.zip", args: "status -f",
			content: manyMembers},
		{says: "unpacks to more than 512 MB", name: "a line of 8 GB", file: "d.txt.gz", args: "status",
			content: func(t *testing.T) []byte {
				return repeated{unit: strings.Repeat("x", 32*mega), n: 256}.gzipped(t)
			}},
		{says: "unpacks to more than 512 MB", name: "a line of 8 GB, flame", file: "d.txt.gz", args: "flame",
			content: func(t *testing.T) []byte {
				return repeated{unit: strings.Repeat("x", 32*mega), n: 256}.gzipped(t)
			}},
		{says: "unpacks to more than 512 MB", name: "8 GB of lines", file: "d.txt.gz", args: "status",
			content: func(t *testing.T) []byte {
				return repeated{unit: strings.Repeat("some other text\n", 2*mega), n: 256}.gzipped(t)
			}},
		{says: "unpacks to more than 64 MB", name: "xz of 544 MB", file: "d.txt.xz", args: "status",
			content: xzStreams},
		{says: "compressed with gzip", name: "gzip in gzip", file: "d.txt.gz", args: "status",
			content: func(t *testing.T) []byte {
				inner := repeated{unit: strings.Repeat("x", 32*mega), n: 256}.gzipped(t)
				return repeated{unit: string(inner), n: 1}.gzipped(t)
			}},
		{says: "frames in one thread", name: "8 GB of frames in one thread", file: "d.txt.gz", args: "status",
			content: func(t *testing.T) []byte {
				return frames("\tat a.B.c(D.java:1)\n", 32*mega/20, 256).gzipped(t)
			}},
		{says: "frames in one thread", name: "8 GB of frames in one thread, flame", file: "d.txt.gz", args: "flame",
			content: func(t *testing.T) []byte {
				return frames("\tat a.B.c(D.java:1)\n", 32*mega/20, 256).gzipped(t)
			}},
		{says: "locks in one thread", name: "8 GB of locks in one frame", file: "d.txt.gz", args: "status",
			content: func(t *testing.T) []byte {
				return frames("\t- locked <0x000000009abcdef0> (a A)\n", 32*mega/38, 256).gzipped(t)
			}},
		{says: "unpacks to more than 512 MB", name: "a thread's name of 1 GB", file: "d.txt.gz", args: "status",
			content: func(t *testing.T) []byte {
				var b strings.Builder
				writeDump(&b, 1, func(b *strings.Builder, i int) { writeHeader(b, i, "NAME", "runnable", "RUNNABLE") })
				begin, end, _ := strings.Cut(b.String(), "NAME")
				return repeated{begin, strings.Repeat("x", 32*mega), end, 32}.gzipped(t)
			}},
		{says: "begin with a quote", name: "a thread's name of many lines", file: "d.txt.gz", args: "status",
			content: func(t *testing.T) []byte {
				var b strings.Builder
				writeDump(&b, 1, func(b *strings.Builder, i int) { writeHeader(b, i, "NAME", "runnable", "RUNNABLE") })
				begin, end, _ := strings.Cut(b.String(), "NAME")
				return repeated{begin, strings.Repeat("x\n\"", 11*mega), end, 32}.gzipped(t)
			}},
		{says: "threads in one dump", name: "30 million threads", file: "d.txt.gz", args: "status",
			content: func(t *testing.T) []byte {
				var b strings.Builder
				writeDump(&b, 1, func(b *strings.Builder, i int) {
					writeHeader(b, i, "NAME", "runnable", "RUNNABLE")
					b.WriteString("\n")
				})
				at := strings.Index(b.String(), "\"NAME")
				end := strings.Index(b.String(), "\nJNI")
				return repeated{b.String()[:at], strings.Repeat(b.String()[at:end], 200_000), b.String()[end:],
					150}.gzipped(t)
			}},
		{says: "threads together", name: "a million dumps", file: "d.txt.gz", args: "status",
			content: func(t *testing.T) []byte {
				var b strings.Builder
				writeDump(&b, 3, func(b *strings.Builder, i int) {
					writeHeader(b, i, "NAME", "runnable", "RUNNABLE")
					b.WriteString("\n")
				})
				return repeated{unit: strings.Repeat(b.String(), 10_000), n: 100}.gzipped(t)
			}},
		{says: "unpacks to more than 512 MB", name: "nested JSON", file: "d.json.gz", args: "status",
			content: func(t *testing.T) []byte {
				return repeated{"{\"threadDump\":{\"x\":", strings.Repeat("[", 32*mega), "", 64}.gzipped(t)
			}},
		{says: "unpacks to more than 512 MB", name: "a string of 4 GB in JSON", file: "d.json.gz", args: "status",
			content: func(t *testing.T) []byte {
				return repeated{"{\"threadDump\":{\"time\":\"", strings.Repeat("x", 32*mega), "", 128}.gzipped(t)
			}},
		{says: "threads in one dump", name: "threads in JSON without end", file: "d.json.gz", args: "status",
			content: func(t *testing.T) []byte {
				return repeated{"{\"threadDump\":{\"threadContainers\":[{\"container\":\"x\",\"threads\":[\n",
					strings.Repeat("{\"tid\":\"1\",\"name\":\"\",\"virtual\":true,\"stack\":[\"a.B.c(D.java:1)\"]},\n",
						300_000), "", 200}.gzipped(t)
			}},
		{says: "frames in one thread", name: "frames in JSON without end", file: "d.json.gz", args: "status",
			content: func(t *testing.T) []byte {
				begin := `{"threadDump":{"threadContainers":[{"container":"x","threads":[` + "\n" +
					`{"tid":"1","name":"","stack":[`
				return repeated{begin, strings.Repeat("\"a.B.c(D.java:1)\",\n", 1_500_000), "", 200}.gzipped(t)
			}},
		{says: "longer than 4 MB", name: "a collapsed line of 8 GB", file: "c.gz", args: "flame",
			content: func(t *testing.T) []byte {
				return repeated{"a;b 1\n", strings.Repeat("a;", 16*mega), "a 1\n", 256}.gzipped(t)
			}},
		{says: "lines, more than can be read", name: "2 GB of collapsed lines", file: "c.gz", args: "flame",
			content: func(t *testing.T) []byte {
				return repeated{"a;b 1\n", strings.Repeat("a;b;c;d 1\n", 3*mega), "a 1\n", 64}.gzipped(t)
			}},
		{says: "samples, more than can be read", name: "a profile of 500 million samples", file: "p.pb.gz",
			args: "flame", content: func(t *testing.T) []byte {
				return pprofOf(repeated{unit: strings.Repeat("\x12\x00", 8*mega), n: 60}).gzipped(t)
			}},
		{says: "take more than 120 MB", name: "a profile of 500 million strings", file: "p.pb.gz", args: "flame",
			content: func(t *testing.T) []byte {
				return pprofOf(repeated{unit: strings.Repeat("\x32\x00", 8*mega), n: 60}).gzipped(t)
			}},
		{says: "take more than 120 MB", name: "a profile of 20 million locations", file: "p.pb.gz", args: "flame",
			content: func(t *testing.T) []byte {
				return pprofOf(repeated{unit: strings.Repeat("\x22\x00", 4*mega), n: 5}).gzipped(t)
			}},
		{says: "samples are left out", name: "a sample of 200 million locations", file: "p.pb.gz", args: "flame",
			content: func(t *testing.T) []byte {
				unit := strings.Repeat("\x01", 4*mega)
				return pprofOf(repeated{"\x12\x85\x80\x80\x64" + "\x0a\x80\x80\x80\x64", unit, "", 50}).gzipped(t)
			}},
	}
}

// pprofOf is a profile that goes on with what is repeated.
func pprofOf(r repeated) repeated {
	r.begin = "\x0a\x04\x08\x01\x10\x02" + "\x32\x00" + "\x32\x01a" + "\x32\x01b" + r.begin
	return r
}

// xzStreams is an xz file of many streams, as they may follow each other.
func xzStreams(t *testing.T) []byte {
	var b bytes.Buffer
	z, err := xz.NewWriter(&b)
	check(t, err)
	_, err = z.Write(bytes.Repeat([]byte{'\n'}, 16<<20))
	check(t, err)
	check(t, z.Close())
	return bytes.Repeat(b.Bytes(), 34)
}

func frames(unit string, n, times int) repeated {
	var b strings.Builder
	writeDump(&b, 1, func(b *strings.Builder, i int) {
		writeHeader(b, i, "main", "runnable", "RUNNABLE")
		b.WriteString("\tat a.B.c(D.java:1)\n")
	})
	begin, end, _ := strings.Cut(b.String(), "\nJNI")
	return repeated{begin, strings.Repeat(unit, n), "\nJNI" + end, times}
}

// manyMembers is an archive of a million members of one byte.
func manyMembers(t *testing.T) []byte {
	const n = 1_000_000
	return zippedEmpty(t, n)
}

// TestPipeWithoutEnd holds us from writing to the disk what is no archive, and from reading without end.
func TestPipeWithoutEnd(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"status -f -", "it is no recording"},
		{"record summary -", "it is no recording"},
		{"status -", "came from a pipe"},
	} {
		t.Run(c.args, func(t *testing.T) {
			dir := t.TempDir()
			e := runWith(t, endless{}, dir, strings.Fields(c.args)...)
			if e.code != 1 || !strings.Contains(e.err, c.says) {
				t.Errorf("exit %d\n%s", e.code, shortened(e.err))
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("left in the temporary directory: %v, %v", left, err)
			}
		})
	}
}

// endless is lines without an end, as of yes.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	line := []byte(strings.Repeat("yes, yes, this goes on\n", 1))
	for n := 0; n < len(b); {
		n += copy(b[n:], line)
	}
	return len(b), nil
}

// TestManyThreads gives the program twenty thousand threads that depend on each other, or have
// nothing in common: what it costs must not grow with the square of them.
func TestManyThreads(t *testing.T) {
	const n = 20_000
	for name, each := range manyThreads {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for range 2 {
				writeDump(&b, n, each)
			}
			e := run(t, "status", writeFile(t, "d.txt", []byte(b.String())))
			if !slices.Contains([]int{0, 2}, e.code) {
				t.Errorf("exit %d\n%s", e.code, shortened(e.err+e.out))
			}
			if e.cpu > maxCPU {
				t.Errorf("took %v of CPU", e.cpu)
			}
		})
	}
}

// maxCPU is five times what any of these takes, and a fifth of what it took when it was
// quadratic.
const maxCPU = 15 * time.Second

var manyThreads = map[string]func(b *strings.Builder, i int){
	"deadlocks of two": func(b *strings.Builder, i int) { writeBlocked(b, i, i^1) },
	"one circle":       func(b *strings.Builder, i int) { writeBlocked(b, i, (i+1)%20_000) },
	"one chain":        func(b *strings.Builder, i int) { writeBlocked(b, i, i+1) },
	"pools that wait for others": func(b *strings.Builder, i int) {
		writeHeader(b, i, fmt.Sprintf("%s-%d", letters(i/3), i%3), "waiting on condition", "WAITING (parking)")
		fmt.Fprintf(b, "\tat jdk.internal.misc.Unsafe.park(java.base@21.0.13/Native Method)\n"+
			"\t- parking to wait for  <0x%016x> (a java.util.concurrent.FutureTask)\n"+
			"\tat java.util.concurrent.locks.LockSupport.park(java.base@21.0.13/LockSupport.java:371)\n"+
			"\tat java.util.concurrent.FutureTask.awaitDone(java.base@21.0.13/FutureTask.java:500)\n"+
			"\tat java.util.concurrent.FutureTask.get(java.base@21.0.13/FutureTask.java:190)\n"+
			"\tat com.acme.Job%d.call(Job.java:9)\n"+
			"\tat java.util.concurrent.FutureTask.run(java.base@21.0.13/FutureTask.java:317)\n"+
			"\tat java.util.concurrent.ThreadPoolExecutor.runWorker(java.base@21.0.13/ThreadPoolExecutor.java:1144)\n"+
			"\tat java.util.concurrent.ThreadPoolExecutor$Worker.run(java.base@21.0.13/ThreadPoolExecutor.java:642)\n"+
			"\tat java.lang.Thread.run(java.base@21.0.13/Thread.java:1583)\n\n", 0x700000000+i*16, i)
	},
	"different work": func(b *strings.Builder, i int) {
		writeHeader(b, i, letters(i*7919), "runnable", "RUNNABLE")
		fmt.Fprintf(b, "\tat com.acme.Job%d.run(Job.java:9)\n\n", i)
	},
}

// letters is a number without digits, which would be those of a pool's thread.
func letters(n int) string {
	name := ""
	for ; ; n /= 26 {
		name += string(rune('a' + n%26))
		if n < 26 {
			return name
		}
	}
}

// TestManyDumps gives the program files of many dumps: what twice as many cost must be about twice as much.
func TestManyDumps(t *testing.T) {
	const n = 4000
	for name, each := range manyDumps {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for i := range n {
				writeHead(&b, i)
				each(&b, i, n)
			}
			for _, command := range []string{"status", "deadlock"} {
				e := run(t, command, writeFile(t, "d.txt", []byte(b.String())))
				if !slices.Contains([]int{0, 2, 5}, e.code) {
					t.Errorf("%s: exit %d\n%s", command, e.code, shortened(e.err+e.out))
				}
				if e.cpu > maxCPU {
					t.Errorf("%s took %v of CPU", command, e.cpu)
				}
			}
		})
	}
}

// writeHead begins the dump of a second.
func writeHead(b *strings.Builder, second int) {
	fmt.Fprintf(b, "2026-11-29 %02d:%02d:%02d\n"+
		"Full thread dump OpenJDK 64-Bit Server VM (21.0.13+9 mixed mode, sharing):\n\n",
		second/3600, second/60%60, second%60)
}

// manyDumps write the threads of the dump i of n.
var manyDumps = map[string]func(b *strings.Builder, i, n int){
	"all threads are new": func(b *strings.Builder, i, _ int) {
		for k := range 5 {
			writeRunning(b, 5*i+k)
		}
	},
	"one thread stays": func(b *strings.Builder, i, _ int) {
		writeRunning(b, 0)
		for k := range 4 {
			writeRunning(b, 4*i+k+1)
		}
	},
	"a deadlock in each": func(b *strings.Builder, i, n int) {
		writeBlocked(b, 2*i, 2*i+1)
		writeBlocked(b, 2*i+1, 2*i)
	},
	"many sections of deadlocks": func(b *strings.Builder, i, n int) {
		if i < n-1 {
			return
		}
		writeRunning(b, 0)
		for k := range n {
			fmt.Fprintf(b, "Found one Java-level deadlock:\n=============================\n"+
				"\"a-%[1]d\":\n  waiting to lock monitor 0x%016[2]x (object 0x%016[3]x, a java.lang.Object),\n"+
				"  which is held by \"b-%[1]d\"\n"+
				"\"b-%[1]d\":\n  waiting to lock monitor 0x%016[4]x (object 0x%016[5]x, a java.lang.Object),\n"+
				"  which is held by \"a-%[1]d\"\n\n", k, k*64+64, k*128+128, k*64+96, k*128+136)
		}
		fmt.Fprintf(b, "Found %d deadlocks.\n", n)
	},
}

func writeRunning(b *strings.Builder, i int) {
	writeHeader(b, i, fmt.Sprintf("t-%d", i), "runnable", "RUNNABLE")
	b.WriteString("\tat com.acme.Job.run(Job.java:9)\n\n")
}
