package locks

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// OneMoment reports whether the dumps show one point in time: there is one dump, or several that are too close together
// to show progress.
func OneMoment(f *timeline.Timeline) bool {
	wall := f.Wall()
	return len(f.Snaps) == 1 || wall.Known && wall.Value < timeline.ShortestMeasure
}

// waitLimit is what one dump shows about when the owner of a lock will continue.
type waitLimit uint8

const (
	GoesOn   waitLimit = iota // it works
	ByItself                  // its wait ends by itself: a sleep, a timed wait, a file
	ByOthers                  // its wait has no time limit and ends only when something else happens
)

// LimitOf judges the wait of a thread that holds a lock that others want.
func LimitOf(owner *timeline.Sample) waitLimit {
	switch {
	case owner.Stack.InPipe():
		return ByOthers // checks once a second whether the other end has ended
	case owner.Timed(), owner.Wait == stack.WaitSleep:
		return ByItself
	case timeline.IsIO(owner):
		return LimitOfIO(owner)
	}
	switch owner.Wait {
	case stack.WaitNotify, stack.WaitMonitor, stack.WaitClassInit, stack.WaitExclusive, stack.WaitShared,
		stack.WaitPermit, stack.WaitCondition, stack.WaitSignal, stack.WaitFuture, stack.WaitHandoff, stack.WaitPark:
		return ByOthers
	case stack.WaitSelect:
		return LimitOfIO(owner)
	}
	return GoesOn
}

// Unlimited reports whether a thread waits and nothing on its stack and in its state limits the wait. Waits for a file
// lock and for the other end of a FIFO count too.
func Unlimited(s *timeline.Sample) bool {
	switch s.Stack.Op.Kind {
	case stack.OpFileLock, stack.OpOpen:
		return !s.Timed() && timeline.IsIO(s)
	}
	return LimitOf(s) == ByOthers
}

// LimitOfIO distinguishes sockets, pipes and child processes, whose peer ends the wait, from files. A frame with
// "timed" in its name shows a read with a time limit (NioSocketImpl, JDK 13 and newer); in older releases no frame
// shows it.
func LimitOfIO(s *timeline.Sample) waitLimit {
	if s.Stack.HasTimedRead() {
		return ByItself
	}
	switch s.Stack.Op.Kind {
	case stack.OpRead, stack.OpWrite:
		if onFile(s.Stack) {
			return ByItself
		}
		return ByOthers
	case stack.OpAccept, stack.OpProcess, stack.OpConnect:
		return ByOthers
	}
	return ByItself
}

// fileClasses are prefixes of the classes that read and write files. A FileOutputStream may also write to a pipe, such
// as the standard output.
var fileClasses = [...]string{
	FileOutput, "java.io.FileInputStream", "java.io.RandomAccessFile", "sun.nio.ch.File", "java.nio.file.",
	"sun.nio.fs.",
}

// FileOutput is the class that writes files, and pipes such as the standard output.
const FileOutput = "java.io.FileOutputStream"

// onFile reports whether the stack reads or writes a file, by the classes of its innermost frames.
func onFile(s *stack.Stack) bool {
	return slices.ContainsFunc(s.Frames[:min(len(s.Frames), s.Op.Index+1)], func(f *threaddump.Frame) bool {
		return slices.ContainsFunc(fileClasses[:], func(c string) bool { return strings.HasPrefix(f.Class, c) })
	})
}

// ManyThreads is the number of threads in one blocking call that is worth a finding by itself. Pools of databases and
// of small services have ten threads by default: then all of them are blocked.
const ManyThreads = 10

// PoolWaiters is the least number of waiting threads that says something about their whole pool.
const PoolWaiters = 3
