package threaddump

import "bytes"

// A debugger that reads the memory of a JVM prints its threads in this form, jstack -F up to JDK 8:
//
//	Attaching to process ID 4711, please wait...
//	JVM version is 25.392-b08
//	Deadlock Detection:
//
//	No deadlocks found.
//
//	Thread 22895: (state = BLOCKED)
//	 - java.lang.Object.wait(long) @bci=0 (Interpreted frame)
//	 - java.util.TimerThread.mainLoop() @bci=36, line=552 (Interpreted frame)
//
// JDK 5 on Solaris and macOS has t@ before the number. The number is the native id; names, Java ids and locks are
// not shown. The state is that of the JVM's own machine, which is BLOCKED for all that do not run; see stateByStack.
// (sun.jvm.hotspot.tools.StackTrace). jhsdb jstack has HotSpot's headers.
const debuggerText = "Thread "

func isDebuggerThread(line []byte) bool {
	i := bytes.Index(line, []byte(debuggerText))
	if i < 0 {
		return false
	}
	_, _, ok := cutDebuggerThread(line[i:])
	return ok
}

// cutDebuggerThread splits "Thread 22895: (state = BLOCKED)".
func cutDebuggerThread(line []byte) (id int64, state []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(debuggerText))
	if !ok {
		return 0, nil, false
	}
	rest = bytes.TrimPrefix(rest, []byte("t@"))
	n := spanOf(rest, isDigit)
	id, ok = parseInt(rest[:n])
	state, found := bytes.CutPrefix(rest[n:], []byte(": (state = "))
	return id, bytes.TrimRight(state, ") \r"), ok && found && id > 0
}
