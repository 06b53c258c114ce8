package threaddump

import (
	"bytes"
	"strings"
)

// stateByStack returns the state of a thread whose dump has no line for it: JDK 5, whose
// headers have the condition of the kernel's thread, and jstack -F, which has the state
// of the JVM's own machine ("BLOCKED" is of all that do not run). What the frames do not
// tell either is unknown.
//
//	waiting for monitor entry                      BLOCKED
//	in Object.wait(), under it Object.wait()       WAITING: the one without a limit calls the one with
//	waiting on condition, at LockSupport.park      WAITING; at parkNanos and parkUntil TIMED_WAITING
//	waiting on condition, at Thread.sleep          TIMED_WAITING
//	runnable                                       RUNNABLE
func stateByStack(condition string, stack []*Frame) (State, string) {
	switch condition {
	case "runnable", "IN_NATIVE", "IN_NATIVE_TRANS", "IN_VM", "IN_VM_TRANS", "IN_JAVA", "IN_JAVA_TRANS":
		return Runnable, ""
	case "waiting for monitor entry":
		return Blocked, "on object monitor"
	case "NEW", "UNINITIALIZED":
		return New, ""
	}
	if len(stack) == 0 {
		if condition == "waiting on condition" || condition == "BLOCKED" {
			return Runnable, "" // a thread of the JVM's, as newer dumps say
		}
		return StateUnknown, ""
	}
	if state, detail := waitByStack(stack); state != StateUnknown {
		return state, detail
	}
	if condition == "BLOCKED" && !stack[0].Native {
		return Blocked, "on object monitor"
	}
	return StateUnknown, ""
}

// waitByStack returns how a thread waits by its innermost frames.
func waitByStack(stack []*Frame) (State, string) {
	top := stack[0]
	switch {
	case top.Class == "java.lang.Thread" && strings.HasPrefix(top.Method, "sleep"):
		return TimedWaiting, "sleeping"
	case top.Class == "java.lang.Object" && strings.HasPrefix(top.Method, "wait"):
		if waitsForEver(stack) {
			return Waiting, "on object monitor"
		}
		return TimedWaiting, "on object monitor"
	case strings.HasSuffix(top.Class, ".Unsafe") && top.Method == "park":
		if len(stack) > 1 && (stack[1].Method == "parkNanos" || stack[1].Method == "parkUntil") {
			return TimedWaiting, "parking"
		}
		return Waiting, "parking"
	}
	return StateUnknown, ""
}

// waitsForEver recognises an Object.wait without a limit: wait() calls wait(0), and those that
// pass a limit on have a frame without it above.
func waitsForEver(stack []*Frame) bool {
	n := 1
	for n < len(stack) && stack[n].Class == "java.lang.Object" {
		n++
	}
	if n > 1 || n == len(stack) {
		return n > 1
	}
	caller := stack[n]
	again := n+1 < len(stack) && stack[n+1].Class == caller.Class && stack[n+1].Method == caller.Method
	switch caller.Class {
	case "java.lang.Thread", "java.lang.ref.ReferenceQueue":
		return again // join() calls join(0), remove() calls remove(0)
	}
	return false
}

// stateByLines returns the state of a thread of which a form has its locks and frames alone.
func stateByLines(locks []Lock, stack []*Frame) (State, string) {
	for _, l := range locks {
		if l.Op == WaitingToLock {
			return Blocked, "on object monitor"
		}
	}
	if len(stack) > 0 {
		return waitByStack(stack)
	}
	for _, l := range locks {
		if l.Op == Parking {
			return Waiting, "parking"
		}
	}
	return StateUnknown, ""
}

// parseState reads "TIMED_WAITING (parking)" (java_lang_Thread::thread_status_name).
func parseState(b []byte, in *Interner) (State, string, bool) {
	b = bytes.TrimRight(b, " ")
	name, detail := cutAt(b, ' ')
	if len(detail) > 0 && detail[0] != '(' {
		return StateUnknown, "", false
	}
	state := StateUnknown
	switch string(name) {
	case "NEW":
		state = New
	case "RUNNABLE":
		state = Runnable
	case "BLOCKED":
		state = Blocked
	case "WAITING":
		state = Waiting
	case "TIMED_WAITING":
		state = TimedWaiting
	case "TERMINATED":
		state = Terminated
	}
	if len(detail) == 0 {
		return state, "", state != StateUnknown
	}
	return state, in.string(bytes.TrimSuffix(detail[1:], []byte(")"))), state != StateUnknown
}
