package flame

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/internal/jfr/jfrtest"
	"github.com/jstall/jstall/internal/jvmtest"
)

// inBuckets are the sums of a sample's values over all buckets, and the buckets.
func inBuckets(t *testing.T, tl *Timeline, s *profile.Sample) (sums []int64, buckets []int) {
	t.Helper()
	sums = make([]int64, len(s.Value))
	tl.Of(s, func(bucket int, values []int64) {
		if bucket < 0 || bucket >= max(1, tl.Buckets()) || len(buckets) > 0 && buckets[len(buckets)-1] >= bucket {
			t.Fatalf("bucket %d of %d after %v", bucket, tl.Buckets(), buckets)
		}
		buckets = append(buckets, bucket)
		for i, v := range values {
			if v < 0 {
				t.Fatalf("bucket %d holds %v", bucket, values)
			}
			sums[i] += v
		}
	})
	return sums, buckets
}

// checkTimed checks that a timeline has all that its profile has.
func checkTimed(t *testing.T, tl *Timeline, p *profile.Profile) {
	t.Helper()
	if len(p.Sample) == 0 {
		t.Fatal("no samples")
	}
	for i, s := range p.Sample {
		if sums, _ := inBuckets(t, tl, s); !slices.Equal(sums, s.Value) {
			t.Errorf("sample %d is %v, its buckets have %v", i, s.Value, sums)
		}
	}
}

func TestTimelineKeepsTheSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, longest := range []time.Duration{0, 50 * time.Microsecond, 10 * time.Second, 1000 * time.Hour} {
		var tl Timeline
		samples := make([]*profile.Sample, 20)
		for i := range samples {
			samples[i] = &profile.Sample{Value: make([]int64, 3)}
		}
		for range 3000 {
			s := samples[random.IntN(len(samples))]
			from := time.Duration(random.Int64N(int64(longest) + 1))
			to := from + time.Duration(random.Int64N(int64(longest)+1))
			values := []int64{random.Int64N(1 << 40), random.Int64N(2), 1}
			tl.Add(s, from, to, values...)
			for i, v := range values {
				s.Value[i] += v
			}
		}
		if n := tl.Buckets(); n > mostBuckets || longest >= time.Second && n < mostBuckets/2 {
			t.Errorf("%s have %d buckets of %s", longest, n, tl.Width())
		}
		checkTimed(t, &tl, &profile.Profile{Sample: samples})
	}
}

func TestTimelineTellsWhen(t *testing.T) {
	var tl Timeline
	early, late := &profile.Sample{Value: make([]int64, 1)}, &profile.Sample{Value: make([]int64, 1)}
	for at := time.Duration(0); at < 4*time.Second; at += 20 * time.Millisecond {
		tl.Add(early, at, at, 20e6)
	}
	tl.Add(late, 6*time.Second, 10*time.Second, 4e9)
	buckets := func(s *profile.Sample) (first, last time.Duration) {
		_, all := inBuckets(t, &tl, s)
		return time.Duration(all[0]) * tl.Width(), time.Duration(all[len(all)-1]+1) * tl.Width()
	}
	if first, last := buckets(early); first != 0 || last < 4*time.Second-tl.Width() || last > 4*time.Second+tl.Width() {
		t.Errorf("the early sample is at %s to %s", first, last)
	}
	if first, last := buckets(late); first > 6*time.Second || first < 6*time.Second-tl.Width() ||
		last < 10*time.Second || last > 10*time.Second+tl.Width() {
		t.Errorf("the late sample is at %s to %s", first, last)
	}
}

// TestTimelineIsBounded: it becomes coarser, and at last gives up, rather than take more memory.
func TestTimelineIsBounded(t *testing.T) {
	var tl Timeline
	samples := make([]*profile.Sample, 1000)
	for i := range samples {
		samples[i] = &profile.Sample{Value: []int64{10e9}}
		tl.Add(samples[i], 0, 0, 1)
		tl.Add(samples[i], 0, 10*time.Second, 10e9-1)
	}
	for at := time.Duration(0); at < 10*time.Second; at += 50 * time.Millisecond {
		for _, s := range samples {
			s.Value[0]++
			tl.Add(s, at, at, 1)
		}
	}
	if n := tl.Buckets(); n < 2 || n > mostCells/len(samples) || tl.cells > mostCells {
		t.Errorf("%d samples have %d buckets, %d cells", len(samples), n, tl.cells)
	}
	checkTimed(t, &tl, &profile.Profile{Sample: samples})
	for i := range 2 * mostCells {
		tl.Add(&profile.Sample{Value: []int64{1}}, time.Duration(i), time.Duration(i), 1)
	}
	if tl.Buckets() != 0 || tl.Width() != 0 || len(tl.tracks) != 0 {
		t.Errorf("more samples than cells have %d buckets, %d tracks", tl.Buckets(), len(tl.tracks))
	}
}

