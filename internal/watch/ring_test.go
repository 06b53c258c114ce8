package watch

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/recorded"
	"github.com/jstall/jstall/internal/source/unresponsive"
)

func momentAt(second int, size int) Moment {
	at := time.Unix(int64(second), 0)
	return Moment{At: at, Cost: source.Cost{Requests: second}, Entries: []recording.Entry{
		{Kind: recording.ThreadDump, At: time.Duration(second) * time.Second, Took: time.Millisecond,
			Bytes: []byte(fmt.Sprintf("dump %d\n%s", second, strings.Repeat("same ", size)))},
		{Kind: recording.Kernel, Name: "loadavg", Bytes: []byte("0.5")},
		{Kind: recording.Counters, Err: errors.New("none")},
		{Kind: recording.ThreadDump, Err: unresponsive.Unasked(7, attach.CodeStopped, "it is stopped")},
	}}
}

func ringOf(t *testing.T, readings, size int) *ring {
	t.Helper()
	p, err := newPacker()
	if err != nil {
		t.Fatal(err)
	}
	r := newRing(p)
	for i := range readings {
		if err := r.Add(momentAt(i, size)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func TestARingGivesWhatWasPutIn(t *testing.T) {
	r := ringOf(t, 40, 10)
	n := 0
	err := r.History().Each(func(m Moment) error {
		want := momentAt(n, 10)
		want.Entries = recorded.Lasting(want.Entries)
		if fmt.Sprint(m) != fmt.Sprint(want) {
			t.Errorf("reading %d:\n%v\n%v", n, m, want)
		}
		n++
		return nil
	})
	if err != nil || n != 40 {
		t.Errorf("%d readings, %v", n, err)
	}
}

func TestARingIsBoundedInTimeAndSpace(t *testing.T) {
	r := ringOf(t, 100, 20_000)
	before := r.History()
	if raw, size := 100*100_000, r.packed+r.opened; size > raw/5 {
		t.Errorf("%d bytes of %d", size, raw)
	}
	r.Trim(time.Unix(60, 0), 1<<30)
	if first, last := r.History().Span(); first.Unix() > 60 || first.Unix() < 40 || last.Unix() != 99 {
		t.Errorf("from %d to %d, want from about 60 on", first.Unix(), last.Unix())
	}
	r.Trim(time.Unix(0, 0), 0)
	if len(r.blocks) != 0 {
		t.Errorf("%d blocks are left", len(r.blocks))
	}
	if first, _ := before.Span(); first.Unix() != 0 {
		t.Error("the history of before changed with the ring")
	}
}

func TestADamagedReadingIsAnError(t *testing.T) {
	raw, err := pack([]Moment{momentAt(1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if cap(raw) > len(raw)+64 {
		t.Errorf("%d bytes for %d", cap(raw), len(raw))
	}
	for n := range raw {
		if _, _, err := unpack(raw[:n]); err == nil {
			t.Fatalf("%d of %d bytes are a reading", n, len(raw))
		}
	}
}

// An analysis of a recording rests on the readings at the event, the others are there.
func TestARecordingIsOfTheEvent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "e.zip")
	written := Source{Tool: "test", Process: jvm.Process{PID: 7, MainClass: "A", Age: time.Minute}}
	h := ringOf(t, 40, 10).History()
	for _, replace := range []bool{false, true} {
		if err := written.write(path, h, time.Unix(20, 0), time.Unix(22, 0), replace); err != nil {
			t.Fatal(err)
		}
	}
	if err := written.write(path, h, time.Unix(20, 0), time.Unix(22, 0), false); err == nil {
		t.Error("another file was replaced")
	}
	rec, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rec.Close() }()
	of := rec.Manifest.JVMs[0]
	replayed := recorded.Replay(rec, of)
	var times []string
	for replayed.Left() > 0 {
		entries, err := replayed.Next(t.Context(), source.Request{})
		if err != nil {
			t.Fatal(err)
		}
		times = append(times, entries[0].At.String())
	}
	if fmt.Sprint(times) != "[20s 21s 22s]" || len(of.Readings) != 40 {
		t.Errorf("%v of %d readings", times, len(of.Readings))
	}
	if got := replayed.Cost().Requests; got != 3 {
		t.Errorf("%d requests, want those at the event alone", got)
	}
	if got := time.Duration(of.Target.AgeNanos); got != 80*time.Second {
		t.Errorf("age %v", got)
	}
}
