package form

import (
	"maps"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func TestTasksThatDoNotFitAreLeftOut(t *testing.T) {
	text := "12 1000 -1 S - - -\n13 5 7 R x - -\nx 1 2 S - - -\n14 1 2 S -\n\n" +
		"15 1 2 D wait_woken client-socket 10.0.0.1:80\n16 1 2 S - - - 99\n17 1 2 S - - - x\n" +
		"18 1 2 S - - - 99 5 7\n19 1 2 S - - - 99 5 7 9\n"
	want := map[int64]timeline.Task{
		12: {CPU: 1000, State: "S"},
		13: {CPU: 5, RunQueue: threaddump.Known(time.Duration(7)), State: "R", WaitChannel: "x"},
		15: {
			CPU: 1, RunQueue: threaddump.Known(time.Duration(2)), State: "D", WaitChannel: "wait_woken",
			File: "client-socket", Peer: "10.0.0.1:80",
		},
		16: {CPU: 1, RunQueue: threaddump.Known(time.Duration(2)), State: "S", Turns: threaddump.Known(int64(99))},
		18: {
			CPU: 1, RunQueue: threaddump.Known(time.Duration(2)), State: "S", Turns: threaddump.Known(int64(99)),
			Writes: threaddump.Known(int64(5)), Received: threaddump.Known(int64(7)),
		},
	}
	if got := ParseTasks([]byte(text)); !maps.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
