package analysis

import (
	"testing"

	"jstall/threaddump"
)

// Producers that get rid of an item now and then are held up all the same, if they wait for
// room most of the time and their consumer does nothing: one at work is what they wait for.
func TestProducersOfASlowConsumer(t *testing.T) {
	backsOff := at("!java.lang.Thread.sleep", "App$Index.announce", "App$Writer.run")
	for _, test := range []struct {
		name     string
		turns    int64 // in a second
		consumer part
		cpu      float64
		queues   uint64
		each     float64 // CPU seconds of a producer in a second
		want     string
	}{
		{"it backs off, from producers that use no CPU to speak of", 2, backsOff, 0.001, 1, 0.0001, "queue-full/warning/likely: write | a,b"},
		{"it backs off", 2, backsOff, 0.001, 1, 0.002, "queue-full/warning/likely: write | a,b"},
		{"it uses CPU", 2, backsOff, 0.3, 1, 0.002, ""},
		{"it is at work", 2, at("App$Index.encode", "App$Writer.run"), 0.001, 1, 0.002, ""},
		{"it is at work, and to be woken costs producers next to nothing", 2, at("App$Index.encode", "App$Writer.run"), 0.3, 1, 0.00001, ""},
		{"nobody seems to be it", 2, at("!java.lang.Thread.sleep", "App$Util.sleep", "App$Writer.run"), 0.001, 1, 0.002, ""},
		{"room comes often", 30, backsOff, 0.001, 1, 0.002, ""},
		{"they go from queue to queue", 2, backsOff, 0.001, 3, 0.002, ""},
	} {
		var look []Observation
		for i := range 3 {
			when := float64(i)
			age, queue := used(0.01+test.each*when, 5+when), 0xa+uint64(i)%test.queues
			write := thread(3, "write", test.consumer, used(0.01+test.cpu*when, 5+when))
			if write.Stack[0].Method == "sleep" {
				write.State = threaddump.TimedWaiting
			}
			o := observe(when, thread(1, "a", age, puts(queue, "App$Gateway.emit")), thread(2, "b", age, puts(queue, "App$Gateway.emit")), write)
			o.Tasks = map[int64]Task{}
			for _, th := range o.Dump.Threads {
				o.Tasks[th.NativeID] = Task{State: "S", Turns: threaddump.Known(10 + test.turns*int64(i))}
			}
			look = append(look, o)
		}
		t.Run(test.name, func(t *testing.T) { expectOnly(t, diagnose(look...), KindQueueFull, test.want) })
	}
}
