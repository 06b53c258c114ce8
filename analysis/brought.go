package analysis

import "slices"

// bringers are the classes of the JDK, 8 to 28, in which its threads stand that bring results by
// themselves, the way as [Bytecode.Brings] calls it: as long as the program has asked for some.
// One that is timed has something to do when its time has come; the program may be given no
// result then, so that is for its class files to tell.
var bringers = [...]struct {
	class, way string
	timed      bool
}{
	{juc + "ScheduledThreadPoolExecutor$DelayedWorkQueue", delay, true},
	{juc + "DelayScheduler", delay, true}, // 25 and later
	{juc + "ScheduledThreadPoolExecutor$DelayedWorkQueue", "timeout", true},
	{juc + "DelayScheduler", "timeout", true},
	{"java.lang.ProcessHandleImpl", "exit", false},
	{"jdk.internal.net.http.HttpClientImpl$SelectorManager", "http", false},
	{"sun.nio.ch.EPollPort", "channel", false},
	{"sun.nio.ch.KQueuePort", "channel", false},
}

// delay is the way of what comes once its time has, other than to end a wait that takes too long.
const delay = "delay"

// broughtByJDK reports that a thread of the JDK may bring a result that the program has asked it for.
func (f *facts) broughtByJDK() bool { return len(f.broughtWays()) > 0 }

// bringsLater reports that results come by the program's class files after a delay.
func (f *facts) bringsLater() bool {
	return f.bytecode != nil && f.bytecode.Closed && f.broughtWays()[delay]
}

// broughtWays are the ways in which threads of the JDK may bring results.
func (f *facts) broughtWays() map[string]bool {
	if f.brought != nil {
		return f.brought
	}
	f.brought = map[string]bool{}
	closed := f.bytecode != nil && f.bytecode.Closed
	for _, b := range bringers {
		if closed && !slices.Contains(f.bytecode.Brings, b.way) || !closed && b.timed {
			continue
		}
		if slices.ContainsFunc(f.alive(), func(h *history) bool { return h.last().Stack.isInside(b.class, "") && (!b.timed || h.last().timed()) }) {
			f.brought[b.way] = true
		}
	}
	return f.brought
}
