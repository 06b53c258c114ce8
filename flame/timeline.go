package flame

import (
	"math"
	"slices"
	"time"

	"github.com/google/pprof/profile"
)

// Bounds of a Timeline: it is coarser rather than larger.
const (
	// mostBuckets is into how many spans of equal length a Timeline cuts a capture, at most.
	mostBuckets = 200
	// mostCells bounds the pairs of a sample and a bucket. Each takes about 30 bytes in memory.
	mostCells = 1 << 17
	// finestBucket is the shortest span of a Timeline of samples that have a time but no duration.
	finestBucket = time.Millisecond
	// longestCapture bounds what a forged time can claim: 73 years.
	longestCapture time.Duration = 1 << 61
)

// Timeline says when the values of a profile's samples arose. The capture is cut into at most mostBuckets buckets of
// equal length, counted from 0 at its beginning; of each sample it holds the values in each bucket. The buckets become
// longer as the capture goes on, and as there are more samples. The zero value is ready, and has seen nothing.
//
// [Builder] and [ReadJFR] fill the one of their Options. A reader of another source calls [Timeline.Add] for all that
// it adds to a sample, so that the values of a sample's buckets have the sum of the sample's.
type Timeline struct {
	width  time.Duration // of a bucket; 0 before the first Add
	end    time.Duration // of the capture, as far as it was seen
	tracks map[*profile.Sample]*track
	cells  int
	// lost is true if there was no room even for two buckets.
	lost bool
}

// track is a sample's values: those of the bucket at[i] are values[i*n:(i+1)*n], with n sample types.
type track struct {
	at     []uint8
	values []int64
}

// Add says that of the values of a sample these arose between two times after the beginning of the capture, evenly. The
// times are equal for what took no time; what is before the beginning counts as at the beginning. Missing values are 0.
// A nil Timeline takes nothing.
func (t *Timeline) Add(s *profile.Sample, from, to time.Duration, values ...int64) {
	if t == nil || t.lost || !slices.ContainsFunc(values, func(v int64) bool { return v != 0 }) {
		return
	}
	from = min(max(0, from), longestCapture)
	to = min(max(from, to), longestCapture)
	t.reach(from, to)
	first, last := t.bucket(from), t.bucket(to)
	if to > from && last > first && time.Duration(last)*t.width == to {
		last-- // it ends where that bucket begins
	}
	row := make([]int64, len(s.Value))
	given := make([]int64, len(s.Value))
	for b := first; b <= last; b++ {
		share := 1.0
		if b < last {
			share = float64(time.Duration(b+1)*t.width-from) / float64(to-from)
		}
		for i := range min(len(values), len(row)) {
			upTo := values[i]
			if b < last {
				upTo = int64(math.Round(share * float64(values[i])))
			}
			row[i], given[i] = upTo-given[i], upTo
		}
		t.put(s, uint8(b), row)
	}
	for t.cells > mostCells && !t.lost {
		t.coarsen()
	}
}

// atLeast says, before the first Add, how long a bucket must be for more than nothing to be known of it.
func (t *Timeline) atLeast(width time.Duration) {
	if t != nil && t.width == 0 {
		t.width = max(finestBucket, min(width, longestCapture))
	}
}

// reach makes the buckets long enough for a span.
func (t *Timeline) reach(from, to time.Duration) {
	t.atLeast(finestBucket)
	if t.tracks == nil {
		t.tracks = map[*profile.Sample]*track{}
	}
	t.end = max(t.end, to)
	for to/t.width >= mostBuckets {
		t.coarsen()
	}
}

func (t *Timeline) bucket(at time.Duration) int { return int(at / t.width) }

// put adds a row of values to a bucket of a sample.
func (t *Timeline) put(s *profile.Sample, bucket uint8, row []int64) {
	if !slices.ContainsFunc(row, func(v int64) bool { return v != 0 }) {
		return
	}
	tr := t.tracks[s]
	if tr == nil {
		tr = &track{}
		t.tracks[s] = tr
	}
	i, found := len(tr.at)-1, true
	if i < 0 || tr.at[i] != bucket { // most are in the order of time
		i, found = slices.BinarySearch(tr.at, bucket)
	}
	if !found {
		tr.at = slices.Insert(tr.at, i, bucket)
		tr.values = slices.Insert(tr.values, i*len(row), row...)
		t.cells++
		return
	}
	for k, v := range row {
		tr.values[i*len(row)+k] += v
	}
}

// coarsen makes the buckets twice as long.
func (t *Timeline) coarsen() {
	if t.cells > mostCells && t.end/t.width < 2 {
		t.lost, t.tracks, t.cells = true, nil, 0
		return
	}
	t.width *= 2
	t.cells = 0
	for _, tr := range t.tracks {
		tr.halve()
		t.cells += len(tr.at)
	}
}

// halve puts each two buckets together.
func (tr *track) halve() {
	n := len(tr.values) / len(tr.at)
	kept := 0
	for i, at := range tr.at {
		row := tr.values[i*n : (i+1)*n]
		if kept > 0 && tr.at[kept-1] == at/2 {
			for k, v := range row {
				tr.values[(kept-1)*n+k] += v
			}
			continue
		}
		tr.at[kept] = at / 2
		copy(tr.values[kept*n:], row)
		kept++
	}
	tr.at, tr.values = tr.at[:kept], tr.values[:kept*n]
}

// Width is how long a bucket is, and Buckets how many there are: both 0 if nothing is known of the time, and if there
// is but one bucket, which shows nothing.
func (t *Timeline) Width() time.Duration {
	if t.Buckets() == 0 {
		return 0
	}
	return t.width
}

// Buckets is how many buckets the capture has; see Width.
func (t *Timeline) Buckets() int {
	if t == nil || len(t.tracks) == 0 {
		return 0
	}
	n := t.bucket(max(0, t.end-1)) + 1
	for _, tr := range t.tracks {
		n = max(n, int(tr.at[len(tr.at)-1])+1)
	}
	if n < 2 {
		return 0
	}
	return n
}

// Of calls visit for each bucket in which a sample has values, in the order of time. The values are those of the
// profile's sample types, and good during the call only.
func (t *Timeline) Of(s *profile.Sample, visit func(bucket int, values []int64)) {
	if t == nil || t.tracks[s] == nil {
		return
	}
	tr := t.tracks[s]
	n := len(tr.values) / len(tr.at)
	for i, at := range tr.at {
		visit(int(at), tr.values[i*n:(i+1)*n])
	}
}

// dropType takes a sample type out, as it was taken out of the profile.
func (t *Timeline) dropType(at int) {
	if t == nil {
		return
	}
	for _, tr := range t.tracks {
		n := len(tr.values) / len(tr.at)
		var kept []int64
		for i := range tr.at {
			row := tr.values[i*n : (i+1)*n]
			kept = append(append(kept, row[:at]...), row[at+1:]...)
		}
		tr.values = kept
	}
}
