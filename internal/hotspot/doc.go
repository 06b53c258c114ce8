// Package hotspot reads a HotSpot JVM from outside: its threads, their stacks, the locks they
// hold and wait for, and the classes it has loaded. The JVM is not asked, stopped or changed.
//
// # What is read
//
// libjvm.so exports tables of HotSpot's types and constants (gHotSpotVMStructs and its like), made for
// the JDK's serviceability agent. With these all that a thread dump says of a thread that does not
// run can be read from memory: the list of threads, each thread's java.lang.Thread, the frames from
// where it last left Java code, and the monitors of each frame. Where a table lacks an entry, nothing
// is read and the error names it. The few places that no table has are taken from HotSpot's sources and
// named next to the code that uses them: frames, the debug information of compiled code, streams.
//
// Packages of this folder, each of which imports those below it only:
//
//	dump      a dump as values: its text, and its cycles of threads that wait for each other
//	facts     what synchronizers, tasks, executors, queues and pools hold
//	classes   the classes that are loaded, by which loader, and which methods were called
//	virtual   virtual threads with the stacks of their carriers
//	vthread   virtual threads as the JDK and the heap have them
//	thread    platform threads: states, frames as lines, locks and their owners; samples of those that run
//	stack     methods, compiled code, frames, registers
//	object    classes, references and strings under each collector
//	vm        memory, core files, the tables of libjvm.so, flags, the list of threads
//
// This package opens a JVM and reads with them: read.go a dump, profile_linux.go a profile, live_linux.go and core.go
// the memory of a process on this machine and of a core file. api.go has the names that callers use.
//
// # Why it is safe
//
// process_vm_readv(2) copies memory of a process without stopping a thread. No signal is sent, no file of the
// target is opened or made, nothing is written. The JVM may change what is read while it is read:
//
//   - The list of threads is read again if it was replaced, and a thread that the kernel no longer
//     has is left out.
//   - A thread and its stack are copied, and compared with memory after the walk: the anchor, the
//     monitors, and all of the stack that was used. A thread that moved is read again, and after
//     five times marked as torn, without frames.
//   - What is read of the heap counts if no collection has begun meanwhile. Where objects move while
//     the program runs (ZGC, Shenandoah), it is read twice and must be the same; references of ZGC are
//     looked up where it keeps what has moved.
//   - Threads are not read at one moment. A cycle of threads that wait for each other is reported only if the
//     kernel did not run any of them from before the reading until after it; see package dump.
//   - The lists of classes are read twice; a class counts that is in both.
//   - A thread that runs is read from a sample: its registers, and a copy of its stack from the same moment. The
//     innermost frame must be complete, the call before its return address must be able to call it, an interpreted
//     caller must have noted that it calls, and a compiled one must know the return address.
//   - Compiled code must name the method that it belongs to as its outermost scope.
//
// A process may be hostile: each list, string and table has a bound, a capture reads 1 GB at the most,
// and ends with its context. Reading a page that is not in memory may wait for a disk; a disk that
// never answers holds the calling thread.
//
// # What cannot be read
//
//   - Frames of threads that run Java code (Thread.Running) if they may not be sampled, and of those that run the
//     JVM's own or a library's code that Java code has called without leaving Java (System.nanoTime).
//   - The exact line in compiled code that runs, and the methods inlined there (Thread.Near): its tables tell
//     of calls and safepoints only. Monitors of that frame.
//   - Monitors of other frames that run if objects may move at any time (ZGC, Shenandoah).
//   - Virtual threads that are being mounted or unmounted, and those that no list of the JDK has under ZGC
//     (jdk.trackAllThreads=false). In which frames an unmounted one has entered monitors.
//   - Who waits for the initialisation of a class.
//   - The receiver of a synchronized native method that is compiled, and monitors entered by native code.
//   - Owners of locks that no thread waits for, and holders of permits.
//   - Names and locks under ZGC of 11 to 16, of objects that may have moved since the reference to
//     them was last used.
//   - The JVM's own threads: compilers are listed, the VM thread and collectors are not.
//
// # By JDK
//
// Tests compare with the JVM's own dump on 8, 11, 17, 21, 25 and 26, x86-64, with each collector.
//
//	                        8         11        17          21          25, 26
//	threads                 linked    linked    ThreadsList, read again if replaced
//	Thread object           oop       oop       OopHandle
//	name, state, daemon     Thread    Thread    Thread      FieldHolder
//	fields of classes       u2 array  u2 array  u2 array    stream      stream
//	numbers in streams      any byte  any byte  any byte    no zero     no zero
//	debug information       in code   in code   in code     in code     immutable data
//	monitor's object        oop       oop       WeakHandle
//	monitor's owner         thread or lock record           or lock stack  number
//	class of an object      header                                      or mark word
//	module of a frame       –         java.lang.Class.module
//	virtual threads         –         –         –           yes         yes: unmounted in monitors too (24 and newer)
//	list of classes         table     by class loader
//	hidden classes          –         anonymous name and address
//
// 22 to 24 (another layout of compiled methods) and aarch64 are written after the sources and not tried.
package hotspot
