package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Options shape a diagnosis. The zero value looks for everything.
type Options struct {
	// Kinds are the kinds of findings wanted, nil for all. The verdict rests on
	// these alone.
	Kinds []Kind
	// InvolvedOnly leaves out the rows of threads that no finding names.
	InvolvedOnly bool
}

func (o Options) wants(k Kind) bool { return o.Kinds == nil || slices.Contains(o.Kinds, k) }

func (o Options) deadlocksOnly() bool {
	return o.Kinds != nil && !slices.ContainsFunc(o.Kinds, func(k Kind) bool { return k != KindDeadlock && k != KindPoolDeadlock })
}

// detector finds one kind of fault in the facts. It may leave ID and ExplainedBy
// empty; explanation names what explains it.
type detector struct {
	kind   Kind
	detect func(*facts) []candidate
}

// ofVirtual are the kinds that are also looked for among the virtual threads that
// Java code in the JVM has listed beside the dumps.
var ofVirtual = [...]Kind{
	KindDeadlock, KindPoolDeadlock, KindLockContention, KindResourceExhausted, KindQueueFull,
}

// detectors are all that we know to look for, in the order of rank.
var detectors = [...]detector{
	{KindDeadlock, detectDeadlocks},
	{KindPoolDeadlock, detectPoolDeadlocks},
	{KindLockContention, detectContention},
	{KindResourceExhausted, detectExhausted},
	{KindQueueFull, detectFullQueues},
	{KindExecutorSaturated, detectSaturated},
	{KindSingleThreadBlocked, detectBlockedSingles},
	{KindVirtualThreadPinned, detectPinned},
	{KindSpin, detectSpin},
	{KindHotThread, detectHotThreads},
	{KindGCPressure, detectGCPressure},
	{KindHeapGrowth, detectHeapGrowth},
	{KindThreadLeak, detectThreadLeak},
	{KindMetaspaceGrowth, detectMetaspaceGrowth},
	{KindIOWait, detectIOWait},
	{KindCPUStarved, detectStarved},
	{KindJITPressure, detectJITPressure},
	{KindLimitNear, detectLimitNear},
}

// candidate is a finding on its way into the report.
type candidate struct {
	Finding
	// unlisted counts victims beside those that are named: virtual threads like them.
	unlisted int
	// behind tells effects of it that no list of victims shows, nil if there are none.
	behind func(effect *Finding) bool
	// elsewhere tells that it is on another JVM than the others.
	elsewhere bool
}

// Diagnose says what the observations of one JVM show. The caller adds what only
// it can know: the target's pid, what the capture cost. The report holds no nil
// list. The series may be added to and diagnosed again.
func Diagnose(s *Series, opts Options) *Report {
	r := &Report{
		Schema: SchemaVersion, Findings: []Finding{}, Threads: []ThreadReport{},
		Warnings: []string{}, Capture: Capture{FilesLeft: []string{}},
	}
	q := s.silence()
	if len(s.snaps) == 0 {
		withoutDump(r, s.lastAttempt())
		if q != nil {
			silentReport(r, q)
		}
		return r
	}
	moments, written := s.split()
	f := newFacts(arrange(moments))
	f.cycles = f.findCycles()
	if written != nil {
		f.writtenFacts = newFacts(arrange(written))
		f.written, f.writtenFacts.beside, f.writtenFacts.besideFacts = f.writtenFacts.timeline, f.timeline, f
		f.writtenFacts.cycles = f.writtenFacts.findCycles()
	}
	describe(r, f.timeline)
	r.Capture.DumpFiles = s.files()
	r.Findings = findings(f, opts)
	wanted := f.fewOr(involved(r.Findings))
	if opts.InvolvedOnly {
		wanted = involved(r.Findings)
	}
	r.Threads = append(threadReports(f.lockFacts, wanted), f.virtualRows(r.Findings)...)
	r.VirtualThreads = f.virtualThreads()
	r.Capture.VirtualUnseen = f.virtualUnseen()
	if q != nil {
		addSilence(r, q)
	}
	r.Verdict = verdict(r.Findings, f.timeline, opts.deadlocksOnly())
	switch {
	case f.fragment():
		r.Error = &Failure{
			Message: "the input is a fragment of a dump: it says nothing of the threads that are not in it",
			Remedy:  "take a whole dump: jstall dump PID > dump.txt, or jstack -l PID > dump.txt",
		}
	case r.Verdict.State == Unknown:
		r.Error = &Failure{Message: noLocksText, Remedy: noLocksRemedy}
	case f.noLocks():
		f.warn("whether threads are deadlocked or wait for locks is unknown: %s; %s", noLocksText, noLocksRemedy)
	}
	r.Warnings = append(r.Warnings, warnings(f.timeline)...)
	if a := s.lastAttempt(); a != nil {
		r.Warnings = append(r.Warnings, "a further dump could not be had: "+a.Phase+": "+a.Message)
	}
	return r
}

