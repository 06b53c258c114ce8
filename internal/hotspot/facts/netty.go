package facts

import "github.com/jstall/jstall/analysis/object"

const (
	nettyLoop = "io.netty.util.concurrent.SingleThreadEventExecutor"
	jctools   = "io.netty.util.internal.shaded.org.jctools.queues.BaseMpscLinkedArrayQueue"
)

// nettyLoops are the classes whose run method an event loop of Netty is inside of.
var nettyLoops = []string{
	"io.netty.channel.nio.NioEventLoop", "io.netty.channel.epoll.EpollEventLoop",
	"io.netty.channel.SingleThreadIoEventLoop", "io.netty.util.concurrent.DefaultEventExecutor", nettyLoop,
}

// eventLoop notes the loop that a thread runs; false if it runs none of Netty.
func (f *reader) eventLoop(id int64, at uint64) bool {
	if !f.IsA(at, nettyLoop) {
		return false
	}
	if f.DeclaredThread(at, nettyLoop, "thread") != id || f.executors[at] != nil {
		return true
	}
	queue, ok := f.DeclaredReference(at, nettyLoop, "taskQueue")
	if !ok {
		return true
	}
	e := &Executor{Object: f.PlainObject(at), Kind: object.EventLoop, Workers: 1, Core: 1, Most: 1}
	e.WorkerIDs = []int64{id}
	if e.Queue = f.queue(queue); e.Queue == nil {
		e.Queue = f.linkedArrays(queue)
	}
	f.executors[at] = e
	return true
}

// linkedArrays reads a queue of JCTools, whose indexes go in steps of two.
func (f *reader) linkedArrays(at uint64) *Queue {
	produced, ok := f.Declared(at, jctools+"ProducerFields", "producerIndex")
	consumed, ok2 := f.Declared(at, jctools+"ConsumerFields", "consumerIndex")
	if !ok || !ok2 {
		return nil
	}
	const most = 1 << 30
	n := int64(f.Objects.U64(produced)-f.Objects.U64(consumed)) / 2
	if n < 0 || n > most {
		return nil
	}
	return &Queue{Object: f.PlainObject(at), Size: int(n), Capacity: -1}
}
