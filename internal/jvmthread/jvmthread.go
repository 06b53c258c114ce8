// Package jvmthread lists the threads that HotSpot makes for itself, by their names in JDK 5 to 28. Of a long name the
// kernel has a part. The package is pure.
package jvmthread

import (
	"slices"
	"strings"
)

// Job is what a thread does.
type Job uint8

const (
	Unknown Job = iota // not a name of HotSpot's
	GC                 // collects garbage
	JIT                // compiles
	VM                 // all others without Java code
	Hidden             // a Java thread that runs no Java code as a rule
	Java               // a Java thread that runs code of the JDK
)

// known are the names by job. Those of GC threads are beginnings, those of JIT threads have a number behind them.
var known = [...]struct {
	job   Job
	names []string
}{
	{GC, inPauses[:]},
	{GC, []string{"StringDedup", "G1 ", "Concurrent Mark-Sweep GC Thread", "CMS ", // CMS to 13
		"ZDirector", "ZDriver", "ZStat", "ZUncommitter", "ZUnmapper",
		"XDirector", "XDriver", "XStat", "XUncommitter", "XUnmapper", // ZGC without generations, 21 to 23
		"Shenandoah ", "ShenControl", "ShenUncommit", "ShenRegulator"}},
	{JIT, []string{"C1 CompilerThread", "C2 CompilerThread", "JVMCI CompilerThread", "CompilerThread"}},
	{VM, []string{"VM Thread", "VM Periodic Task Thread", "VM Dump Thread", "AsyncLog Thread", "JFR Sampler Thread",
		"JFR Thread Sampler", "JFR CPU Sampler Thread"}},
	{Hidden, []string{"Signal Dispatcher", "Attach Listener", "Service Thread", "DestroyJavaVM",
		"Monitor Deflation Thread", "Notification Thread", "Sweeper thread", "Surrogate Locker Thread (Concurrent GC)",
		"JFR Recorder Thread",
		// to 7
		"Surrogate Locker Thread (CMS)", "Low Memory Detector", "AdapterThread", "Suspend Checker Thread"}},
	{Java, []string{"Reference Handler", "Finalizer", "Common-Cleaner", "VirtualThread-unblocker"}},
}

// inPauses are the GC threads that work while the application is paused, in some collectors also while it runs.
var inPauses = [...]string{
	"GC Thread#", "GC task thread#", "ParGC Thread#", "Gang worker#", "ZWorker", "XWorker", "RuntimeWorker#",
	"Shenandoah GC Threads#", "ShenWorker#",
}

// JobOf is the job of the thread of a name, which may be the kernel's.
func JobOf(name string) Job {
	for _, k := range known {
		for _, n := range k.names {
			if k.job == GC && Begins(name, n) || k.job != GC && isName(name, n, k.job == JIT) {
				return k.job
			}
		}
	}
	return Unknown
}

// WorksInPauses reports whether the thread of a name, which may be the kernel's, works while the application is paused.
func WorksInPauses(name string) bool {
	return slices.ContainsFunc(inPauses[:], func(n string) bool { return Begins(name, n) })
}

// What the kernel has of a longer name: its beginning, or, from 27 on, beginning and end: "G1 Refi..ontrol".
const (
	limit = 15
	head  = 7
	gap   = ".."
)

// isGapped reports whether a name is the kernel's, without its middle, and begins as another.
func isGapped(name, other string) bool {
	return len(name) == limit && len(other) >= head && name[:head] == other[:head] && name[head:head+len(gap)] == gap
}

// Begins reports whether a name, which may be the kernel's, may be that of a thread whose name begins so.
func Begins(name, begin string) bool {
	if isGapped(name, begin) {
		return !strings.HasSuffix(begin, "#") || ends(begin, name)
	}
	return strings.HasPrefix(name, begin[:min(len(begin), limit)])
}

// ends reports whether a name ends as one without its middle does, but for its number.
func ends(whole, gapped string) bool {
	return strings.HasSuffix(whole, withoutNumber(gapped[head+len(gap):]))
}

// isName reports whether a name, which may be the kernel's, is the known one.
func isName(name, known string, numbered bool) bool {
	switch {
	case name == known, numbered && withoutNumber(name) == known:
		return true
	case isGapped(name, known):
		return ends(known, name)
	}
	return len(name) == limit && strings.HasPrefix(known, name)
}

func withoutNumber(name string) string { return strings.TrimRight(name, "0123456789") }