func TestTimelineOfHostileTimes(t *testing.T) {
	var tl Timeline
	s := &profile.Sample{Value: []int64{3}}
	tl.Add(s, math.MinInt64, -5, 1)
	tl.Add(s, math.MaxInt64, math.MinInt64, 1)
	tl.Add(s, 0, math.MaxInt64, 1)
	if n := tl.Buckets(); n > mostBuckets {
		t.Errorf("%d buckets", n)
	}
	checkTimed(t, &tl, &profile.Profile{Sample: []*profile.Sample{s}})
	var none *Timeline
	none.Add(s, 0, 1, 1)
	if none.Buckets() != 0 || none.Width() != 0 {
		t.Error("a nil timeline has buckets")
	}
}

func TestTimelineOfDumps(t *testing.T) {
	var tl Timeline
	p := demo(t, Options{Timeline: &tl})
	if tl.Buckets() < 2 || time.Duration(tl.Buckets())*tl.Width() < time.Duration(p.DurationNanos) {
		t.Errorf("%d buckets of %s for %s", tl.Buckets(), tl.Width(), time.Duration(p.DurationNanos))
	}
	checkTimed(t, &tl, p)
}

// TestTimelineOfRecording: a thread that works from the beginning to the end of a recording has CPU time in each part.
func TestTimelineOfRecording(t *testing.T) {
	path := filepath.Join(t.TempDir(), "work.jfr")
	jdk := jvmtest.Find(t, jvmtest.System)
	jvm := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Burn", Args: []string{"100"}})
	defer removeRepository(jvm.PID())
	jcmd := func(command ...string) []byte {
		return output(t, jdk.Tool("jcmd"), append([]string{strconv.Itoa(jvm.PID())}, command...)...)
	}
	ran := func() time.Duration { return allRanFor(t, jcmd("Thread.print"), []string{"burn-100"}) }
	jcmd("JFR.start", "name=work", "settings=profile")
	for before := ran(); ran()-before < 2*time.Second; { // as long as that takes on a busy machine
		time.Sleep(500 * time.Millisecond)
	}
	jcmd("JFR.stop", "name=work", "filename="+path)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range []Event{EventCPU, EventWall, EventAlloc, EventLock} {
		var tl Timeline
		p, err := ReadJFR(bytes.NewReader(data), event, Options{Timeline: &tl})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Sample {
			if sums, _ := inBuckets(t, &tl, s); !slices.Equal(sums, s.Value) {
				t.Errorf("%s: a sample is %v, its buckets have %v", event, s.Value, sums)
			}
		}
		if event == EventCPU {
			checkBusyThroughout(t, &tl, p, "burn-100")
		}
	}
}

// checkBusyThroughout checks that a thread has values in the first, the middle and the last third of a capture.
func checkBusyThroughout(t *testing.T, tl *Timeline, p *profile.Profile, thread string) {
	t.Helper()
	var thirds [3]int64
	for _, s := range p.Sample {
		tl.Of(s, func(bucket int, values []int64) {
			if LabelValue(s, LabelThread) == thread {
				thirds[3*bucket/tl.Buckets()] += values[0]
			}
		})
	}
	if slices.Contains(thirds[:], 0) {
		t.Errorf("in the thirds of the capture %q has %v", thread, thirds)
	}
}

// TestTimelineOfChunks: the time of an event counts from the first chunk, and stays within the recording.
func TestTimelineOfChunks(t *testing.T) {
	const begin, length = 1_700_000_000e9, 1e9
	var data []byte
	for i, ticks := range []uint64{5e8, 9e8, 1e12} { // the third is out of every chunk
		chunk := jfrtest.Chunk(forgedClasses(), jfrtest.Event(forgedSample, 7e9+ticks, 1, 1), forgedPools())
		for at, v := range map[int]uint64{32: begin + uint64(i)*length, 40: length, 48: 7e9} {
			binary.BigEndian.PutUint64(chunk[at:], v)
		}
		data = append(data, chunk...)
	}
	var tl Timeline
	p, err := ReadJFR(bytes.NewReader(data), EventCPU, Options{Timeline: &tl})
	if err != nil {
		t.Fatal(err)
	}
	checkTimed(t, &tl, p)
	_, buckets := inBuckets(t, &tl, p.Sample[0])
	var at []string
	for _, b := range buckets {
		at = append(at, fmt.Sprintf("%.1f", (time.Duration(b)*tl.Width()).Seconds()))
	}
	if want := []string{"0.5", "1.9", "3.0"}; !slices.Equal(at, want) {
		t.Errorf("the samples are at %v s, want %v", at, want)
	}
}
