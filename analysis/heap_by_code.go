package analysis

import (
	"fmt"
	"slices"
	"strings"
)

// keptByCode are the calls by which things are put into collections, where by the class files
// none is taken out, and the heap has grown at one rate since the start of a JVM that has begun. Where things
// are taken out of other collections, more of what is made must stay.
func (f *facts) keptByCode(g growing) []string {
	if g.unseen && !f.bytecode.surelyKeeps() || g.kept < heapKeptByCode || !f.growsEver(g) {
		return nil
	}
	if f.bytecode.hasOfThreads() && f.threadsCameOrWent() || f.bytecode.heldNoLonger(g) {
		return nil
	}
	if in := f.bytecode.keeps(); len(in) > 0 || g.kept < heapKeptFilled {
		return in
	}
	return f.bytecode.filled()
}

// growsEver reports growth at one rate since the start of a JVM that has begun, other than of what it begins with, or of
// garbage.
func (f *facts) growsEver(g growing) bool {
	return g.steady && g.at >= heapSettled && !g.garbageToo && !f.finalizes() && !f.loadsFirst(g.perSecond)
}

// tellKept adds to a finding what the class files tell of what stays, by some calls.
func (f *facts) tellKept(finding *Finding, in []string) {
	b := f.bytecode
	if slices.ContainsFunc(b.Held, func(call string) bool { return slices.Contains(in, call) }) {
		finding.Advice = "What a timer or scheduler is given stays there until it is due, though cancelled: call Timer.purge(), or setRemoveOnCancelPolicy(true) of a ScheduledThreadPoolExecutor, or let one task look through all. " + finding.Advice
	}
	finding.Evidence = append([]Evidence{figure(b.keptWords(in))}, finding.Evidence...)
	if len(b.Unequal) > 0 {
		told, advice := removedInVain(b.Unequal[0])
		finding.Evidence, finding.Advice = append([]Evidence{figure(told)}, finding.Evidence...), advice+finding.Advice
	}
	if k, ok := asKept(in[0]); ok && k.key != "" {
		finding.Advice = giveEquals(k.key) + finding.Advice
	}
	if len(b.Broken) > 0 {
		finding.Advice = "Give " + b.Broken[0] + " an equals(Object) and a hashCode that agree. " + finding.Advice
	}
}

// keptWords say what the class files tell of what stays.
func (b *Bytecode) keptWords(in []string) string {
	if len(b.Broken) > 0 {
		return fmt.Sprintf("each new %s that is put into a hash table is another key: the class has no equals(Object) with a hashCode, by its class file", b.Broken[0])
	}
	if k, ok := asKept(in[0]); ok {
		if k.chained() {
			return fmt.Sprintf("each new %s that the program writes to %s%s keeps the one that was there before, by its class files (%d read)", strings.TrimSuffix(shortName(k.call), newObject), shortName(k.field), k.where(), b.Read)
		}
		return fmt.Sprintf("the program puts into %s (%s)%s again and again and never takes anything out of it, by its class files (%d read)%s", shortName(k.field), shortName(k.call), k.where(), b.Read, k.because())
	}
	where := "collections"
	switch len(b.Held) {
	case 0:
	case len(in):
		where = "timers"
	default:
		where = "timers and collections"
	}
	return fmt.Sprintf("the program puts into %s (%s) and takes nothing out, by its class files (%d read)", where, shortNames(in), b.Read)
}

// kept is one of [Bytecode.Filled]: a field, the call by which it is filled, the method and the line of that, and
// the class of the key if that has no equals.
type kept struct{ field, call, method, line, key string }

func asKept(text string) (k kept, ok bool) {
	words := strings.Split(text, "/")
	if len(words) < 2 {
		return k, false
	}
	k = kept{field: words[0], call: words[1]}
	if len(words) > 2 {
		k.method, k.line, _ = strings.Cut(words[2], ":")
	}
	if len(words) > 3 {
		k.key = words[3]
	}
	return k, true
}

// newObject ends the names of constructors.
const newObject = ".<init>"

// chained tells that each new object keeps the one before.
func (k kept) chained() bool { return strings.HasSuffix(k.call, newObject) }

// where says at which line that is, if it is known.
func (k kept) where() string {
	if k.line == "" || k.line == "0" {
		return ""
	}
	return " in line " + k.line + " of " + shortName(k.method)
}

// because says why nothing that was put there is found again, if that is known.
func (k kept) because() string {
	if k.key == "" {
		return ""
	}
	return fmt.Sprintf("; each new %s is another key there, as the class has no equals", k.key)
}

// grows says in a few words what becomes of the field, and which method does it.
func (k kept) grows() string {
	by := ""
	if k.method != "" && k.method+"()" != k.field {
		by = ", by " + shortName(k.method)
	}
	if k.chained() {
		return shortName(k.field) + " keeps all that it has held before" + by
	}
	return shortName(k.field) + " is only ever put into" + by
}

// growsWhere tells which collection grows, if the class files tell of one; empty else.
func (f *facts) growsWhere(in []string, late *backlog) string {
	if late != nil {
		return shortName(late.field) + " fills faster than it is emptied"
	}
	if len(in) == 0 {
		return ""
	}
	filled := f.bytecode.filled()
	if _, named := asKept(in[0]); named {
		filled = in
	}
	if len(filled) == 1 {
		k, _ := asKept(filled[0])
		return k.grows()
	}
	return ""
}

// heldNoLonger reports that what timers hold may begin to go before the heap is full.
func (b *Bytecode) heldNoLonger(g growing) bool {
	return b != nil && len(b.Held) > 0 && g.at+g.fullIn > b.HeldFor
}

// threadsCameOrWent reports that a thread of the program was started in the look, or ended.
func (f *facts) threadsCameOrWent() bool {
	return slices.ContainsFunc(f.threads, func(h *history) bool {
		return h.thread.program() && len(h.samples) < len(f.snaps)
	})
}

// shortNames lists calls without their packages.
func shortNames(calls []string) string {
	names := make([]string, len(calls))
	for i, call := range calls {
		names[i] = shortName(call)
	}
	return strings.Join(slices.Compact(names), ", ")
}

// newLambda is what [Bytecode] calls lambdas and method references that were just made.
const newLambda = "lambda"

// removedInVain tells of a removal that finds nothing, and what to do.
func removedInVain(class string) (told, advice string) {
	if class == newLambda {
		return "what is removed is a lambda or method reference that was just made, and equals none that was put there, by the class files",
			"Keep what is registered, and remove that very object. "
	}
	if words := strings.Split(class, "/"); len(words) == 3 {
		return fmt.Sprintf("%[3]s removes by a %[1]s what is put by a %[2]s, and finds nothing: the two are never equal, by the class files", words[0], words[1], words[2]),
			"Remove by the same type that it is put by: remove(Object) takes any. "
	}
	return "what is put under a new " + class + " is never found again: the class has no equals, by its class file", giveEquals(class)
}

func giveEquals(class string) string { return "Give " + class + " equals and hashCode. " }
