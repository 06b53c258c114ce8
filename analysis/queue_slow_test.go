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

// Of two producers that get rid of an item in turn, one may have had none since the dump before:
// that it stands tells nothing where the consumer works, and is no fault of the queue.
func TestAQueueThatFlows(t *testing.T) {
	asleep, put := at("!java.lang.Thread.sleep", "App$Mill.dry", "App$Crew.run"), puts(0xa, "App$Gateway.emit")
	for _, test := range []struct {
		name  string
		turns [2][3]int64 // of each producer, by dump
		other part        // where the second is in the last dump
		cpu   float64     // of the consumer in a second
		want  string
	}{
		{"the other had its turn, and the consumer works", [2][3]int64{{1, 2, 2}, {1, 2, 3}}, put, 0.2, ""},
		{"the other has left, and the consumer works", [2][3]int64{{1, 2, 2}, {1, 2, 2}}, at("App$Saw.cut", "App$Gateway.run"), 0.2, ""},
		{"the other had its turn, and the consumer does nothing", [2][3]int64{{1, 2, 2}, {1, 2, 3}}, put, 0.001, "queue-full/warning/likely: u | a,b"},
		{"the other has left, and the consumer does nothing", [2][3]int64{{1, 2, 2}, {1, 2, 2}}, at("App$Saw.cut", "App$Gateway.run"), 0.001, "queue-full/warning/likely: u | a"},
		{"none had a turn", [2][3]int64{{1, 2, 2}, {1, 2, 2}}, put, 0.2, "queue-full/warning/likely: u | a,b"},
	} {
		var look []Observation
		for i := range 3 {
			when, second := float64(i), put
			if i == 2 {
				second = test.other
			}
			u := thread(3, "u", asleep, used(0.01+test.cpu*when, 5+when))
			u.State = threaddump.TimedWaiting
			o := observe(when, thread(1, "a", used(0.01, 5+when), put), thread(2, "b", used(0.01, 5+when), second), u)
			o.Tasks = map[int64]Task{}
			for j, th := range o.Dump.Threads[:2] {
				o.Tasks[th.NativeID] = Task{State: "S", Turns: threaddump.Known(test.turns[j][i])}
			}
			look = append(look, o)
		}
		t.Run(test.name, func(t *testing.T) { expectOnly(t, diagnose(look...), KindQueueFull, test.want) })
	}
}
