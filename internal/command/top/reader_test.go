package top

import (
	"context"
	"testing"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
)

// TestKeptReadingsAreBounded adds readings of several sizes; the latest is there whatever its size.
func TestKeptReadingsAreBounded(t *testing.T) {
	var l latestReadings
	for _, c := range []struct{ size, want int }{
		{100, 1}, {100, 2}, {keptBytes, 1}, {keptBytes + 1, 1}, {keptBytes / 2, 1}, {keptBytes / 2, 2},
		{keptBytes / 2, 2}, {1, 2}, {1, 3},
	} {
		l.add([]recording.Entry{{Kind: recording.ThreadDump, Bytes: make([]byte, c.size)}}, source.Cost{})
		kept, _ := l.get()
		if len(kept) != c.want || len(kept[len(kept)-1][0].Bytes) != c.size {
			t.Errorf("after one of %d bytes %d readings are kept, want %d", c.size, len(kept), c.want)
		}
	}
	for range 3 * keptReadings {
		l.add(nil, source.Cost{})
	}
	if kept, _ := l.get(); len(kept) != keptReadings {
		t.Errorf("%d readings are kept", len(kept))
	}
}

func TestAClosedGateHolds(t *testing.T) {
	var g gate
	if err := g.wait(t.Context()); err != nil {
		t.Error("a gate begins closed:", err)
	}
	g.set(true)
	g.set(true)
	passed := make(chan error)
	go func() { passed <- g.wait(t.Context()) }()
	select {
	case <-passed:
		t.Error("a closed gate lets pass")
	default:
	}
	g.set(false)
	if err := <-passed; err != nil {
		t.Error(err)
	}
	g.set(true)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := g.wait(ended); err == nil {
		t.Error("a closed gate does not tell the end of the context")
	}
}

// TestABrokenScreenEndsTheProgram: a panic of ours is an error, and the terminal is given back on the way out.
func TestABrokenScreenEndsTheProgram(t *testing.T) {
	updated := &topScreen{}
	if _, next := updated.Update(readingMsg{}); next == nil || updated.failed == nil {
		t.Error("a panic in Update does not end it:", updated.failed)
	}
	drawn := &topScreen{}
	drawn.View()
	if _, next := drawn.Update(savedMsg("")); next == nil || drawn.failed == nil {
		t.Error("a panic in View does not end it:", drawn.failed)
	}
}
