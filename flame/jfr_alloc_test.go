package flame

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/threaddump"
)

// statistics are what the JDK's own reader prints of jdk.ThreadAllocationStatistics.
type statistics struct {
	Recording struct {
		Events []struct {
			Values struct {
				StartTime string
				Allocated int64
				Thread    struct{ JavaName string }
			}
		}
	}
}

// grown is what a thread has allocated from the first statistics to the last.
func (s statistics) grown(thread string) (grown, all int64) {
	first, last := int64(-1), int64(0)
	for _, e := range s.Recording.Events {
		if e.Values.Thread.JavaName != thread {
			continue
		}
		if first < 0 {
			first = e.Values.Allocated
		}
		last = e.Values.Allocated
	}
	return last - first, last
}

// TestAllocatedWithinTheRecording compares with the JVM's own count of what threads have
// allocated, of a JVM that has run before.
func TestAllocatedWithinTheRecording(t *testing.T) {
	for _, jdk := range []jvmtest.JDK{jvmtest.Find(t, jvmtest.System), jvmtest.Newest(t, 25)} {
		t.Run(strconv.Itoa(jdk.Version), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "late.jfr")
			jvm := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Shares", Args: []string{"garbage"}})
			t.Cleanup(func() { removeRepository(jvm.PID()) })
			tools := jvmtest.Find(t, jvmtest.System)
			jcmd := func(command ...string) []byte {
				return output(t, tools.Tool("jcmd"), append([]string{strconv.Itoa(jvm.PID())}, command...)...)
			}
			threads := []string{"garbage-0", "garbage-1"}
			for allRanFor(t, jcmd("Thread.print"), threads) < 3*time.Second/2 {
				time.Sleep(500 * time.Millisecond)
			}
			// With many samples little is allocated after the last one of a thread, on a busy machine too.
			jcmd("JFR.start", "duration=1s", "settings=profile", "jdk.ObjectAllocationSample#throttle=5000/s",
				"filename="+path)
			data := awaitRecording(t, path)
			var told statistics
			if err := json.Unmarshal(output(t, tools.Tool("jfr"), "print", "--json", "--events",
				"jdk.ThreadAllocationStatistics", path), &told); err != nil {
				t.Fatal(err)
			}
			for _, thread := range threads {
				p, err := ReadJFR(bytes.NewReader(data), EventAlloc,
					Options{Thread: func(name string, _ int64) bool { return name == thread }})
				if err != nil {
					t.Fatal(err)
				}
				got, _ := totals(p, 0)
				// the statistics begin later than the recording and end before it, on a busy machine
				// much; of what the thread has run the recording is at most two fifths
				if grown, all := told.grown(thread); grown == 0 || got < grown*8/10 || got > all*8/10 {
					t.Errorf("%s: %d MB in the profile, %d MB by the statistics, %d MB since it began", thread,
						got>>20, grown>>20, all>>20)
				}
			}
		})
	}
}

// allRanFor is the CPU time that each of some threads has used at least.
func allRanFor(t *testing.T, dump []byte, threads []string) time.Duration {
	t.Helper()
	parsed, err := threaddump.Parse(dump)
	if err != nil {
		t.Fatal(err)
	}
	least := time.Duration(math.MaxInt64)
	for _, d := range parsed {
		for _, thread := range d.Threads {
			if slices.Contains(threads, thread.Name) {
				least = min(least, thread.CPU.Value)
			}
		}
	}
	return least
}

// removeRepository removes what the recorder of a killed JVM leaves.
func removeRepository(pid int) {
	left, _ := filepath.Glob("/tmp/20*_" + strconv.Itoa(pid))
	for _, folder := range left {
		_ = os.RemoveAll(folder)
	}
}

// awaitRecording waits for a file that does not grow any more.
func awaitRecording(t *testing.T, path string) []byte {
	t.Helper()
	const still = 10
	size, same := int64(0), 0
	for end := time.Now().Add(5 * time.Minute); same < still; time.Sleep(100 * time.Millisecond) {
		info, err := os.Stat(path)
		switch {
		case time.Now().After(end):
			t.Fatal("the JVM wrote no recording")
		case err != nil || info.Size() != size || size == 0:
			same = 0
		default:
			same++
		}
		if err == nil {
			size = info.Size()
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFirstSamplesOfThreads(t *testing.T) {
	const old, born, later, unlisted, virtual, another = 1, 2, 3, 4, 5, 6
	a := newAllocations()
	a.told[old] = &firstTwo{at: 100, bytes: 1000}
	a.born[born] = true
	a.told[7], a.told[8] = &firstTwo{at: 100, bytes: 50, carrier: true}, &firstTwo{at: 100, bytes: 5000, carrier: true}
	a.samples = []allocation{
		{thread: old, at: 120, bytes: 30}, {thread: old, at: 110, bytes: 1020}, // not in order
		{thread: born, at: 50, bytes: 7}, {thread: later, at: 130, bytes: 8}, {thread: unlisted, at: 90, bytes: 9},
		{
			thread: virtual, at: 101, bytes: 40,
		}, {thread: another, at: 102, bytes: 4990}, {thread: virtual, at: 103, bytes: 5040},
		{thread: virtual, at: 104, bytes: 60},
	}
	got := map[uint64][]int64{}
	a.settle(func(thread uint64) bool { return thread >= virtual }, func(s allocation, bytes int64) {
		got[s.thread] = append(got[s.thread], bytes)
	})
	for thread, want := range map[uint64][]int64{
		old: {20, 30}, born: {7}, later: {8}, unlisted: {0}, virtual: {40, 4990, 60}, another: {0},
	} {
		if have := got[thread]; !slices.Equal(have, want) {
			t.Errorf("thread %d: %d, want %d", thread, have, want)
		}
	}
	if !a.cut {
		t.Error("nothing is said of what was left out")
	}
}
