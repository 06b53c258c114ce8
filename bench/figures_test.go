package bench_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

func (b *bench) size(t *testing.T) {
	info, err := os.Stat(b.jstall)
	if err != nil {
		t.Fatal(err)
	}
	b.row("size of the binary", fmt.Sprintf("%.1f MB", float64(info.Size())/(1<<20)), "", "32 MB")
}

// small is the common case: a JVM of 30 threads that was asked before.
func (b *bench) small(t *testing.T) {
	for _, jdk := range jvmtest.Available(t) {
		jvm := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", Args: []string{"12", "14"}})
		all := b.contenders(jdk, jvm, "deadlock")
		medians := mediansOf(race(t, b.runs, all...))
		b.row(fmt.Sprintf("`deadlock`, 30 threads, JDK %d", jdk.Version), ms(medians[0]), others(all, medians), "15 ms")
		if jdk.Version == jvmtest.Find(t, jvmtest.System).Version {
			b.row("its memory", maxRSS(t, all[0].args), b.othersRSS(t, all), "25 MB")
		}
	}
}

// contenders are jstall itself, the C client, and the tools of the JDK.
func (b *bench) contenders(jdk jvmtest.JDK, jvm *jvmtest.JVM, command string) []contender {
	pid := strconv.Itoa(jvm.PID())
	all := []contender{{"jstall", []string{b.jstall, command, pid}}}
	if b.raw != "" {
		all = append(all, contender{"C client", []string{b.raw, pid}})
	}
	if jcmd := jdk.Tool("jcmd"); jcmd != "" {
		all = append(all, contender{"jcmd Thread.print", []string{jcmd, pid, "Thread.print"}})
	}
	if jstack := jdk.Tool("jstack"); jstack != "" {
		all = append(all, contender{"jstack", []string{jstack, pid}})
	}
	return all
}

// others names all contenders but the first, with their medians.
func others(all []contender, medians []time.Duration) string {
	var parts []string
	for i, c := range all[1:] {
		parts = append(parts, c.name+" "+ms(medians[i+1]))
	}
	return strings.Join(parts, ", ")
}

func (b *bench) othersRSS(t *testing.T, all []contender) string {
	var parts []string
	for _, c := range all[1:] {
		parts = append(parts, c.name+" "+maxRSS(t, c.args))
	}
	return strings.Join(parts, ", ")
}

// fresh is the first attach: the listener must be started.
func (b *bench) fresh(t *testing.T) {
	for _, jdk := range jvmtest.Available(t) {
		times := make([][]time.Duration, 2)
		for range 7 {
			for i, program := range [][]string{{b.jstall, "deadlock"}, {b.raw}} {
				if program[0] == "" {
					continue
				}
				jvm := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", Args: []string{"12", "14"}})
				times[i] = append(times[i], wall(t, append(program, strconv.Itoa(jvm.PID()))))
				jvm.Signal(9)
				jvm.Wait()
			}
		}
		other := ""
		if b.raw != "" {
			other = "C client " + ms(median(times[1]))
		}
		b.row(fmt.Sprintf("first `deadlock` on a JVM, JDK %d", jdk.Version), ms(median(times[0])), other, "30 ms")
	}
}

func (b *bench) list(t *testing.T) {
	for range 3 {
		jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	}
	b.row("`list`, three JVMs", ms(median(race(t, b.runs, contender{"jstall", []string{b.jstall, "list"}})[0])), "",
		"20 ms")
}

// large is a JVM of 5,000 threads: what matters is how long it is paused.
func (b *bench) large(t *testing.T) {
	for _, jdk := range jvmtest.Available(t) {
		opts := jvmtest.Options{Class: "ManyThreads", Args: []string{"5000", "14"}}
		if jdk.Version >= 17 {
			opts.JVMArgs = []string{"-Xlog:safepoint"}
		}
		t.Run(strconv.Itoa(jdk.Version), func(t *testing.T) { b.largeOn(t, jdk, jvmtest.Start(t, jdk, opts)) })
	}
}

func (b *bench) largeOn(t *testing.T, jdk jvmtest.JDK, jvm *jvmtest.JVM) {
	pid := strconv.Itoa(jvm.PID())
	all := b.contenders(jdk, jvm, "deadlock")
	times := race(t, b.manyRuns, all...)
	medians := mediansOf(times)
	bar := "1.15 × the C client"
	if jdk.Version >= 25 {
		bar = "faster than the C client"
	}
	figure := ms(medians[0])
	if b.raw != "" {
		figure += ", " + pairRatio(times[0], times[1])
	}
	b.row(fmt.Sprintf("`deadlock`, 5,000 threads, JDK %d", jdk.Version), figure, others(all, medians), bar)
	if jdk.Version >= 17 && b.raw != "" {
		b.stopped(t, jvm, jdk, all[:2])
	}
	status := wall(t, []string{b.jstall, "status", "--count", "2", "--interval", "1s", pid})
	b.row(fmt.Sprintf("`status --count 2 --interval 1s`, 5,000 threads, JDK %d", jdk.Version), ms(status), "",
		"1,800 ms")
}