// withoutDump reports that nothing could be seen.
func withoutDump(r *Report, a *Attempt) {
	r.Verdict = Verdict{Unresponsive, "no thread dump could be had"}
	if a == nil {
		r.Verdict.State = Unknown
		r.Error = &Failure{Message: "no thread dump was given"}
		return
	}
	r.Verdict.Summary += ": " + a.Phase + ": " + a.Message
	r.Error = &Failure{Phase: a.Phase, Message: a.Message, Remedy: a.Remedy}
}

// describe fills in what the dumps say of the JVM and of the capture.
func describe(r *Report, f *timeline) {
	last := f.last()
	r.Target.JVM, r.Target.Version = last.jvm, last.version
	if len(f.others) > 0 {
		r.Target.File = strings.Join(sources(f.snaps), " ")
	}
	r.Capture.Dumps = len(f.snaps)
	r.Capture.ElapsedSeconds = inSeconds(f.wall())
	r.Capture.CPUSeconds = inSeconds(f.cpu())
	if c := last.counters; c != nil {
		r.Capture.HeapUsedBytes, r.Capture.HeapMaxBytes = inBytes(c.HeapUsed), inBytes(c.HeapMax)
	}
	describeMachine(&r.Capture, f)
}

// findings runs the detectors of the kinds that are wanted.
func findings(f *facts, opts Options) []Finding {
	var all []candidate
	for _, d := range detectors {
		if !opts.wants(d.kind) {
			continue
		}
		found := d.detect(f)
		if f.writtenFacts != nil && slices.Contains(ofVirtual[:], d.kind) {
			found = append(found, f.aboutVirtual(d.kind, d.detect(f.writtenFacts))...)
		}
		for _, c := range found {
			c.Kind = d.kind
			all = append(all, c)
		}
	}
	for _, rest := range [...]func(*facts, []candidate) []candidate{(*facts).sameCalls, (*facts).missedSignals} {
		for _, c := range rest(f, all) {
			if opts.wants(c.Kind) {
				all = append(all, c)
			}
		}
	}
	all = append(all, f.elsewhere(opts, all)...)
	f.answerItself(all)
	slices.SortStableFunc(all, compareCandidates)
	number(all)
	return explain(all)
}

// number gives every finding its ID and full lists.
func number(all []candidate) {
	next := map[Kind]int{}
	for i := range all {
		f := &all[i].Finding
		next[f.Kind]++
		f.ID = fmt.Sprintf("%s-%d", f.Kind, next[f.Kind])
		f.Culprits = notNil(f.Culprits)
		f.Victims = notNil(f.Victims)
		f.Evidence = notNil(f.Evidence)
		f.VictimCount = len(f.Victims) + all[i].unlisted
	}
}

func notNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// compareCandidates is the total order of findings: gravity, then how many
// threads each explains, then kind, then the first culprit, then what is left to
// tell two apart.
func compareCandidates(a, b candidate) int {
	return cmp.Or(
		cmp.Compare(gravity(&a.Finding), gravity(&b.Finding)),
		cmp.Compare(len(b.Culprits)+len(b.Victims), len(a.Culprits)+len(a.Victims)),
		cmp.Compare(kindRank(a.Kind), kindRank(b.Kind)),
		cmp.Compare(firstName(a.Culprits), firstName(b.Culprits)),
		cmp.Compare(firstName(a.Victims), firstName(b.Victims)),
		cmp.Compare(firstID(a.Culprits), firstID(b.Culprits)),
		cmp.Compare(firstID(a.Victims), firstID(b.Victims)),
		cmp.Compare(a.Title, b.Title),
	)
}

// gravity ranks by severity; what nothing but a restart ends is graver than what may.
func gravity(f *Finding) int {
	rank := 2 * severityRank(f.Severity)
	if f.Severity == Critical && stateOf(f) == Deadlocked {
		rank--
	}
	return rank
}

func severityRank(s Severity) int { return slices.Index([]Severity{Critical, Warning, Info}, s) }

func kindRank(k Kind) int { return slices.Index(kinds[:], k) }

func firstName(refs []ThreadRef) string {
	if len(refs) == 0 {
		return ""
	}
	return refs[0].Name
}

func firstID(refs []ThreadRef) int64 {
	if len(refs) == 0 {
		return 0
	}
	return refs[0].ID
}
