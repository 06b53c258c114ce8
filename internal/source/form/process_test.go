package form

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/threaddump"
)

func TestAllTasksSurviveTheirForm(t *testing.T) {
	written := WriteAllTasks(map[int]kernel.Task{
		7: {NSTID: 1, CPU: 5, State: "S", Comm: "a \"b\"\nc", WaitChannel: "futex_do_wait"},
		8: {NSTID: 2, CPU: 6, RunQueue: kernel.Known(time.Duration(9)), State: "R", Comm: ""},
	})
	want := map[int64]timeline.Task{
		1: {Name: "a \"b\"\nc", CPU: 5, State: "S", WaitChannel: "futex_do_wait"},
		2: {CPU: 6, RunQueue: threaddump.Known(time.Duration(9)), State: "R"},
	}
	damaged := "x 1 2 S - \"n\"\n3 1 2 S -\n4 1 2 S - open\n\n"
	if got := ParseAllTasks(append(written, damaged...)); !maps.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestEndOfAZombie(t *testing.T) {
	for status, want := range map[string]timeline.Process{
		"9":   {ExitSignal: threaddump.Known(9)},
		"768": {ExitCode: threaddump.Known(3)},
	} {
		var p timeline.Process
		addStat(&p, []byte("7 (a) Z 3 "+strings.Repeat("1 ", 47)+status+"\n"))
		if p.ExitSignal != want.ExitSignal || p.ExitCode != want.ExitCode {
			t.Errorf("status %s: %+v", status, p)
		}
	}
}
