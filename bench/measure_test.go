package bench_test

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// contender is one command line in a race.
type contender struct {
	name string
	args []string
}

// race runs the commands in turn, one warm-up and then runs times, and returns the wall times of each, in the order of
// the runs. Every other run is in reverse order, so that no command always follows the same one.
func race(t *testing.T, runs int, contenders ...contender) [][]time.Duration {
	t.Helper()
	times := make([][]time.Duration, len(contenders))
	for run := range runs + 1 {
		for n := range contenders {
			i := n
			if run%2 == 1 {
				i = len(contenders) - 1 - n
			}
			took := wall(t, contenders[i].args)
			if run > 0 {
				times[i] = append(times[i], took)
			}
		}
	}
	return times
}

func mediansOf(times [][]time.Duration) []time.Duration {
	medians := make([]time.Duration, len(times))
	for i := range times {
		medians[i] = median(times[i])
	}
	return medians
}

// wall is the time from before exec until the process is reaped.
func wall(t *testing.T, args []string) time.Duration {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	begin := time.Now()
	err := cmd.Run()
	took := time.Since(begin)
	if code := cmd.ProcessState.ExitCode(); err != nil && code != 2 && code != 3 {
		t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return took
}

func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// maxRSS is the largest resident set of a command. It runs below its own small process, because the kernel counts the
// memory of the parent as the child's until it has called exec.
func maxRSS(t *testing.T, args []string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "BENCH_MEASURE=1")
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

// reportRSS runs a command and prints its largest resident set.
func reportRSS(args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	if err := cmd.Run(); cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return 1
	}
	fmt.Printf("%.1f MB", float64(usage.Maxrss)/1024)
	return 0
}

func ms(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

func ratio(a, b time.Duration) string {
	return fmt.Sprintf("%.2f ×", float64(a)/float64(b))
}

// pairRatio is the median of the ratios of consecutive runs: a machine whose speed drifts slows both of a pair.
func pairRatio(a, b []time.Duration) string {
	ratios := make([]float64, min(len(a), len(b)))
	for i := range ratios {
		ratios[i] = float64(a[i]) / float64(b[i])
	}
	return fmt.Sprintf("%.2f ×", median(ratios))
}
