package attach

import (
	"slices"
	"strings"
)

// Stop is what the application is stopped for by a command.
type Stop string

const (
	StopNone      Stop = "nothing"
	StopSafepoint Stop = "a safepoint"
	StopHeapWalk  Stop = "a heap walk"
	StopFullGC    Stop = "a full GC"
)

// Operation is a row of the table of what can be sent to a JVM: an operation of the attach protocol, or a diagnostic
// command, which the operation jcmd carries.
type Operation struct {
	// Name is that of the command, with the options that make it another row.
	Name string
	// Forms are the requests that jstall makes of it: words with one space between them, where * is any characters but
	// white space and control characters. A command without a form is sent only if a user types it; see Typed.
	Forms []string
	// Java reports whether the command runs Java code in the JVM.
	Java bool
	// Stop is what the application is stopped for.
	Stop Stop
	// Sender is which commands of jstall send it, for people.
	Sender string
	// Crashes are the bugs of HotSpot for which it is not sent to some JVMs.
	Crashes []Crash
	// Rare are bugs that depend on what cannot be seen from outside; it is sent nevertheless. For people, empty if none
	// is known.
	Rare string
}

// sends reports whether one of the forms is this request.
func (o Operation) sends(request []string) bool {
	return slices.ContainsFunc(o.Forms, func(form string) bool {
		return slices.EqualFunc(strings.Split(form, " "), request, fits)
	})
}

// fits reports whether a word of a request is what the form has in its place.
func fits(form, word string) bool {
	before, after, any := strings.Cut(form, "*")
	if !any {
		return form == word
	}
	return len(word) > len(before)+len(after) && strings.HasPrefix(word, before) && strings.HasSuffix(word, after) &&
		!strings.ContainsFunc(word, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// isOf reports whether a request, however its options are spelled, is of the diagnostic command of this row.
func (o Operation) isOf(request []string) bool {
	name, _, _ := strings.Cut(o.Name, " ")
	return len(request) > 0 && request[0] == name
}
