package classfile

import (
	"slices"
	"time"
)

// Held are the methods by which a class hands things to timers and schedulers, if each of its
// calls of them is to be due no sooner than after a time that the code itself tells: till then all
// of it is kept, though it be cancelled.
func (c *Class) Held(least time.Duration) []string {
	sooner, held := slices.Clone(c.handles), []string{}
	for _, m := range c.Methods {
		for i, in := range m.code {
			if in.op != opCall || !isScheduling(in.member, in.descriptor) {
				continue
			}
			if delay(m.code[:i]) < least {
				sooner = append(sooner, in.member)
			}
			held = append(held, in.member)
		}
	}
	held = slices.DeleteFunc(held, func(member string) bool { return slices.Contains(sooner, member) })
	slices.Sort(held)
	return slices.Compact(held)
}

// isScheduling tells the methods that do something once, later.
func isScheduling(member, descriptor string) bool {
	switch beforeDot(member) {
	case "java.util.Timer", "java.util.concurrent.ScheduledExecutorService", "java.util.concurrent.ScheduledThreadPoolExecutor":
		return afterDot(member) == "schedule" && slices.Contains([]string{"LJ", "LJL"}, string(parameters(descriptor)))
	}
	return false
}

// units are what the last arguments of schedulers say.
var units = map[string]time.Duration{
	"MILLISECONDS": time.Millisecond, "SECONDS": time.Second, "MINUTES": time.Minute, "HOURS": time.Hour, "DAYS": 24 * time.Hour,
}

// delay is the time that the last of some instructions push, milliseconds unless a unit follows,
// zero if they do more than that.
func delay(code []instruction) time.Duration {
	unit := time.Millisecond
	if n := len(code); n > 0 && code[n-1].code == getstatic && beforeDot(code[n-1].member) == "java.util.concurrent.TimeUnit" {
		unit = units[afterDot(code[n-1].member)]
		code = code[:n-1]
	}
	if n := len(code); n > 0 && code[n-1].code == i2l {
		code = code[:n-1]
	}
	if len(code) == 0 {
		return 0
	}
	number := max(0, code[len(code)-1].number)
	if number > int64(longestDelay/max(unit, 1)) {
		return longestDelay
	}
	return time.Duration(number) * unit
}

// longestDelay stands for all that are longer.
const longestDelay = 1 << 62 * time.Nanosecond
