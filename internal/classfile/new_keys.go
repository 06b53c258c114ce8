package classfile

import (
	"slices"
	"strings"
)

// What follows is for [value.ever]: which values equal none that was there before.

// newEver are methods of the JDK that give what they never gave before, by class.
var newEver = map[string]string{
	"java.util.UUID": " randomUUID ", "java.lang.System": " nanoTime currentTimeMillis ", "java.time.Instant": " now ",
	"java.util.concurrent.atomic.AtomicLong":    " incrementAndGet getAndIncrement addAndGet getAndAdd ",
	"java.util.concurrent.atomic.AtomicInteger": " incrementAndGet getAndIncrement addAndGet getAndAdd ",
}

// shortening are makers whose results may be the same though what they are made of is not.
const shortening = " charAt length substring abs min max floorDiv "

// isBlockingTake tells the methods by which a thread takes what another has handed over.
func isBlockingTake(class, name string) bool {
	return strings.HasPrefix(class, "java.util.concurrent.") && strings.Contains(class, "Blocking") && isOneOf(" take poll takeFirst ", name)
}

// equalsByParts tells a record that leaves it to its parts whether it equals another: arrays among them
// equal themselves alone.
func (p *program) equalsByParts(class string) bool {
	return p.supers[class] == "java.lang.Record" && slices.ContainsFunc(p.of[class], func(fl *flow) bool {
		return fl.name == "equals" && slices.ContainsFunc(fl.code, func(in instruction) bool { return in.code == invokedynamic })
	})
}

// addsTo reports that the instruction at a place writes back to a field what something was added to.
func addsTo(code []instruction, at int) bool {
	const far = 8
	if at == 0 || code[at-1].op != opCount && !(code[at-1].code >= dupX1 && at > 1 && code[at-2].op == opCount) {
		return false
	}
	return slices.ContainsFunc(code[max(0, at-far):at], func(in instruction) bool {
		return (in.code == getfield || in.code == getstatic) && in.member == code[at].member
	})
}

// noteWritten notes a field that is given what may have been there before.
func (fl *flow) noteWritten(p *program, in *instruction, v value) {
	if !v.ever && !p.same[in.member] && !p.counted[in.member] {
		p.same[in.member], fl.changed = true, true
	}
}

// isEver tells a field that never holds again what it, or the same field of another object, held before.
func (p *program) isEver(member string) bool { return p.written[member] && !p.same[member] }
