package classfile

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Held are the methods by which a class hands things to timers and schedulers, if each of its
// calls of them is to be due no sooner than after a time that the code itself tells: till then all
// of it is kept, though it be cancelled. The delay is the least of these times.
func (c *Class) Held(least time.Duration) (methods []string, delay time.Duration) {
	sooner, held := map[string]bool{}, map[string]bool{}
	for _, member := range c.handles {
		sooner[member] = true
	}
	delay = longestDelay
	for i := range c.Methods {
		m := &c.Methods[i]
		for at := range m.code {
			in := &m.code[at]
			if in.op != opCall || !isScheduler(in.member) || repeats(in) {
				continue
			}
			due := m.delay(at)
			if sooner[in.member] = sooner[in.member] || due < least; due >= least {
				held[in.member], delay = true, min(delay, due)
			}
		}
	}
	maps.DeleteFunc(held, func(member string, _ bool) bool { return sooner[member] })
	return slices.Sorted(maps.Keys(held)), delay
}

// isScheduler tells the methods that do something once, later, or again and again.
func isScheduler(member string) bool {
	switch beforeDot(member) {
	case "java.util.Timer", "java.util.concurrent.ScheduledExecutorService", "java.util.concurrent.ScheduledThreadPoolExecutor":
		return afterDot(member) == "schedule"
	}
	return false
}

// units are what the last arguments of schedulers say.
var units = map[string]time.Duration{
	"MILLISECONDS": time.Millisecond, "SECONDS": time.Second, "MINUTES": time.Minute, "HOURS": time.Hour, "DAYS": 24 * time.Hour,
}

// delay is the time that the instructions before a call push last, milliseconds unless a unit
// follows, zero if they do more than that, or come there in more ways than one.
func (m *Method) delay(call int) time.Duration {
	if !slices.Contains([]string{"LJ", "LJL"}, string(parameters(m.code[call].descriptor))) {
		return 0
	}
	at, unit := call-1, time.Millisecond
	switch before := m.before(call); {
	case m.isUnit(at):
		unit, at = units[afterDot(m.code[at].member)], at-1
	case before == "java.util.concurrent.TimeUnit.toMillis" && m.isUnit(m.numberAt(at-1)-1):
		at = m.numberAt(at - 1)
		unit = units[afterDot(m.code[at-1].member)]
	case before == "java.time.Duration.toMillis" && strings.HasPrefix(m.before(at), "java.time.Duration.of"):
		unit, at = units[strings.ToUpper(strings.TrimPrefix(m.before(at), "java.time.Duration.of"))], at-2
	}
	at = m.numberAt(at)
	if at < 0 || m.isReachedBetween(m.code[at].pc, m.code[call].pc) {
		return 0
	}
	number := max(0, m.code[at].number)
	if number > int64(longestDelay/max(unit, 1)) {
		return longestDelay
	}
	return time.Duration(number) * unit
}

// before is what is called right before an instruction, empty if nothing is.
func (m *Method) before(at int) string {
	if at < 1 || m.code[at-1].op != opCall {
		return ""
	}
	return m.code[at-1].member
}

// isUnit tells an instruction that pushes a unit of time.
func (m *Method) isUnit(at int) bool {
	return at >= 0 && m.code[at].code == getstatic && beforeDot(m.code[at].member) == "java.util.concurrent.TimeUnit"
}

// numberAt is where a number is pushed that an instruction pushes, or makes a long of.
func (m *Method) numberAt(at int) int {
	if at >= 0 && m.code[at].code == i2l {
		return at - 1
	}
	return at
}

// isReachedBetween reports that a branch leads behind one instruction, up to another.
func (m *Method) isReachedBetween(from, to int) bool {
	return slices.ContainsFunc(m.code, func(in instruction) bool { return in.op == opBranch && in.to > from && in.to <= to })
}

// longestDelay stands for all that are longer.
const longestDelay = 1 << 62 * time.Nanosecond
