package bench_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

// flameBench is what the figures of profiles share.
type flameBench struct {
	*bench
	// period is the length of a profile, and pairs is how often the slowdown of the target is measured.
	period time.Duration
	pairs  int
	// library is the path of async-profiler.
	library string
}

// TestFlameFigures is started by make bench-flame. FLAME_PERIOD=2s FLAME_PAIRS=1 is a trial of the measurement itself;
// FLAME_ONLY="nine web" chooses parts of it, FLAME_ENGINES="perf" engines.
func TestFlameFigures(t *testing.T) {
	if os.Getenv("BENCH") != "1" {
		t.Skip("measures for three quarters of an hour: run make bench-flame")
	}
	b := &flameBench{bench: &bench{jstall: jvmtest.Binary(t), out: os.Stdout}, period: 10 * time.Second, pairs: 6}
	if word := os.Getenv("FLAME_PERIOD"); word != "" {
		var err error
		if b.period, err = time.ParseDuration(word); err != nil {
			t.Fatal(err)
		}
	}
	if word := os.Getenv("FLAME_PAIRS"); word != "" {
		b.pairs = max(1, number(t, word))
	}
	b.head()
	only := strings.Fields(os.Getenv("FLAME_ONLY"))
	for _, part := range []struct {
		name string
		run  func(*testing.T)
		// async reports whether it is compared with async-profiler.
		async bool
	}{
		{"nine", b.nine, true}, {"web", b.web, true}, {"crowd", b.crowd, true}, {"loss", b.loss, false},
		{"overhead", b.overhead, false}, {"pause", b.pause, false}, {"shares", b.shares, false},
		{"total", b.total, false},
	} {
		if len(only) > 0 && !slices.Contains(only, part.name) {
			continue
		}
		if part.async && b.library == "" {
			b.library = asyncLibrary(t)
		}
		t.Run(part.name, part.run)
	}
}

// settled is how long a program runs before it is measured, so that its methods are compiled.
const settled = 5 * time.Second

// start runs a program that has been attached to, and compiled.
func (b *flameBench) start(t *testing.T, jdk jvmtest.JDK, line string, jvmArgs ...string) *jvmtest.JVM {
	words := strings.Fields(line)
	jvm := jvmtest.Start(t, jdk, jvmtest.Options{Class: words[0], Args: words[1:],
		JVMArgs: append(jvmArgs, "-Xmx512m")})
	time.Sleep(min(settled, b.period))
	wall(t, []string{b.jstall, "deadlock", strconv.Itoa(jvm.PID())})
	return jvm
}

// flameRun is a profile with the output of jstall, the CPU time that jstall used, and its duration.
type flameRun struct {
	profile   *profile.Profile
	said      string
	own, took time.Duration
}

// flame profiles the program for a time; it returns the profile and the output of jstall.
func (b *flameBench) flame(t *testing.T, jvm *jvmtest.JVM, length time.Duration, more ...string) (*profile.Profile,
	string) {
	r := b.profile(t, jvm, length, more...)
	return r.profile, r.said
}

func (b *flameBench) profile(t *testing.T, jvm *jvmtest.JVM, length time.Duration, more ...string) flameRun {
	path := filepath.Join(t.TempDir(), "out.pb.gz")
	args := append([]string{"flame", strconv.Itoa(jvm.PID()), "-d", length.String(), "-o", path}, more...)
	cmd := exec.Command(b.jstall, args...)
	begin := time.Now()
	said, err := cmd.CombinedOutput()
	r := flameRun{said: string(said), took: time.Since(begin)}
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	r.own = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if r.profile, err = profile.Parse(file); err != nil {
		t.Fatal(err)
	}
	return r
}

// overhead is how much less work a program does while it is profiled. A pair is two periods of one JVM; which comes
// first alternates.
func (b *flameBench) overhead(t *testing.T) {
	jdk := jvmtest.Find(t, jvmtest.System)
	for _, kind := range []string{"cpu", "garbage"} {
		for _, threads := range []int{30, 500} {
			t.Run(fmt.Sprintf("%s-%d", kind, threads), func(t *testing.T) {
				jvm := b.start(t, jdk, fmt.Sprintf("Work %s %d", kind, threads))
				pairs := b.pairs
				if kind == "garbage" { // collections make one period differ from the next by a tenth
					pairs *= garbagePairs
				}
				wall, _ := b.losses(t, jvm, pairs)
				b.row(fmt.Sprintf("work lost to `flame -d %v`, %s, %d threads, JDK %d", b.period, kind, threads,
					jdk.Version), wall.String(), "", "3 %")
			})
		}
	}
}

