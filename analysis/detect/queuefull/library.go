package queuefull

import (
	"strings"

	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/timeline"
)

// libraryRoom is the flow control of a library, which makes producers wait for room.
type libraryRoom struct {
	class  string // prefix of the class in which they wait
	room   string // completes "3 threads wait for"
	advice string
	// least is how many producers must wait in one dump: a single producer often waits for the answer to each message.
	least int
}

// libraryRooms are the rules for the rows of idle.tsv that are marked !room.
var libraryRooms = [...]libraryRoom{
	{"org.apache.activemq.artemis.", "credits of the Artemis broker (producer flow control)", brokerAdvice, 1},
	{"org.apache.activemq.usage.", "space in the memory of ActiveMQ (producer flow control)", brokerAdvice, 1},
	{"org.apache.activemq.", "the ActiveMQ broker to accept a message (producer flow control, or a slow broker)",
		brokerAdvice, 2},
	{"org.apache.kafka.", "space in the buffer of the Kafka producer",
		kafkaAdvice, 1},
	{"com.rabbitmq.", "RabbitMQ to unblock the channel (flow control)", brokerAdvice, 1},
	{"com.lmax.disruptor.", "a free slot in the ring buffer of the Disruptor", ringAdvice, 1},
	{"org.apache.pulsar.", "space in the queue of pending messages of the Pulsar producer", brokerAdvice, 1},
}

// library is the rule of the library that makes the thread wait for room.
func library(s *timeline.Sample) libraryRoom {
	for _, r := range libraryRooms {
		for _, fr := range resources.AboveProgram(s.Stack) {
			if strings.HasPrefix(fr.Class, r.class) {
				return r
			}
		}
	}
	return libraryRoom{room: "space in a queue of a library", advice: brokerAdvice, least: 1}
}

// ringConsumer is the thread that handles the events of the ring in which a producer waits for a slot, if the dump has
// exactly one such thread; nil otherwise.
func ringConsumer(f *timeline.Timeline, producer *timeline.Sample) []*timeline.Sample {
	if !strings.HasPrefix(library(producer).class, "com.lmax.disruptor.") {
		return nil
	}
	var consumers []*timeline.Sample
	for _, h := range f.Alive() {
		if h.Last().Stack.IsInside("com.lmax.disruptor.BatchEventProcessor", "run") {
			consumers = append(consumers, h.Last())
		}
	}
	if len(consumers) > 1 {
		return nil
	}
	return consumers
}
