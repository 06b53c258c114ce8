package analysis

import (
	"fmt"
	"testing"

	"jstall/threaddump"
)

// Producers that get rid of an item now and then are held up all the same, if they wait for
// room most of the time.
func TestProducersOfASlowConsumer(t *testing.T) {
	for turns, want := range map[int64]string{
		3:  "queue-full/warning/likely: a,b | ", // a turn and a half in a second
		60: "",
	} {
		var look []Observation
		for i := range 3 {
			when := float64(i)
			age := used(0.01+0.002*when, 5+when)
			o := observe(when, thread(1, "a", age, puts(0xa, "App$Gateway.emit")), thread(2, "b", age, puts(0xa, "App$Gateway.emit")))
			o.Tasks = map[int64]Task{}
			for _, th := range o.Dump.Threads {
				o.Tasks[th.NativeID] = Task{State: "S", Turns: threaddump.Known(10 + turns*int64(i)/2)}
			}
			look = append(look, o)
		}
		t.Run(fmt.Sprint(turns, " turns"), func(t *testing.T) { expectOnly(t, diagnose(look...), KindQueueFull, want) })
	}
}