// garbagePairs is the factor by which more pairs are measured for a program whose collector pauses it.
const garbagePairs = 4

// losses are percentages, one for each pair.
type losses []float64

func (l losses) String() string {
	return fmt.Sprintf("%.1f %% (%d pairs, %.1f to %.1f %%)", middle(l), len(l), slices.Min(l), slices.Max(l))
}

// losses are those of the work per second, and of the work per second of CPU time. On a busy machine the latter, which
// leaves pauses out, differs less from period to period. A pair is two periods of one JVM; which comes first
// alternates.
func (b *flameBench) losses(t *testing.T, jvm *jvmtest.JVM, pairs int, more ...string) (wall, cpu losses) {
	with := func() rate {
		return rateOf(t, jvm, func() { b.flame(t, jvm, b.period, more...) })
	}
	without := func() rate {
		return rateOf(t, jvm, func() { time.Sleep(b.period) })
	}
	for pair := range pairs {
		var fast, slow rate
		if pair%2 == 0 {
			fast, slow = without(), with()
		} else {
			slow, fast = with(), without()
		}
		wall = append(wall, 100*(1-slow.wall/fast.wall))
		cpu = append(cpu, 100*(1-slow.cpu/fast.cpu))
	}
	return wall, cpu
}

var workLine = regexp.MustCompile(`(?m)^WORK (\d+) (\d+) (\d+)$`)

// rate is how many pieces Work does per second, and per second of its CPU time, by its own clocks.
type rate struct{ wall, cpu float64 }

// rateOf is the rate while a function runs.
func rateOf(t *testing.T, jvm *jvmtest.JVM, while func()) rate {
	before := len(jvm.Output())
	while()
	lines := workLine.FindAllStringSubmatch(jvm.Output()[before:], -1)
	if len(lines) < 2 {
		t.Fatalf("%d counts of work within a period", len(lines))
	}
	grown := func(i int) float64 { return float64(number(t, lines[len(lines)-1][i]) - number(t, lines[0][i])) }
	return rate{wall: 1e3 * grown(2) / grown(1), cpu: 1e9 * grown(2) / grown(3)}
}

