package analysis

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// UnseenVirtualThreads is the entry of Capture.Unseen for virtual threads.
const UnseenVirtualThreads = "virtual-threads"

// substantial is the number of virtual threads of which more than one must be missing to make a report unknown. A
// reading of memory leaves out threads that move at that moment, and those are not stuck.
const substantial = 10

// blindness describes the virtual threads that the input does not show. The cause may be in one of them.
type blindness struct {
	unseen timeline.UnseenVirtual
	// missing is how many of the found virtual threads are not listed, and why the reason; why is empty if all are
	// listed.
	missing, found int
	why            string
	// accepted is true if the verdict may rest on the platform threads alone.
	accepted bool
	// ways are what the reader can do to see them, the best first. live reports whether the caller gave ways for a
	// running JVM.
	ways []string
	live bool
	// cause is the reason without the way that it ends with, empty if ways are not from the reason.
	cause string
}

// blindTo finds out what the dumps do not show. Without ways, and if memory was not read, the way is to run the
// command, which reads memory.
func blindTo(f *timeline.Timeline, ways []string, command string) *blindness {
	b := &blindness{unseen: timeline.Unseen(f), ways: ways, live: ways != nil}
	b.missing, b.found, b.why = timeline.PartlySeen(f)
	if b.ways == nil && b.unseen.Why == "" && b.why == "" {
		b.ways = []string{"run " + command + " PID"}
	}
	if cause, way := cutWay(b.reason()); len(b.ways) == 0 && way != "" {
		b.cause, b.ways = cause, []string{way}
	}
	return b
}

// cutWay splits a reason from the way that it ends with, a clause with a flag of jstall. The way is empty if it has
// none.
func cutWay(reason string) (cause, way string) {
	at := strings.LastIndex(reason, "; ")
	if at < 0 || !strings.Contains(reason[at:], " --") {
		return reason, ""
	}
	return reason[:at], reason[at+len("; "):]
}

// unseenNow is the value of Capture.Unseen.
func (b *blindness) unseenNow() []string {
	if b.unseen.Sign == timeline.VirtualNone {
		return nil
	}
	return []string{UnseenVirtualThreads}
}

// isUnknown reports whether nothing can be said about a JVM whose visible threads have no problem.
func (b *blindness) isUnknown() bool {
	lacking := b.why != "" && b.missing*substantial > b.found
	return !b.accepted && (lacking || b.unseen.Sign == timeline.VirtualProven)
}

// clause is what a headline says about virtual threads that are not shown; empty if it says nothing.
func (b *blindness) clause() string {
	switch {
	case b.unseen.Sign == timeline.VirtualProven:
		return "virtual threads not shown"
	case b.unseen.Sign == timeline.VirtualNamed:
		return "virtual threads, if any, not shown"
	case b.why != "" && b.missing > 0:
		return fmt.Sprintf("%s of %s virtual threads not read", finding.Thousands(b.missing),
			finding.Thousands(b.found))
	case b.why != "":
		return "virtual threads may be missing"
	}
	return ""
}

// unknown is the verdict if the visible threads have no problem but others are not shown. It has the text, the clause,
// and as many of the ways as fit.
func (b *blindness) unknown(text string) Verdict {
	return Verdict{Unknown, b.withWays(text + "; " + b.clause())}
}

func (b *blindness) withWays(text string) string {
	room := maxHeadline - len(Unknown) - len(": ") - utf8.RuneCountInString(text)
	all := "; " + b.cause + "; " + strings.Join(b.ways, ", or ")
	if b.cause != "" && utf8.RuneCountInString(all) <= room {
		return text + all
	}
	for n := len(b.ways); n > 0; n-- {
		ways := "; " + strings.Join(b.ways[:n], ", or ")
		if n == 1 || utf8.RuneCountInString(ways) <= room {
			return text + ways
		}
	}
	if why := "; " + b.reason(); utf8.RuneCountInString(why) <= room {
		return text + why
	}
	return text
}

// behind is the clause to append to a text. It includes the best way if the verdict is unknown, or if the running JVM
// may have virtual threads.
func (b *blindness) behind() string {
	switch {
	case b.clause() == "":
		return ""
	case len(b.ways) > 0 && (b.isUnknown() || b.live && b.unseen.Sign == timeline.VirtualNamed):
		return "; " + b.clause() + "; " + b.ways[0]
	}
	return "; " + b.clause()
}

// reason is why the virtual threads are not shown.
func (b *blindness) reason() string {
	switch {
	case b.cause != "":
		return b.cause
	case b.why != "":
		return b.why
	case b.unseen.Why != "":
		return b.unseen.Why
	}
	return "this form of thread dump does not list them"
}

// acceptWay lets the reader do without the virtual threads.
const acceptWay = "add --platform-only for a verdict on the platform threads alone"

// failure is the error of a report whose verdict is unknown.
func (b *blindness) failure() *Failure {
	message := b.clause() + ": " + b.reason()
	if b.unseen.Sight != "" {
		message += "; " + b.unseen.Sight
	}
	return &Failure{Message: message, Remedy: strings.Join(append(slices.Clone(b.ways), acceptWay), ", or ")}
}

// note is a line for a report without the failure; empty if there is nothing to say. That virtual threads may exist
// without a sign of them matters only if nothing else is wrong.
func (b *blindness) note(state VerdictState) string {
	quiet := state == Ok || state == Suspicious || state == NoDeadlock
	switch {
	case state == Unknown, b.clause() == "" && (b.unseen.Sign == timeline.VirtualNone || !quiet):
		return ""
	case b.unseen.Sign == timeline.VirtualPossible && b.unseen.Why == "":
		return "this form of thread dump cannot show virtual threads; nothing indicates that there are any"
	case b.unseen.Sign == timeline.VirtualPossible:
		return "virtual threads were not read, and nothing indicates that there are any: " + b.reason()
	}
	text := b.clause() + ": " + b.reason()
	if b.unseen.Sight != "" {
		text += "; " + b.unseen.Sight
	}
	return text
}
