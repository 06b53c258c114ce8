// Package flame folds samples of a JVM into a profile of weighted stacks, and writes
// the profile in the formats of other tools.
//
// The profile is a [profile.Profile] of github.com/google/pprof, whatever it was
// made from, with these conventions. A reader must take the sample types from the
// profile itself and must not rely on any label: profiles of other programs have
// neither.
//
// # Sample types
//
// From thread dumps: cpu/nanoseconds, wall/nanoseconds, samples/count, in this order.
// From a flight recording: cpu/nanoseconds or wall/nanoseconds, and samples/count;
// alloc_space/bytes and samples/count; lock/nanoseconds and samples/count. From one of async-profiler also
// native_space/bytes and samples/count, or, where its samples count an event of the processor, that event's
// name with the unit count.
// DefaultSampleType is the one to show first. Values are int64, never negative but
// in a difference (below), and zero is common: a sleeping thread's cpu.
// The values are those of the sample alone; nothing is cumulated.
//
// # Frames
//
// A location is one line of one function; it has no mapping and no address. Locations of
// a sample are innermost first, as pprof has them. A function is
//
//   - Name: "java.util.HashMap.getNode": class, dot, method, no arguments, no module.
//   - SystemName: the same with the module before it where the JVM printed one:
//     "java.base/java.util.HashMap.getNode".
//   - Filename: "HashMap.java", without a folder; empty if unknown. The location's Line.Line
//     is 0 if unknown.
//
// Names in square brackets are no Java methods. They are the outermost frame of their
// stack, but for the name of a pool of the JVM's threads right under [GC], [JIT] or [VM], and
// for [between samples], which is the innermost one:
//
//	[GC] [JIT] [VM]            threads of the JVM itself: collector, compiler, the rest
//	[G1 Conc#*]                such a thread, its number left out
//	[no Java frames]           a thread of the program that shows no stack
//	[ended or native threads]  what the process used beyond the sum of its threads; no labels
//	[between samples]          CPU time of a thread that samples found waiting, over the stack of
//	                           its wait: what it ran in between was not seen
//	[unknown callers]          samples of threads that ran whose outer frames are not known, under these
//	[not sampled]              CPU time of a thread that used too little for a sample
//	[frames in the heap]       frames of a virtual thread that are not on a stack
//	[anything]                 with one frame per thread (ByThread) the thread's name, raw
//
// A native frame's name is its file, an exclamation mark and the symbol; its Filename is empty:
//
//	libc.so.6!read             a shared library or a program
//	libfoo.so!0x1234           where there is no symbol: the offset in the file
//	[native]!read              the file is not known
//	[kernel]!do_sys_read       the kernel
//
// Readers of other profilers' files write such names too, whatever those files have:
// async-profiler's "read_[k]" is "[kernel]!read". Their marks of Java code ("_[j]" compiled, "_[i]" inlined, "_[0]"
// interpreted, "_[1]" compiled for a start) are no part of a name and are left out.
//
// [KindOf] returns whose code a function is, for colours: application, framework, jdk, jvm (libjvm.so too), native,
// kernel.
//
// Names are hostile input: any of them may hold markup, quotes, semicolons, control
// characters, line ends and text that looks like another frame. They are valid UTF-8 and
// not empty, nothing else can be relied on.
//
// # Labels
//
// Each has one string value; it is absent where it is not known.
//
//	thread  the thread's name
//	state   RUNNABLE, BLOCKED, WAITING, TIMED_WAITING, NEW or TERMINATED: what the JVM calls it,
//	        and it calls a thread RUNNABLE that waits for bytes from a socket. Absent for
//	        threads of the JVM itself.
//	pool    the name with its last number replaced by "*": "http-worker-*"; the whole name if
//	        there is none
//
// Samples are distinct by stack, thread and state: a thread that was somewhere in a
// thousand samples is one sample.
//
// # What the profile says of itself
//
// TimeNanos is when it began (0 for saved dumps without a date), DurationNanos the time from the
// first sample to the last. Comments are whole sentences for the reader, the first a title: what
// was profiled; then the number of samples, the error of the shares, the pauses, and what the
// engine cannot see.
//
// A profile does not say when the values of a sample arose: its [Timeline] does.
//
// # Differences
//
// A profile compared with a base follows pprof's own -diff_base: the samples of the base are in
// it too, with their values negated and with the label pprof::base = "true". Base and profile may be
// of different lengths and are not scaled: [BaseScale] is by how much a reader scales the base to
// compare shares, as the table of methods and the page do. A base in unlike units is scaled, which a comment says. The
// sum over all samples of a stack is thus its growth; a
// stack with samples of the base alone has vanished.
//
// # The weight of a sample
//
// Of an interval between two dumps, half of the CPU and half of the wall time belongs
// to the stack at each end of it. Where a thread waits (WAITING, TIMED_WAITING, BLOCKED) that
// CPU time is of [between samples] over the wait: it was not used for waiting. A dump shows a
// thread at the next safepoint poll, so *where in a method* it is, is biased; *how much* each
// thread used is the kernel's own figure.
package flame