func number(t *testing.T, digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func middle(figures []float64) float64 {
	sorted := slices.Sorted(slices.Values(figures))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// toldPause is the pause that jstall reports for itself.
var toldPause = regexp.MustCompile(`Overhead: paused (?:at most )?([0-9.]+) ms`)

// stoppedFor matches what JDK 8 logs for each safepoint.
var stoppedFor = regexp.MustCompile(`threads were stopped: ([0-9.]+) seconds`)

// pause compares the pauses that jstall reports for itself with the target's own log. The program makes none, except
// for what the JVM does anyway: a period without a profile is subtracted.
func (b *flameBench) pause(t *testing.T) {
	for _, jdk := range flameJDKs(t) {
		for _, threads := range []int{30, 500} {
			t.Run(fmt.Sprintf("%d-%d", jdk.Version, threads), func(t *testing.T) {
				log := "-Xlog:safepoint"
				if jdk.Version == 8 {
					log = "-XX:+PrintGCApplicationStoppedTime"
				}
				jvm := b.start(t, jdk, fmt.Sprintf("Work cpu %d", threads), log)
				anyway := logged(t, jvm, func() { time.Sleep(b.period) })
				said := ""
				caused := logged(t, jvm, func() { _, said = b.flame(t, jvm, b.period) }) - anyway
				m := toldPause.FindStringSubmatch(said)
				if m == nil {
					t.Fatalf("no pause in\n%s", said)
				}
				told, _ := time.ParseDuration(m[1] + "ms")
				b.row(fmt.Sprintf("pauses of `flame -d %v` by its last line, %d threads, JDK %d", b.period, threads,
					jdk.Version),
					fmt.Sprintf("%s, %s", ms(told), ratio(told, caused)), fmt.Sprintf("%s %s", log, ms(caused)),
					"0.8 to 1.2 ×")
			})
		}
	}
}

// flameJDKs are the one that prints no CPU times, the most used one, and the newest one with long support.
func flameJDKs(t *testing.T) []jvmtest.JDK {
	return []jvmtest.JDK{jvmtest.Find(t, "8"), jvmtest.Find(t, jvmtest.System), jvmtest.Find(t, "25")}
}

// logged sums the safepoints that the JVM logs while a function runs.
func logged(t *testing.T, jvm *jvmtest.JVM, while func()) time.Duration {
	before := len(jvm.Output())
	while()
	time.Sleep(50 * time.Millisecond) // the log is written after the answer
	log := jvm.Output()[before:]
	var sum time.Duration
	for _, m := range safepointTotal.FindAllStringSubmatch(log, -1) {
		sum += time.Duration(number(t, m[1]))
	}
	for _, m := range stoppedFor.FindAllStringSubmatch(log, -1) {
		took, _ := time.ParseDuration(m[1] + "s")
		sum += took
	}
	return sum
}

// shares is the profile of 60, 30 and 10 % of one thread.
func (b *flameBench) shares(t *testing.T) {
	jdk := jvmtest.Find(t, jvmtest.System)
	for _, engine := range b.engines(t) {
		t.Run(engine, func(t *testing.T) {
			// the recorder counts an inlined method as its caller
			jvm := b.start(t, jdk, "Shares", "-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,Shares::*")
			p, _ := b.flame(t, jvm, 2*b.period, "--engine", engine)
			var found []float64
			var all, off float64
			for _, method := range []string{"Shares.sixty", "Shares.thirty", "Shares.ten"} {
				found = append(found, float64(cpuOf(t, p, method)))
				all += found[len(found)-1]
			}
			for i, truth := range []float64{60, 30, 10} {
				found[i] *= 100 / all
				off = max(off, math.Abs(found[i]-truth))
			}
			b.row(fmt.Sprintf("shares of 60, 30 and 10 %% by %s in %v, JDK %d", engine, 2*b.period, jdk.Version),
				fmt.Sprintf("%.1f, %.1f, %.1f: %.1f points off", found[0], found[1], found[2], off), "", "5 points")
		})
	}
}

// cpuOf is the CPU time of the samples with a function on the stack, of all without one.
func cpuOf(t *testing.T, p *profile.Profile, function string) time.Duration {
	i := slices.IndexFunc(p.SampleType, func(v *profile.ValueType) bool { return v.Type == "cpu" })
	if i < 0 {
		t.Fatalf("no CPU time in the profile: %v", p.SampleType)
	}
	var sum time.Duration
	for _, s := range p.Sample {
		if function == "" || slices.ContainsFunc(s.Location, func(l *profile.Location) bool {
			return l.Line[0].Function.Name == function
		}) {
			sum += time.Duration(s.Value[i])
		}
	}
	return sum
}

// total compares the CPU time of a profile with the CPU time of the process by the kernel, including its collector and
// its compilers. The process is read before jstall starts and after it ends.
func (b *flameBench) total(t *testing.T) {
	for _, jdk := range flameJDKs(t) {
		for _, line := range []string{"Shares garbage", "Work compile"} {
			t.Run(fmt.Sprintf("%d-%s", jdk.Version, line), func(t *testing.T) {
				jvm := b.start(t, jdk, line)
				before := used(t, jvm)
				p, _ := b.flame(t, jvm, 2*b.period)
				process, all := used(t, jvm)-before, cpuOf(t, p, "")
				rest := cpuOf(t, p, "[ended or native threads]")
				b.row(fmt.Sprintf("CPU time of a profile of %v, %s, JDK %d", 2*b.period, line, jdk.Version),
					fmt.Sprintf("%s, %s; GC %.0f %%, JIT %.0f %%", ms(all), ratio(all, process),
						percent(cpuOf(t, p, "[GC]"), all), percent(cpuOf(t, p, "[JIT]"), all)),
					"utime + stime "+ms(process), "0.97 to 1.03 ×")
				b.row("of it [ended or native threads]", fmt.Sprintf("%.1f %%", percent(rest, all)), "", "5 %")
			})
		}
	}
}

func percent(part, whole time.Duration) float64 { return 100 * part.Seconds() / whole.Seconds() }

func used(t *testing.T, jvm *jvmtest.JVM) time.Duration {
	raw, err := kernel.New("/proc").ReadFile(jvm.PID(), "stat")
	if err != nil {
		t.Fatal(err)
	}
	stat, err := kernel.ParseStat(raw)
	if err != nil {
		t.Fatal(err)
	}
	return stat.CPU()
}
