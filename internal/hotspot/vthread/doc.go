// Package vthread reads the virtual threads of a HotSpot JVM from its memory: mounted, pinned and unmounted ones, of a
// running process, a stopped one or a core file. No Java code runs in the target and nothing is stopped.
//
//	jvm.go         what this package needs of the JVM
//	layout.go      classes and fields of the JDK
//	limits.go      bounds of time and memory
//	objects.go     reading many objects at once
//	maps.go        the sets in which the JDK keeps threads
//	containers.go  where threads are found
//	thread.go      what is known of a thread
//	chunks.go      frames in the heap (StackChunk)
//	stacks.go      stacks of unmounted threads, and the proof that they are whole
//	threads.go     java.lang.VirtualThread, names
//	batch.go       some threads at once
//	scan.go        the heap, where the JDK does not track its threads
//	read.go        rounds, until no collection came in between
//	mounted.go     threads that are mounted, read again with the stacks of their carriers
//
// # Where threads are found
//
//   - ThreadContainers$RootContainer$TrackingRootContainer.VTHREADS: threads started by Thread.start. There is no such
//     set with -Djdk.trackAllThreads=false: then the heap is scanned.
//   - ThreadContainers.CONTAINER_REGISTRY: weak references to executors and other containers.
//   - Thread.headStackableScopes of each thread: structured scopes, which are not registered.
//   - the thread that each carrier has mounted, which the caller knows.
//
// # What proves a stack
//
// A StackChunk is not cleared when its thread runs: it keeps frames that are gone. A stack of an unmounted thread
// counts only if all of this is true:
//
//   - the state of the thread is one of those in which it is unmounted, and Continuation.mounted is false;
//   - thread, continuation, and heads and frames of all chunks are the same when they are read again;
//   - each chunk refers to the continuation of the thread;
//   - the first frame is Continuation.yield, or the chunk is marked as preempted; the last frame is
//     Continuation.enter; neither is found in between;
//   - no collection has begun since the threads were listed. Where objects move while the program runs (ZGC,
//     Shenandoah) the task of the continuation must still refer to the address that was read.
//
// Where all threads of the process are stopped nothing is read twice. What a thread waits for is read with it, and
// counts if no collection came; where objects move at any time the thread must refer to the same object afterwards. A
// thread that was read before a collection takes its addresses from the next listing.
//
// # Bounds
//
// A process may be hostile. Objects must be as large as the fields that are read of them. Time and bytes are bounded by
// a base and an amount for each thread that was listed; frames of a batch, lines, names, chunks of a thread, tables and
// bins of maps, and scopes have separate bounds. A limit that is reached is Threads.Missing.
//
// # By JDK
//
// 21, 25 and 26 were compared with the JVM's own Thread.dump_to_file under each collector, on x86-64. Fields are found
// by name. These places are not in the tables of libjvm.so and are taken from the sources: the flags of a StackChunk
// (oops/stackChunkOop.hpp), the order of frames in it (runtime/stackChunkFrameStream.inline.hpp).
package vthread
