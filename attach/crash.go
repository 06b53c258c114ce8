package attach

import (
	"fmt"
	"strconv"
	"strings"
)

// crash is a bug of HotSpot that can end a JVM which executes a diagnostic command.
type crash struct {
	// command is the name of the diagnostic command.
	command string
	// bugs are the ids of the bug in the JDK's tracker.
	bugs string
	// why says what goes wrong, as a clause.
	why string
	// first and last are the feature releases with the bug. Of last and of the release after it, early-access builds
	// have it too: their number does not show whether they are older than the fix.
	first, last int
}

// crashes are the known ones. No update of 24 and 25 is known to have the fix: 25.0.5 crashes.
func crashes() []crash {
	return []crash{{
		command: "Thread.dump_to_file", bugs: "JDK-8364343", first: 24, last: 25,
		why: "it can end this JVM while virtual threads mount or unmount",
	}}
}

// has reports whether a JVM of the release may have the bug. An unknown release may.
func (c crash) has(r release) bool {
	switch {
	case r.major == 0:
		return true
	case r.early && r.major == c.last+1:
		return true
	}
	return c.first <= r.major && r.major <= c.last
}

// release is a Java release; major is 0 if unknown.
type release struct {
	major int
	// early marks an early-access build, or one whose version is not known in full.
	early bool
}

// release reads the target's version: "25.0.5+9", "26-ea+12", "1.8.0_504".
func (t Target) release() release {
	number, _, _ := strings.Cut(strings.TrimPrefix(t.Version, "1."), "+")
	number, pre, _ := strings.Cut(number, "-")
	feature, _, _ := strings.Cut(number, ".")
	major, err := strconv.Atoi(feature)
	if err != nil || major < 1 {
		return release{major: t.Major, early: true}
	}
	return release{major: major, early: pre != ""}
}

// Refusal returns why Execute never sends the command to the target: a known bug of the target's release can end the
// JVM. It is nil for a command that may be sent, and otherwise an *Error with CodeCrash. Nothing overrides it, also
// not Client.Force.
func (c *Client) Refusal(t Target, cmd Command) error {
	if e := refusal(t, cmd); e != nil {
		return e
	}
	return nil
}

func refusal(t Target, cmd Command) *Error {
	if cmd.Name != "jcmd" {
		return nil
	}
	for _, known := range crashes() {
		if cmd.executes(known.command) && known.has(t.release()) {
			return known.refusal(t)
		}
	}
	return nil
}

func (c crash) refusal(t Target) *Error {
	return &Error{Phase: PhaseCheck, PID: t.PID, Code: CodeCrash,
		Cause: fmt.Sprintf("%s is not sent: %s (%s, JDK %d and %d; this is %s)",
			c.command, c.why, c.bugs, c.first, c.last, t.named()),
		Remedy: "no flag overrides this; run the application on another release of the JDK"}
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

// executes reports whether a request has the diagnostic command in one of its lines. HotSpot skips white space before
// the name by isspace(3), which depends on the locale of the JVM: all that is neither printable ASCII nor a line feed
// counts as white space here.
func (c Command) executes(name string) bool {
	for _, arg := range c.Args {
		for line := range strings.SplitSeq(arg, "\n") {
			words := strings.FieldsFunc(line, func(r rune) bool { return r <= ' ' || r > '~' })
			if len(words) > 0 && words[0] == name {
				return true
			}
		}
	}
	return false
}
