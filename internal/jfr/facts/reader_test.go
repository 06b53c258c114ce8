package facts

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis/flight"
)

// contended is the recording that the documentation shows.
func contended(t *testing.T) []byte {
	t.Helper()
	file, err := os.Open("../../../testdata/flight/contended.jfr.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	packed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// read reads a recording to its end.
func read(content []byte) (dumps []Dump, r *flight.Recording, err error) {
	reader := NewReader(bytes.NewReader(content))
	for {
		d, err := reader.Next()
		if err != nil {
			return dumps, reader.Recording(), err
		}
		dumps = append(dumps, d)
	}
}

func TestRecording(t *testing.T) {
	dumps, r, err := read(contended(t))
	if err != io.EOF || len(dumps) != 4 || r.Dumps != 4 {
		t.Fatalf("%d dumps, %v", len(dumps), err)
	}
	for i, d := range dumps {
		dated := r.Between(d.At, d.At)
		if date, _, _ := strings.Cut(d.Text, "\n"); !strings.HasSuffix(date, dated) {
			t.Errorf("dump %d is dated %s, its event %s", i, date, dated)
		}
	}
	w := r.Monitors[0]
	got := fmt.Sprintf("%d of %s: %d waits of %d in %s:%d, %.1f s; zone %d, %s %s, %v, %t, %t", len(r.Monitors),
		w.Class, w.Count, w.Threads, w.Places[0].Frame, w.Places[0].Line, w.Total.Seconds(), r.Zone, r.JVM.Main,
		r.JVM.Version,
		r.Settings["JavaMonitorEnter"], r.Settings["SocketRead"].Enabled, len(r.OwnCPU) == len(r.AllCPU))
	want := "1 of java.lang.Object: 43 waits of 6 in Incident.charge:62, 20.5 s; zone 3600, Incident " +
		"17.0.15+6-Debian-1deb12u1, {true 20 ms }, false, true"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	sum := 0.0
	for _, p := range w.Seconds.Parts {
		sum += p.Sum
	}
	if math.Abs(sum-w.Total.Seconds()) > 0.001 {
		t.Errorf("the seconds have %f s, the waits %s", sum, w.Total)
	}
}

// Two recordings in one file are two chunks: counts add up.
func TestChunksAddUp(t *testing.T) {
	once := contended(t)
	dumps, r, err := read(append(once[:len(once):len(once)], once...))
	if err != io.EOF || len(dumps) != 8 || r.Monitors[0].Count != 86 || r.Monitors[0].Threads != 6 {
		t.Errorf("%d dumps, %+v, %v", len(dumps), r.Monitors[0].Count, err)
	}
}

// TestDamagedRecordings expects an error or a result of any damage, and a result that can be written.
func TestDamagedRecordings(t *testing.T) {
	whole := contended(t)
	random := rand.New(rand.NewPCG(1, 2))
	readable := 0
	for range 400 {
		damaged := bytes.Clone(whole)
		for range 1 + random.IntN(20) {
			damaged[random.IntN(len(damaged))] = byte(random.IntN(256))
		}
		if random.IntN(4) == 0 {
			damaged[32+random.IntN(36)] ^= 1 << random.IntN(8) // the times in the header
		}
		_, r, err := read(damaged)
		if err == nil {
			t.Fatal("no end")
		}
		if r == nil {
			continue
		}
		readable++
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
	}
	if readable < 20 {
		t.Errorf("only %d were read", readable)
	}
}

// A series keeps its sum when its parts become longer.
func TestALongSeriesIsCoarser(t *testing.T) {
	s := newSeries()
	const day = 24 * 3600
	for i := range day {
		at := flight.Moment(i) * flight.Moment(time.Second)
		s.add(at, at.Add(3*time.Second/2), 1.5)
	}
	s.add(0, flight.Moment(day*time.Second), day)
	made, sum := s.made(), 0.0
	for _, p := range made.Parts {
		sum += p.Sum
	}
	if len(made.Parts) > maxParts || made.Width != 64*time.Second || sum < 2.5*day-1 || sum > 2.5*day+1 {
		t.Errorf("%d parts of %s have %f", len(made.Parts), made.Width, sum)
	}
	var g gauge
	for i := range day {
		g.add(flight.Moment(i), float64(i))
	}
	points := g.made()
	if len(points) > maxPoints || len(points) < maxPoints/4 || points[len(points)-1].Value < day*0.99 {
		t.Errorf("%d points to %v", len(points), points[len(points)-1])
	}
}
