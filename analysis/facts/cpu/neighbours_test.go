package cpu

import (
	"testing"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
)

func TestNeighboursOfOneNameCountTogether(t *testing.T) {
	at := func(name string, start uint64, cpu time.Duration) timeline.OtherProcess {
		return timeline.OtherProcess{Name: name, StartTime: start, CPU: cpu}
	}
	type processes = map[int]timeline.OtherProcess
	before := processes{
		10: at("sh", 1, 9*time.Second), 11: at("sh", 1, 0), 12: at("sh", 1, 0),
		20: at("java", 1, time.Second), 30: at("db", 1, time.Second),
	}
	for _, test := range []struct {
		name  string
		after processes
		want  string
	}{
		{"one", map[int]timeline.OtherProcess{20: at("java", 1, 2*time.Second), 30: at("db", 1, time.Second)},
			"java (pid 20)"},
		{"several that use as much together", map[int]timeline.OtherProcess{10: at("sh", 1, 9400*time.Millisecond),
			11: at("sh", 1, 500*time.Millisecond),
			12: at("sh", 1, 10*time.Millisecond), 20: at("java", 1, 1800*time.Millisecond)}, "sh (pid 11 and 1 more)"},
		{"another process under the id of an old one",
			map[int]timeline.OtherProcess{20: at("java", 7, 300*time.Millisecond),
				30: at("db", 1, 1200*time.Millisecond)}, "java (pid 20)"},
		{"none that used any", map[int]timeline.OtherProcess{20: at("java", 1, time.Second)}, ""},
		{"none", nil, ""},
	} {
		if got := Busiest(before, test.after); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
