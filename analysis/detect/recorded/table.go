package recorded

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// table are all rules. Sums and rates are judged over windows of ten seconds (flight.Window).
var table = []row{
	{
		kind:   finding.KindLockContention,
		events: []detect.Event{{Name: "JavaMonitorEnter", Hides: "waits for monitors"}},
		// The average number of threads that wait. A caller notices a tenth of the time of one thread. From one thread
		// on, a thread waits at every moment: the lock bounds what can be done.
		figures: waitsFor(func(r *flight.Recording) []flight.Waits { return r.Monitors }, 0),
		noticed: 0.1, warning: 1,
		say:    lock("monitor"),
		advice: shortenSection,
	},
	{ // as for monitors; the events do not name the owner
		kind:    finding.KindLockContention,
		events:  []detect.Event{{Name: "ThreadPark", Hides: "waits for locks"}},
		figures: waitsFor(func(r *flight.Recording) []flight.Waits { return r.Locks }, 0),
		noticed: 0.1, warning: 1,
		say:    lock("ownable synchronizer"),
		advice: shortenSection,
	},
	{
		kind:   finding.KindVirtualThreadPinned,
		events: []detect.Event{{Name: "VirtualThreadPinned"}},
		// The share of the carriers. A tenth of them is noticed, with half of them the others wait for a carrier.
		figures: carriers,
		noticed: 0.1, warning: 0.5,
		say: pinned,
		advice: "Replace synchronized by a ReentrantLock around the call that waits (JDK 24 and newer do not pin " +
			"there), or move native calls that wait to platform threads.",
	},
	{
		kind:   finding.KindGCPressure,
		events: []detect.Event{{Name: "GarbageCollection", Hides: "pauses of collections"}},
		// The share of the time in which the application is stopped. A tenth is a second without an answer. A quarter
		// is more than collectors are set to take at most (GCTimeRatio of Parallel allows 1 %, of G1 8 %), and the rest
		// is not enough for busy threads. At nine tenths the program hardly runs.
		figures: stopsFor(func(r *flight.Recording) flight.Stops { return r.Pauses }),
		noticed: 0.1, warning: 0.25, critical: 0.9,
		say: pauses,
		advice: "Find what allocates: jstall flame FILE.jfr --event alloc. If most of the heap lives after full " +
			"collections, raise -Xmx.",
	},
	{
		kind:   finding.KindGCPressure,
		events: []detect.Event{{Name: "GCHeapSummary"}, {Name: "GCHeapConfiguration"}, {Name: "GarbageCollection"}},
		// The number of full collections in a row. After one alone a large request may have been in progress.
		figures: fullHeap,
		noticed: 1, warning: 2,
		say: heapAfterCollections,
	},
	{
		kind:   finding.KindGCPressure,
		events: []detect.Event{{Name: "JavaErrorThrow"}},
		// The number of OutOfMemoryErrors in one place. One is enough, as a program is not written to go on after it.
		// The JVM's own errors of a full heap are made without an event.
		figures: memoryErrors,
		noticed: 1, warning: 1,
		say:    memoryError,
		advice: "Find what takes the memory that the message names, or raise its limit.",
	},
	{
		kind: finding.KindHotThread,
		events: []detect.Event{{Name: "CPULoad", Hides: "the CPU load"},
			{Name: "ExecutionSample", Hides: "running methods"}},
		// The JVM's share of all CPUs from which on more work only waits longer. It is a hint: a computation may use
		// what there is.
		figures: ownCPU,
		noticed: 0.9,
		say:     hotMethods,
		advice:  "See which calls use the CPU: jstall flame FILE.jfr.",
	},
	{
		kind:   finding.KindCPUStarved,
		events: []detect.Event{{Name: "CPULoad"}},
		// The share of all CPUs in use from which on threads wait for one. It is a hint: the events do not show how
		// long the JVM's threads waited for a CPU.
		figures: othersCPU,
		noticed: 0.9, confidence: finding.Likely,
		say: func(f figure) finding.Candidate {
			most := flight.Worst(f.when)
			return words(fmt.Sprintf("other processes used the CPU: %s in use, %s by this JVM, %s",
				finding.Percent(most.Sum), finding.Percent(meanIn(f.OwnCPU, most)), f.When([]flight.Spell{most})),
				"the CPUs were in use by others "+f.When(f.when))
		},
		advice: "Find the process with top on that machine. Move it or this JVM, or add cores.",
	},
	{
		kind:   finding.KindCPUStarved,
		events: []detect.Event{{Name: "ContainerCPUThrottling"}},
		// The share of the quota's periods at whose end all threads had to wait for the next one. In a tenth of them
		// calls take up to a tenth of a second longer; where it is every second one, the program needs more than it
		// has.
		figures: rate(func(r *flight.Recording) flight.Series { return r.Throttled }),
		noticed: 0.1, warning: 0.5,
		say: func(f figure) finding.Candidate {
			return words(fmt.Sprintf("the CPU quota of the container was used up in %s of its periods, %s",
				finding.Percent(f.share()), f.Worst(f.when)),
				"the JVM was stopped by the quota "+f.When(f.when))
		},
		advice: "Raise the CPU limit of the container, or give the JVM fewer threads that run at once.",
	},
	{
		kind:   finding.KindIOWait,
		events: []detect.Event{{Name: "SocketRead", Hides: "reads of connections"}},
		// The average number of threads that wait. That a call to another process takes time is its nature: one thread
		// must wait at every moment, and one answer take as long as a person notices. Only what a library read on
		// behalf of the application is a wait for an answer: a thread that reads a connection itself may wait for the
		// next request. It is a hint: a long poll looks the same.
		figures: waitsFor(func(r *flight.Recording) []flight.Waits { return r.Replies }, time.Second),
		noticed: 1, confidence: finding.Possible,
		say: func(f figure) finding.Candidate {
			c := waitedFor(f, "for answers of ")
			c.Advice = "Check " + f.waits.Peer + " at that time. Set a read timeout on the connection."
			return c
		},
	},
	{
		kind:   finding.KindIOWait,
		events: []detect.Event{{Name: "FileRead"}},
		// The average number of threads that wait. A file is read in far less than the shortest recorded read (20 ms):
		// a tenth of the time of one thread is much.
		figures: waitsFor(func(r *flight.Recording) []flight.Waits { return r.Files }, 0),
		noticed: 0.1,
		say:     func(f figure) finding.Candidate { return waitedFor(f, "to read ") },
		advice:  "Check the disk or network mount of this file at that time.",
	},
	{
		kind:   finding.KindSlowSafepoint,
		events: []detect.Event{{Name: "SafepointStateSynchronization"}, {Name: "SafepointBegin"}},
		// The share of the time in which the application is stopped for this, as for garbage collections. The events do
		// not show which thread was late.
		figures: stopsFor(func(r *flight.Recording) flight.Stops { return r.Safepoints }),
		noticed: 0.1, warning: 0.25,
		say: func(f figure) finding.Candidate {
			s, worst := f.stops, flight.Worst(f.when).Sum
			return words(fmt.Sprintf("all threads stood still for %s until the last one came to a safepoint, %s; "+
				"longest %s", span(time.Duration(worst*float64(time.Second))), f.Worst(f.when), span(s.Longest)),
				fmt.Sprintf("%s, %s in total, longest %s at %s", finding.Counted(int(s.Count), "recorded safepoint"),
					span(s.Total), span(s.Longest), f.Clock(s.LongestAt)))
		},
		advice: "Log the late threads with -Xlog:safepoint*=debug, or with -XX:+SafepointTimeout and " +
			"-XX:SafepointTimeoutDelay=500. Long loops over int and large copies of arrays are the usual causes, " +
			"then a machine that swaps.",
	},
	{
		kind:   finding.KindExceptions,
		events: []detect.Event{{Name: "ExceptionStatistics"}, {Name: "JavaExceptionThrow"}, {Name: "JavaErrorThrow"}},
		// Exceptions a second. So many cost a tenth of a core: filling in the stack of one takes some ten microseconds
		// at the depth that server programs have. It is a hint.
		figures: rate(func(r *flight.Recording) flight.Series { return r.Thrown }),
		noticed: 10_000,
		say:     exceptions,
		advice:  "Do not use exceptions for what is usual, or make them without a stack.",
	},
	{
		kind:   finding.KindThreadLeak,
		events: []detect.Event{{Name: "JavaThreadStatistics"}},
		// How many times as many threads there are in the end. It is a hint: the dumps show whose threads they are.
		figures: moreThreads,
		noticed: 1.5,
		say:     threadsGrew,
		advice:  "See whose threads they are: jstall threads FILE.jfr, or jstall PID.",
	},
}

const shortenSection = "Shorten the section that holds this lock: move I/O and slow calls out of it. " +
	"If that is not enough, use several locks."
