package facts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// Phrase describes what a thread does, as Sample.Phrase. It adds the thread that is joined if only one fits, and the
// peer of I/O if the kernel shows it.
func (f *Facts) Phrase(s *timeline.Sample) string {
	if name := f.Locks.Joined(s); name != "" {
		return "waits for " + finding.QuoteName(name) + " to end"
	}
	if h := f.Timeline.History(s); timeline.IsIO(s) && h != nil && h.Last() == s {
		w := iowaits.Waiter{H: h, Op: s.Stack.Op.Kind, Children: iowaits.Children(f.Timeline)}
		w.DescribeFile(f.IOWaits)
		return "waits " + w.Words()
	}
	if seen := f.Timeline.AsPrinted(s); seen != nil {
		return cmp.Or(f.Base, f).Phrase(seen)
	}
	if f.Timeline.RestsInNative(s) {
		return "is in native code, with almost no CPU"
	}
	return resources.Phrase(s)
}

// HoldersWords describes who holds a resource, and what the holders do. That a thread is past the place where others
// acquire does not prove that it acquired: it may have taken another branch.
func (f *Facts) HoldersWords(holders []*timeline.Sample, evidence resources.HolderEvidence) string {
	who := resources.NameThreads(holders)
	switch {
	case evidence == resources.PastAcquire && len(holders) == 1:
		return finding.PossibleHolder + ": " + who + ", which " + f.Phrase(holders[0])
	case evidence == resources.InIO, evidence == resources.PastAcquire:
		return finding.PossibleHolder + "s: " + who + f.EachOf(holders)
	case evidence == resources.InTransaction:
		return finding.PossibleHolder + "s: " + who + " inside a transaction"
	case len(holders) == 1:
		return who + " holds one and " + f.Phrase(holders[0])
	}
	return who + " hold one each" + f.EachOf(holders)
}

// EachOf describes what each of several threads does; empty if they do different things.
func (f *Facts) EachOf(threads []*timeline.Sample) string {
	phrase := f.Phrase(threads[0])
	if slices.ContainsFunc(threads, func(s *timeline.Sample) bool { return f.Phrase(s) != phrase }) {
		return ""
	}
	return "; " + allDo(threads, phrase)
}

// Doing describes what threads do that block others.
func (f *Facts) Doing(holders []*timeline.Sample) string {
	phrase := f.Phrase(holders[0])
	for _, h := range holders {
		if f.Phrase(h) != phrase {
			return "they do different things"
		}
	}
	if len(holders) > 1 {
		return allDo(holders, phrase)
	}
	return "it " + phrase
}

// allDo describes what several threads do. The phrase begins with a verb in the third person.
func allDo(threads []*timeline.Sample, phrase string) string {
	who := "all "
	if timeline.SizeOf(threads) == 2 {
		who = "both "
	}
	verb, rest, _ := strings.Cut(phrase, " ")
	switch verb {
	case "is":
		verb = "are"
	case "does":
		verb = "do"
	default:
		verb = strings.TrimSuffix(verb, "s")
	}
	return strings.TrimSpace(who + verb + " " + rest)
}

// WaitedResource is the object that threads wait at; its class is empty if the dump does not show it.
func WaitedResource(kind string, s *timeline.Sample) *finding.Resource {
	r := &finding.Resource{Type: kind}
	if l := s.WaitsOn(); l != nil {
		r.Class = l.Class
		if l.Address != 0 {
			r.Address = finding.Hex(l.Address)
		}
	}
	return r
}

// ShortenAdvice is for a lock whose owner works while others wait.
const ShortenAdvice = "Shorten the section that holds this lock: move I/O and slow calls out of it."

// WaitAdvice is for a lock whose owner itself waits.
func WaitAdvice(owner *timeline.Sample) string {
	if owner.AsksByLibrary() {
		return "Do not call " + owner.LibraryCall() + " while holding this lock. If this is not possible, set a " +
			"short timeout on the call. Check the server that should answer."
	}
	call := owner.Stack.Op.Name()
	switch {
	case call == "":
		return "Do not wait while holding this lock."
	case owner.Stack.Op.Kind == stack.OpSleep:
		return "Do not call " + call + " while holding this lock."
	}
	return "Do not call " + call + " while holding this lock. If this is not possible, set a timeout on the call."
}

// holdersAdvice is WaitAdvice if other threads or processes must end the waits of all holders, else ShortenAdvice.
func holdersAdvice(holders []*timeline.Sample) string {
	if slices.ContainsFunc(holders, func(s *timeline.Sample) bool { return locks.LimitOf(s) != locks.ByOthers }) {
		return ShortenAdvice
	}
	return WaitAdvice(holders[0])
}

// BlameHolders names the threads whose frames show that they hold a lock without an owner in the dump.
func (f *Facts) BlameHolders(result *finding.Finding, q *locks.Queue) {
	holders := f.Locks.LikelyHolders(q.At, q.Waiters)
	if len(holders) == 0 {
		return
	}
	result.Confidence = finding.Likely
	behind, roots := f.Locks.RootsOf(q.At, holders)
	result.Culprits = f.Timeline.Refs(roots)
	result.Victims = append(result.Victims, f.Timeline.Refs(behind)...)
	result.Title = fmt.Sprintf("%s for %s held by %s while %s", f.Loops.WaitersWords(q), q.Object(),
		timeline.QuoteThreads(holders), f.Doing(holders)) +
		f.HeldBy(holders, behind, roots)
	result.Advice = holdersAdvice(holders) + " The owner is inferred from frames: " + locks.NoOwnerReason(q) + "."
	result.Evidence = append(result.Evidence, f.Timeline.FrameEvidence(q.At, holders)...)
}

// HeldBy completes the description of holders if all of them wait for what one thread holds.
func (f *Facts) HeldBy(holders, behind, roots []*timeline.Sample) string {
	if len(behind) < len(holders) || len(roots) != 1 {
		return ""
	}
	return fmt.Sprintf(" that %s holds while it %s", roots[0].Thread.Called(), f.Phrase(roots[0]))
}