var safepointTotal = regexp.MustCompile(`Total:\s+(\d+) ns`)

// stopped sums the safepoints that the JVM logs while a command runs.
func (b *bench) stopped(t *testing.T, jvm *jvmtest.JVM, jdk jvmtest.JDK, all []contender) {
	times := make([][]time.Duration, len(all))
	for range b.runs {
		for i, c := range all {
			before := len(jvm.Output())
			wall(t, c.args)
			time.Sleep(50 * time.Millisecond) // the log is written after the answer
			var sum time.Duration
			for _, m := range safepointTotal.FindAllStringSubmatch(jvm.Output()[before:], -1) {
				ns, _ := strconv.Atoi(m[1])
				sum += time.Duration(ns)
			}
			times[i] = append(times[i], sum)
		}
	}
	mine, raw := median(times[0]), median(times[1])
	bar := ""
	if jdk.Version >= 25 {
		bar = "1/3 of the C client"
	}
	b.row(fmt.Sprintf("stopped for it, JDK %d", jdk.Version), ms(mine)+", "+ratio(mine, raw), "C client "+ms(raw), bar)
}

// saved is half a gigabyte of dumps of one JVM, a second apart.
func (b *bench) saved(t *testing.T) {
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System),
		jvmtest.Options{Class: "ManyThreads", Args: []string{"5000", "14"}})
	dump, err := exec.Command(b.jstall, "dump", strconv.Itoa(jvm.PID())).Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "saved.txt")
	if err := writeSeries(path, dump, 500<<20); err != nil {
		t.Fatal(err)
	}
	args := []string{b.jstall, "status", path}
	b.row("`status` on 500 MB of saved dumps", ms(median(race(t, 3, contender{"jstall", args})[0])), "", "2,500 ms")
	b.row("its memory", maxRSS(t, args), "", "300 MB")
}

// writeSeries writes the dump repeatedly, each time a second later.
func writeSeries(path string, dump []byte, size int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	header, body, _ := strings.Cut(string(dump), "\n")
	start, err := time.Parse(time.DateTime, header)
	if err != nil {
		return err
	}
	parts := strings.Split(body, " elapsed=")
	for second, written := 0, 0; written < size; second++ {
		text := start.Add(time.Duration(second)*time.Second).Format(time.DateTime) + "\n" + parts[0]
		var later strings.Builder
		for _, part := range parts[1:] {
			number, rest, _ := strings.Cut(part, "s")
			elapsed, _ := strconv.ParseFloat(number, 64)
			fmt.Fprintf(&later, " elapsed=%.2fs%s", elapsed+float64(second), rest)
		}
		n, err := file.WriteString(text + later.String())
		if err != nil {
			return err
		}
		written += n
	}
	return file.Close()
}

// analysis repeats the figures that the benchmarks of the diagnosis give for three dumps of 5,000 threads.
func (b *bench) analysis(t *testing.T) {
	for _, m := range benchmarks(t, `\s+\d+\s+([0-9.]+) ns/op`, "-bench", "^BenchmarkDiagnose", "-benchtime", "20x",
		"../analysis") {
		took, err := time.ParseDuration(m.figure + "ns")
		if err != nil {
			t.Fatal(err)
		}
		b.row("analysis, 3 × 5,000 threads, "+strings.ReplaceAll(m.name, "_", " "),
			fmt.Sprintf("%.1f ms", took.Seconds()*1000), "", "100 ms")
	}
}

// parser repeats the figures of the parser's own benchmarks, on one core.
func (b *bench) parser(t *testing.T) {
	for _, m := range benchmarks(t, `\s.*?([0-9.]+) MB/s`, "-bench", ".", "-cpu", "1", "../threaddump") {
		b.row("parser, "+m.name, m.figure+" MB/s", "", "400 MB/s for 5,000 threads, 150 MB/s without two equal frames")
	}
}

// measured is the figure of one Go benchmark.
type measured struct{ name, figure string }

// benchmarks runs Go benchmarks, and finds a figure after the name of each.
func benchmarks(t *testing.T, figure string, args ...string) (all []measured) {
	out, err := exec.Command("go", append([]string{"test", "-run", "^$"}, args...)...).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	line := regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?` + figure)
	for _, m := range line.FindAllStringSubmatch(string(out), -1) {
		all = append(all, measured{m[1], m[2]})
	}
	if len(all) == 0 {
		t.Errorf("no figure in\n%s", out)
	}
	return all
}
