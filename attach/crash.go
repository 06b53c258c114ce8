package attach

import (
	"cmp"
	"fmt"
	machine "runtime"
	"slices"
	"strconv"
	"strings"
)

// Crash is a bug of HotSpot by which a command can end the JVM. Where a JVM may have the bug, the command is not sent.
type Crash struct {
	// Bugs are the ids in the JDK's tracker, Why what goes wrong, as a clause.
	Bugs, Why string
	// Releases have the bug. Early-access builds of the feature release after the last one have it too: their version
	// does not show whether they have the fix.
	Releases []Releases
	// Collector is the garbage collector that the bug needs, as "Shenandoah", Arch the processor, as in GOARCH;
	// empty for any.
	Collector, Arch string
	// Instead is what to do instead, as an imperative; empty for another release alone.
	Instead string
	// With is the name of an option that the bug needs, Without that of one that rules it out; empty for none.
	With, Without string
}

// Releases are feature releases with a bug, from First to Last. Fixed is the first update with the fix, 0 if none is
// known: Fixed 3 of 25 is 25.0.3.
type Releases struct{ First, Last, Fixed int }

// hits reports whether a target may have the bug and the request needs what has it.
func (c Crash) hits(t Target, request []string) bool {
	switch {
	case c.Arch != "" && c.Arch != machine.GOARCH:
		return false
	case c.With != "" && !hasOption(request, c.With), c.Without != "" && hasOption(request, c.Without):
		return false
	case c.Collector != "" && !t.mayUse(c.Collector):
		return false
	}
	return c.isIn(t.release())
}

// isIn reports whether a JVM of the release may have the bug. An unknown release may.
func (c Crash) isIn(r release) bool {
	if r.major == 0 {
		return true
	}
	for i, known := range c.Releases {
		in := known.First <= r.major && r.major <= known.Last
		if in && (known.Fixed == 0 || r.update < known.Fixed || r.early && r.update == known.Fixed) {
			return true
		}
		if last := i == len(c.Releases)-1; last && r.early && r.major == known.Last+1 && r.update == 0 {
			return true
		}
	}
	return false
}

// hasOption reports whether a request sets an option and does not switch it off.
func hasOption(request []string, option string) bool {
	return slices.ContainsFunc(request[1:], func(word string) bool {
		name, value, _ := strings.Cut(strings.Trim(word, `"'`), "=")
		return strings.Trim(name, `"'`) == option && value != "false"
	})
}

// mayUse reports whether the target may use a garbage collector that must be asked for.
func (t Target) mayUse(collector string) bool {
	switch {
	case t.Collector != "":
		return t.Collector == collector
	case t.Options == nil || len(t.Unread) > 0:
		return true
	}
	return slices.Contains(t.Options, "-XX:+Use"+collector+"GC")
}

// release is a Java release; major is 0 if unknown.
type release struct {
	major, update int
	// early marks an early-access build, or one of which only major is known.
	early bool
}

// release reads the target's version: "25.0.5+9", "26-ea+12", "1.8.0_504".
func (t Target) release() release {
	number, _, _ := strings.Cut(strings.TrimPrefix(t.Version, "1."), "+")
	number, pre, _ := strings.Cut(number, "-")
	parts := strings.FieldsFunc(number, func(r rune) bool { return r == '.' || r == '_' })
	numbers := make([]int, 3)
	for i := range min(len(parts), len(numbers)) {
		n, err := strconv.Atoi(parts[i])
		if err != nil || n < 0 {
			return release{major: t.Major, early: true}
		}
		numbers[i] = n
	}
	if numbers[0] == 0 {
		return release{major: t.Major, early: true}
	}
	return release{major: numbers[0], update: numbers[2], early: pre != ""}
}

// refusal is the Error of a command that is not sent because of the bug.
func (c Crash) refusal(t Target, command string) *Error {
	return &Error{Phase: PhaseCheck, PID: t.PID, Code: CodeCrash,
		Cause: fmt.Sprintf("%s is not sent: %s (%s, in JDK %s; this is %s)",
			command, c.Why, c.Bugs, c.where(), t.named()),
		Remedy: cmp.Or(c.Instead, "no flag overrides this; run the application on a JDK without the bug")}
}

// where names the releases with the bug: "8 to 20, 21 before 21.0.7, 22 and 23".
func (c Crash) where() string {
	names := make([]string, len(c.Releases))
	for i, r := range c.Releases {
		switch {
		case r.Fixed > 0:
			names[i] = fmt.Sprintf("%d before %d.0.%d", r.First, r.Last, r.Fixed)
		case r.First == r.Last:
			names[i] = strconv.Itoa(r.First)
		case r.First+1 == r.Last:
			names[i] = fmt.Sprintf("%d and %d", r.First, r.Last)
		default:
			names[i] = fmt.Sprintf("%d to %d", r.First, r.Last)
		}
	}
	return strings.Join(names, ", ")
}

// String describes the bug: "24 and 25: JDK-8364343".
func (c Crash) String() string {
	where := c.where()
	if c.Collector != "" {
		where += " with " + c.Collector
	}
	if c.Arch != "" {
		where += " on " + c.Arch
	}
	if c.With != "" {
		where += " with the option " + c.With
	}
	return where + ": " + c.Bugs
}

// named is the release for people.
func (t Target) named() string {
	switch {
	case t.Version != "":
		return t.Version
	case t.Major > 0:
		return strconv.Itoa(t.Major)
	}
	return "an unknown release"
}
