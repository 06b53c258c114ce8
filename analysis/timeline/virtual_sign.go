package timeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// VirtualSign is how certain it is, by dumps that do not list virtual threads, that the JVM has or had some.
type VirtualSign uint8

const (
	// VirtualNone is for JVMs before JDK 21, and for forms of dumps that show neither the release nor a virtual thread.
	VirtualNone VirtualSign = iota
	// VirtualPossible is for JVMs from JDK 21 on without any sign.
	VirtualPossible
	// VirtualNamed is for a thread with the name of a carrier; the workers of an executor of the program may have it
	// too.
	VirtualNamed
	// VirtualProven is for a carrier, a frame of a virtual thread or of code that waits for one, or a thread that the
	// JDK starts with the first virtual thread.
	VirtualProven
)

// firstVirtual is the first JDK with virtual threads.
const firstVirtual = 21

// UnseenVirtual is what dumps show of virtual threads that they do not list.
type UnseenVirtual struct {
	Sign VirtualSign
	// Sight is the sign that was found, as a sentence without its end; empty below VirtualNamed.
	Sight string
	// Why is the reason why they were not read from the JVM's memory, empty if that was not tried.
	Why string
}

// signOf finds the strongest sign of virtual threads in a dump, and describes it.
func signOf(d *threaddump.Dump) (VirtualSign, string) {
	major := MajorOf(d.Version)
	if major > 0 && major < firstVirtual {
		return VirtualNone, ""
	}
	named := ""
	if sight := carriersWords(d); sight != "" {
		return VirtualProven, sight
	}
	for _, t := range d.Threads {
		if sight := provesVirtual(t); sight != "" {
			return VirtualProven, sight
		}
		carrier := strings.HasPrefix(t.Name, "ForkJoinPool-1-worker-") && stack.ApplicationFrame(t.Stack) == nil
		if carrier && named == "" {
			named = finding.QuoteName(t.Name) + " may be a carrier of virtual threads"
		}
	}
	switch {
	case major == 0:
		return VirtualNone, ""
	case named != "":
		return VirtualNamed, named
	}
	return VirtualPossible, ""
}

// carriersWords describes the threads that carry virtual threads, empty if none does.
func carriersWords(d *threaddump.Dump) string {
	var carriers, carried []string
	for _, t := range d.Threads {
		if t.Carrying != 0 {
			carriers = append(carriers, finding.QuoteName(t.Name))
			carried = append(carried, fmt.Sprintf("#%d", t.Carrying))
		}
	}
	if len(carriers) == 0 {
		return ""
	}
	carry := finding.Verb(len(carriers), " carries virtual thread ", " carry virtual threads ")
	return finding.Listed(carriers) + carry + finding.Listed(carried)
}

// provesVirtual describes how a thread proves that there are virtual threads, empty if it does not. The threads that
// unpark and unblock virtual threads start with the first one that sleeps or, from JDK 24 on, that is made. Other JVMs
// do not have them.
func provesVirtual(t *threaddump.Thread) string {
	switch {
	case t.Virtual:
		return fmt.Sprintf("virtual thread #%d is in it", t.ID)
	case strings.HasPrefix(t.Name, "VirtualThread-un"):
		return "thread " + finding.QuoteName(t.Name) + " serves virtual threads"
	}
	if i := slices.IndexFunc(t.Stack, servesVirtual); i >= 0 {
		return finding.QuoteName(t.Name) + " is in " + t.Stack[i].Name()
	}
	return ""
}

// servesVirtual reports whether a frame is of a thread that runs virtual threads or waits for them.
func servesVirtual(f *threaddump.Frame) bool {
	return f.Class == "java.lang.VirtualThread" || f.Class == stack.JUC+"ThreadPerTaskExecutor" ||
		f.Class == "jdk.internal.misc.ThreadFlock"
}

// virtualSight is whether a dump lists virtual threads, or would if there were any, and what it shows of them if not.
type virtualSight struct {
	listed bool
	unseen UnseenVirtual
}

func sightOf(d *threaddump.Dump, instant bool) virtualSight {
	var s virtualSight
	// Dumps that Java code writes have no name of the JVM, and have all threads that the JDK tracks.
	written := !instant && d.JVM == "" && d.Version != ""
	isVirtual := func(t *threaddump.Thread) bool { return t.Virtual }
	nothing := d.VirtualMissing != "" && d.VirtualFound == 0
	s.listed = written || !nothing && (d.VirtualListed || slices.ContainsFunc(d.Threads, isVirtual))
	if !s.listed {
		s.unseen.Sign, s.unseen.Sight = signOf(d)
		s.unseen.Why = d.VirtualMissing
	}
	return s
}

// Unseen is what the dumps show of virtual threads if the last one does not list them; else the zero value.
func Unseen(f *Timeline) UnseenVirtual {
	if f.Written != nil || f.Last().virtual.listed {
		return UnseenVirtual{}
	}
	most := f.Last().virtual.unseen
	for _, s := range f.Snaps {
		isVirtual := func(t Sample) bool { return t.Thread.Virtual }
		switch {
		case most.Sign == VirtualProven:
		case s.virtual.unseen.Sign > most.Sign:
			most.Sign, most.Sight = s.virtual.unseen.Sign, s.virtual.unseen.Sight
		case slices.ContainsFunc(s.Samples, isVirtual):
			most.Sign, most.Sight = VirtualProven, s.Label()+" lists some"
		}
	}
	return most
}

// PartlySeen is the number of virtual threads that the last dump listing them lacks and has found, and the reason; why
// is empty if it lacks none.
func PartlySeen(f *Timeline) (missing, found int, why string) {
	for _, s := range slices.Backward(f.Snaps) {
		if !s.virtual.listed {
			continue
		}
		seen := 0
		for i := range s.Samples {
			if s.Samples[i].Thread.Virtual {
				seen += s.Samples[i].Size()
			}
		}
		return max(0, s.VirtualFound-seen), s.VirtualFound, s.VirtualMissing
	}
	return 0, 0, ""
}
