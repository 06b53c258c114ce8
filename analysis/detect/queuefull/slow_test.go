package queuefull_test

import (
	"testing"

	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Producers that get rid of an item now and then are held up all the same, if they wait for
// room most of the time and their consumer does nothing: one at work is what they wait for.
func TestProducersOfASlowConsumer(t *testing.T) {
	backsOff := At("!java.lang.Thread.sleep", "App$Index.announce", "App$Gateway.write", "App$Writer.run")
	for _, test := range []struct {
		name     string
		turns    int64 // in a second
		consumer Part
		cpu      float64
		queues   uint64
		each     float64 // CPU seconds of a producer in a second
		want     string
	}{
		{"it backs off, from producers that use no CPU to speak of", 2, backsOff, 0.001, 1, 0.0001,
			"queue-full/warning/likely: write | a,b"},
		{"it backs off", 2, backsOff, 0.001, 1, 0.002, "queue-full/warning/likely: write | a,b"},
		{"it uses CPU", 2, backsOff, 0.3, 1, 0.002, ""},
		{"it is at work", 2, At("App$Index.encode", "App$Writer.run"), 0.001, 1, 0.002, ""},
		{"it is at work, and to be woken costs producers next to nothing", 2, At("App$Index.encode", "App$Writer.run"),
			0.3, 1, 0.00001, ""},
		{"nobody seems to be it", 2, At("!java.lang.Thread.sleep", "App$Util.sleep", "App$Writer.run"), 0.001, 1, 0.002, ""},
		{"room comes often", 30, backsOff, 0.001, 1, 0.002, ""},
		{"they go from queue to queue", 2, backsOff, 0.001, 3, 0.002, ""},
	} {
		var look []timeline.Observation
		for i := range 3 {
			when := float64(i)
			age, queue := Used(0.01+test.each*when, 5+when), 0xa+uint64(i)%test.queues
			write := Thread(3, "write", test.consumer, Used(0.01+test.cpu*when, 5+when))
			if write.Stack[0].Method == "sleep" {
				write.State = threaddump.TimedWaiting
			}
			o := Observe(when, Thread(1, "a", age, Puts(queue, "App$Gateway.emit")),
				Thread(2, "b", age, Puts(queue, "App$Gateway.emit")), write)
			o.Tasks = map[int64]timeline.Task{}
			for _, th := range o.Dump.Threads {
				o.Tasks[th.NativeID] = timeline.Task{State: "S", Turns: threaddump.Known(10 + test.turns*int64(i))}
			}
			look = append(look, o)
		}
		t.Run(test.name, func(t *testing.T) { ExpectOnly(t, Diagnose(look...), finding.KindQueueFull, test.want) })
	}
}

// Of producers that get rid of an item in turn, some may have had none since the dump before: that they
// stand tells nothing where the consumer works, and is no fault of the queue.
func TestAQueueThatFlows(t *testing.T) {
	const works, rests = 0.2, 0.001
	asleep := At("!java.lang.Thread.sleep", "App$Mill.dry", "App$Gateway.mill", "App$Crew.run")
	type producer struct {
		turns [3]int64 // by dump
		left  bool     // the queue, in the last one
	}
	waits, served, goes := producer{[3]int64{1, 2, 2}, false}, producer{[3]int64{1, 2, 3},
		false}, producer{[3]int64{1, 2, 2}, true}
	for _, test := range []struct {
		name      string
		producers []producer
		consumer  Part
		cpu       float64 // of the consumer in a second
		moved     bool    // the queue, by a collection
		want      string
	}{
		{"the other had its turn, and the consumer works", []producer{waits, served}, asleep, works, false, ""},
		{"the same, and the queue has moved", []producer{waits, served}, asleep, works, true, ""},
		{"the other has left, and the consumer works", []producer{waits, goes}, asleep, works, false, ""},
		{"half of them had their turn", []producer{waits, waits, served, served}, asleep, works, false, ""},
		{"one of them had its turn", []producer{waits, waits, waits, served}, asleep, works, false,
			"queue-full/warning/likely: z | a,b,c"},
		{"the other had its turn, and the consumer does nothing", []producer{waits, served}, asleep, rests, false,
			"queue-full/warning/likely: z | a,b"},
		{"the other has left, and the consumer does nothing", []producer{waits, goes}, asleep, rests, false,
			"queue-full/warning/likely: z | a"},
		{"nobody is seen to be the consumer", []producer{waits, served}, At("!java.lang.Thread.sleep", "Other.run"),
			works, false, ""},
		{"none had a turn", []producer{waits, waits}, asleep, works, false, "queue-full/warning/likely: z | a,b"},
	} {
		var look []timeline.Observation
		for i := range 3 {
			when, queue := float64(i), uint64(0xa)
			if test.moved {
				queue += uint64(16 * i)
			}
			z := Thread(9, "z", test.consumer, Used(0.01+test.cpu*when, 5+when))
			z.State = threaddump.TimedWaiting
			threads := []*threaddump.Thread{z}
			for j, p := range test.producers {
				where := Puts(queue, "App$Gateway.emit")
				if i == 2 && p.left {
					where = At("App$Saw.cut", "App$Gateway.run")
				}
				threads = append(threads, Thread(int64(1+j), string(rune('a'+j)), where, Used(0.01, 5+when)))
			}
			o := Observe(when, threads...)
			o.Tasks = map[int64]timeline.Task{}
			for j, p := range test.producers {
				o.Tasks[threads[1+j].NativeID] = timeline.Task{State: "S", Turns: threaddump.Known(p.turns[i])}
			}
			look = append(look, o)
		}
		t.Run(test.name, func(t *testing.T) { ExpectOnly(t, Diagnose(look...), finding.KindQueueFull, test.want) })
	}
}
