package eval

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/cli"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/threaddump"
)

const knownViolations = "../testdata/laws/known.tsv"

// law is a rule that holds for every input and everything derived from it.
type law struct {
	name string
	// oneIn is the share of the derived inputs that are tried without HEAVY=1.
	oneIn int
	check func(c *lawCheck, in *lawInput)
}

// lawKey names a derived input under a law.
type lawKey struct{ law, input, derived string }

// lawCheck collects what one law finds; its inputs are checked at the same time.
type lawCheck struct {
	t    *testing.T
	law  law
	idle []entry
	// known are the violations that the table lists.
	known map[lawKey]bool

	mu       sync.Mutex
	inputs   map[string]bool
	tried    map[lawKey]bool
	violated map[lawKey]string
	// clauses are the headlines of healthy programs that name threads which wait.
	clauses []string
}

// wants reports whether a derived input is in the sample.
func (c *lawCheck) wants(in *lawInput, name string) bool {
	key := lawKey{c.law.name, in.name, name}
	h := fnv.New32a()
	_, _ = h.Write([]byte(key.law + "\t" + key.input + "\t" + name))
	return os.Getenv("HEAVY") != "" || c.known[key] || h.Sum32()%uint32(c.law.oneIn) == 0
}

// try records a derived input and the violation in the report on it; an empty why is no violation.
func (c *lawCheck) try(in *lawInput, name, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := lawKey{c.law.name, in.name, name}
	c.inputs[in.name], c.tried[key] = true, true
	if why != "" {
		c.violated[key] = why
	}
}

var laws = []law{
	{"1 blind is not calm", 8, blindIsNotCalm},
	{"2 more never says less", 8, moreNeverSaysLess},
	{"2 idle libraries change nothing", 8, idleLibrariesChangeNothing},
	{"3 one truth", 40, oneTruth},
	{"4 whoever waits is shown", 4, whoeverWaitsIsShown},
	{"5 a claim names its proof", 4, claimsNameTheirProof},
	{"6 calm on health", 6, calmOnHealth},
}

// TestLaws derives inputs from all files of testdata that hold dumps, and checks the laws on the reports. It takes a
// sample that is always the same; HEAVY=1 takes all. Known violations are listed in testdata/laws/known.tsv. The test
// fails for a violation that is not in the list, and for one of the list that does not occur.
func TestLaws(t *testing.T) {
	inputs := lawInputs(t)
	if len(inputs) < 500 {
		t.Fatalf("only %d inputs", len(inputs))
	}
	eachInput(inputs, func(in *lawInput) { in.whole = reportOn(in.dumps...) })
	known := readKnown(t)
	idle := idleThreads(inputs)
	if len(idle) < 20 {
		t.Fatalf("only %d threads of idle libraries", len(idle))
	}
	for _, l := range laws {
		t.Run(l.name, func(t *testing.T) {
			c := &lawCheck{t: t, law: l, idle: idle, known: known, inputs: map[string]bool{},
				tried: map[lawKey]bool{}, violated: map[lawKey]string{}}
			eachInput(inputs, func(in *lawInput) { l.check(c, in) })
			t.Logf("%d inputs, %d derived, %d violations", len(c.inputs), len(c.tried), len(c.violated))
			c.compare()
			if float64(len(c.clauses)) > clausesAllowed*float64(len(c.inputs)) {
				t.Errorf("%d of %d headlines name threads that wait:\n%s", len(c.clauses), len(c.inputs),
					strings.Join(c.clauses, "\n"))
			}
		})
	}
}

// compare compares the violations with the list.
func (c *lawCheck) compare() {
	order := func(a, b lawKey) int {
		return cmp.Or(cmp.Compare(a.input, b.input), cmp.Compare(a.derived, b.derived))
	}
	var unknown, gone []lawKey
	for key := range c.violated {
		if !c.known[key] {
			unknown = append(unknown, key)
		}
	}
	for key := range c.known {
		if key.law == c.law.name && c.violated[key] == "" {
			gone = append(gone, key)
		}
	}
	slices.SortFunc(unknown, order)
	slices.SortFunc(gone, order)
	for _, key := range unknown {
		c.t.Errorf("%s\t%s\t%s\t%s", key.law, key.input, key.derived, c.violated[key])
	}
	for _, key := range gone {
		c.t.Errorf("%s, %s: does not occur; take it out of %s", key.input, key.derived, knownViolations)
	}
}

func readKnown(t *testing.T) map[lawKey]bool {
	t.Helper()
	text, err := os.ReadFile(knownViolations)
	if err != nil {
		t.Fatal(err)
	}
	known := map[lawKey]bool{}
	for line := range strings.Lines(string(text)) {
		if c := strings.Split(strings.TrimRight(line, "\n"), "\t"); len(c) >= 3 && !strings.HasPrefix(line, "#") {
			known[lawKey{c[0], c[1], c[2]}] = true
		}
	}
	return known
}

// eachInput visits inputs on all cores.
func eachInput(inputs []*lawInput, visit func(*lawInput)) {
	queue := make(chan *lawInput)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for in := range queue {
				visit(in)
			}
		})
	}
	for _, in := range inputs {
		queue <- in
	}
	close(queue)
	workers.Wait()
}

func proven(f *finding.Finding) bool { return f.Confidence == finding.Proven }

func all(*finding.Finding) bool { return true }

// named is the headline's text for evidence that a dump lacks without being cut: dumps of JDK 8 have no times at all.
var named = map[string]string{"without times": "CPU use unknown"}

// blindIsNotCalm removes evidence. If something was proven, the report on the rest must not be calm, unless its
// headline names what is missing.
func blindIsNotCalm(c *lawCheck, in *lawInput) {
	if len(unsaid(&analysis.Report{}, in.whole, proven)) == 0 {
		return
	}
	for _, d := range poorer(in.text) {
		if !c.wants(in, d.name) {
			continue
		}
		why := ""
		r := diagnosed(d.text)
		if r != nil && calm(r) && (named[d.name] == "" || !strings.Contains(r.Verdict.Summary, named[d.name])) {
			why = string(r.Verdict.State) + ": " + r.Verdict.Summary
		}
		c.try(in, d.name, why)
	}
}

// moreNeverSaysLess drops, repeats and adds dumps. The report on all dumps must have the findings of each dump alone.
func moreNeverSaysLess(c *lawCheck, in *lawInput) {
	n := len(in.dumps)
	repeat := func(name string, r func() *analysis.Report) {
		if c.wants(in, name) {
			c.try(in, name, strings.Join(unsaid(r(), in.whole, all), "; "))
		}
	}
	if n == 1 {
		repeat("repeated", func() *analysis.Report { return diagnosedOr(in.text+"\n"+in.text, in.whole) })
		return
	}
	repeat("last repeated", func() *analysis.Report {
		return reportOn(append(slices.Clone(in.dumps), in.dumps[n-1])...)
	})
	alone := make([]*analysis.Report, n)
	for i, d := range in.dumps {
		alone[i] = reportOn(d)
	}
	for from := range n {
		for to := from + 2; to <= n; to++ {
			some := alone[from:to]
			everywhere := func(f *finding.Finding) bool {
				return !slices.ContainsFunc(some, func(r *analysis.Report) bool { return !says(r, f) })
			}
			name := fmt.Sprintf("dumps %d to %d", from+1, to)
			if c.wants(in, name) {
				r := reportOn(in.dumps[from:to]...)
				c.try(in, name, strings.Join(unsaid(r, some[len(some)-1], everywhere), "; "))
			}
			if name += " without dates"; c.wants(in, name) {
				r := reportOn(undated(in.dumps[from:to])...)
				c.try(in, name, strings.Join(unsaid(r, some[len(some)-1], everywhere), "; "))
			}
		}
	}
}

// undated are copies of dumps without the time of their headers.
func undated(dumps []*threaddump.Dump) []*threaddump.Dump {
	var all []*threaddump.Dump
	for _, d := range dumps {
		other := *d
		other.Time = (&threaddump.Dump{}).Time
		all = append(all, &other)
	}
	return all
}

func diagnosedOr(text string, other *analysis.Report) *analysis.Report {
	if r := diagnosed(text); r != nil {
		return r
	}
	return other
}

// idleLibrariesChangeNothing adds threads of idle libraries. The state and the findings must stay the same.
func idleLibrariesChangeNothing(c *lawCheck, in *lawInput) {
	const name = "with idle libraries"
	text, ok := withIdle(in.text, c.idle)
	if !ok || !c.wants(in, name) {
		return
	}
	r, why := diagnosed(text), ""
	switch want := outline(diagnosed(in.text)); {
	case outline(r) != want:
		why = fmt.Sprintf("%q, not %q", outline(r), want)
	case r.Verdict.State != in.whole.Verdict.State:
		why = fmt.Sprintf("%s, not %s", r.Verdict.State, in.whole.Verdict.State)
	}
	c.try(in, name, why)
}

// run returns the output of jstall for some arguments and standard input, and its exit code.
func (c *lawCheck) run(input []byte, args ...string) (out string, code int) {
	var b, errs bytes.Buffer
	code = cli.Run(c.t.Context(), &shell.Env{Args: args, Stdin: bytes.NewReader(input), Stdout: &b, Stderr: &errs,
		Getenv: func(string) string { return "" }, ProcRoot: "/proc", Version: "test", Commit: "none"})
	return b.String() + errs.String(), code
}

// answer is the report of jstall on a file, in short.
func (c *lawCheck) answer(input []byte) (*analysis.Report, string) {
	path := filepath.Join(c.t.TempDir(), "dumps") // an archive is not read from a pipe
	if err := os.WriteFile(path, input, 0o600); err != nil {
		c.t.Error(err)
	}
	out, code := c.run(nil, "status", path, "--json")
	r := &analysis.Report{}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, line := range lines {
		if json.Unmarshal([]byte(line), r) == nil && r.Schema != 0 {
			break
		}
	}
	return r, fmt.Sprintf("exit %d, %s: %s\n%s", code, r.Verdict.State, r.Verdict.Summary, outline(r))
}

// oneTruth gives the same dumps in other forms. Packed and encoded they must have the same result; as ThreadInfo the
// last dump must have the same deadlocks and no other warning.
func oneTruth(c *lawCheck, in *lawInput) {
	names := []string{"gz", "zst", "zip", "recording", "UTF-16", "CRLF"}
	names = slices.DeleteFunc(names, func(name string) bool { return !c.wants(in, name) })
	if len(names) > 0 {
		_, want := c.answer([]byte(in.text))
		forms := packedForms(c.t, in.text)
		for _, name := range names {
			why := ""
			if _, got := c.answer(forms[name]); got != want {
				why = fmt.Sprintf("%.200q, not %.200q", got, want)
			}
			c.try(in, name, why)
		}
	}
	last := in.dumps[len(in.dumps)-1]
	if text, ok := infoJSON(last); ok && !last.Fragment && !strings.Contains(in.name, "dump_to_file") &&
		c.wants(in, "ThreadInfo") {
		whole, info := reportOn(last), diagnosedOr(text, nil)
		c.try(in, "ThreadInfo", infoDiffers(last, whole, info))
	}
}

// infoDiffers describes the deadlocks over locks that differ in the report on a dump as ThreadInfo. The form has no
// classes, no joins and no virtual threads.
func infoDiffers(d *threaddump.Dump, whole, info *analysis.Report) string {
	if info == nil {
		return "not read"
	}
	unsaidOf := map[int64]bool{}
	for _, th := range d.Threads {
		unsaidOf[th.ID] = th.Virtual || slices.ContainsFunc(th.Locks, func(l threaddump.Lock) bool {
			return l.Op == threaddump.WaitingForClassInit
		})
	}
	deadlock := func(f *finding.Finding) bool {
		return f.Kind == finding.KindDeadlock && f.Resource != nil && f.Resource.Address != "" &&
			slices.Contains([]string{"monitor", "ownable synchronizer"}, f.Resource.Type) &&
			!slices.ContainsFunc(f.Culprits, func(ref finding.ThreadRef) bool { return unsaidOf[ref.ID] })
	}
	if missing := unsaid(info, whole, deadlock); len(missing) > 0 {
		return "missing: " + strings.Join(missing, "; ")
	}
	if more := unsaid(whole, info, all); len(more) > 0 {
		return "more: " + strings.Join(more, "; ")
	}
	return ""
}

// ownFrame is a frame of a program of testdata: in the package com.acme or in none.
func ownFrame(f *threaddump.Frame) bool {
	return strings.HasPrefix(f.Class, "com.acme.") || !strings.Contains(f.Class, ".") &&
		!strings.Contains(f.Class, "$$Lambda") && f.File != ""
}

// waitingPlaces are the places of the program where threads wait without a time limit, and for each thread in how many
// dumps.
func waitingPlaces(all []*threaddump.Dump) map[string]map[string]int {
	places := map[string]map[string]int{}
	for _, d := range all {
		for _, th := range d.Threads {
			if th.State != threaddump.Waiting || th.ID == 0 || th.Virtual {
				continue
			}
			if i := slices.IndexFunc(th.Stack, ownFrame); i >= 0 && th.Name != "main" {
				place := th.Stack[i].Class + "." + th.Stack[i].Method
				if places[place] == nil {
					places[place] = map[string]int{}
				}
				places[place][strconv.FormatInt(th.ID, 10)]++
			}
		}
	}
	return places
}

// whoeverWaitsIsShown finds, from the dumps alone, the threads that wait without a time limit at one place of the
// program in all dumps. The text report must have the place.
func whoeverWaitsIsShown(c *lawCheck, in *lawInput) {
	if len(in.dumps) < 2 || !c.wants(in, "text") {
		return
	}
	places := waitingPlaces(in.dumps)
	out, _ := c.run([]byte(in.text), "status", "-", "--color", "never")
	flat := strings.Join(strings.Fields(out), " ")
	var missing []string
	for place, threads := range places {
		throughout := false
		for _, dumps := range threads {
			throughout = throughout || dumps == len(in.dumps)
		}
		short := place[strings.LastIndex(place[:strings.LastIndex(place, ".")], ".")+1:]
		if throughout && !strings.Contains(flat, short) {
			missing = append(missing, place)
		}
	}
	slices.Sort(missing)
	c.try(in, "text", strings.Join(missing, ", "))
}

var heldBy = regexp.MustCompile(`(?i)\b(held|owned|kept) by "([^"…]+)"`)

// claimsNameTheirProof: threads that a report names must be in the dumps, and the owner of an object in a proven
// finding must have it by a line of a dump. Without the thread the report must not name it.
func claimsNameTheirProof(c *lawCheck, in *lawInput) {
	if c.wants(in, "whole") {
		c.try(in, "whole", unproven(in.whole, in.dumps))
	}
	if !strings.Contains(in.text, "Full thread dump") {
		return
	}
	for _, f := range in.whole.Findings {
		for _, ref := range f.Culprits[:min(2, len(f.Culprits))] {
			name := "without " + strconv.Quote(ref.Name)
			if !c.wants(in, name) || f.Kind == finding.KindThreadLeak {
				continue
			}
			less := without(in.text, `"`+ref.Name+`"`)
			dumps, _ := threaddump.Parse([]byte(less))
			if less != in.text && len(dumps) > 0 {
				c.try(in, name, unproven(reportOn(dumps...), dumps))
			}
		}
	}
}

// seenThreads is what the lines of dumps show about threads, by name: every name that is mentioned, and the addresses
// of the objects that a thread holds or uses.
type seenThreads struct {
	named   map[string]bool
	objects map[string]map[string]bool
}

func (s *seenThreads) add(name string, address uint64) {
	if s.objects[name] == nil {
		s.objects[name] = map[string]bool{}
	}
	s.named[name] = true
	s.objects[name][finding.Hex(address)] = true
}

func seenIn(dumps []*threaddump.Dump) *seenThreads {
	s := &seenThreads{named: map[string]bool{}, objects: map[string]map[string]bool{}}
	for _, d := range dumps {
		byID := map[int64]string{}
		for _, th := range d.Threads {
			s.named[th.Name], byID[th.ID] = true, th.Name
		}
		for _, th := range d.Threads {
			for _, l := range slices.Concat(th.Locks, th.MountedLocks) {
				if l.OwnerName != "" {
					s.add(l.OwnerName, l.Address)
				} else if l.Owner != 0 {
					s.add(byID[l.Owner], l.Address)
				}
				if held(th, l) {
					s.add(th.Name, l.Address)
				}
			}
		}
		for _, dl := range d.Deadlocks {
			for _, m := range dl.Members {
				s.add(m.Thread, 0)
				s.add(m.HeldBy, m.Address)
			}
		}
	}
	return s
}

// unproven describes what a report names without a proof in the dumps.
func unproven(r *analysis.Report, dumps []*threaddump.Dump) string {
	seen := seenIn(dumps)
	var wrong []string
	for _, f := range r.Findings {
		holds := false
		for _, ref := range slices.Concat(f.Culprits, f.Victims) {
			if !seen.named[ref.Name] {
				wrong = append(wrong, fmt.Sprintf("%s names %q", f.ID, ref.Name))
			}
			holds = holds || f.Resource != nil && seen.objects[ref.Name][f.Resource.Address]
		}
		for _, m := range heldBy.FindAllStringSubmatch(f.Title, -1) {
			if !seen.named[m[2]] {
				wrong = append(wrong, fmt.Sprintf("%s quotes %q", f.ID, m[2]))
			}
		}
		if f.Kind == finding.KindLockContention && f.Confidence == finding.Proven && f.Resource != nil &&
			f.Resource.Address != "" && !holds {
			wrong = append(wrong, fmt.Sprintf("%s: no line shows who holds %s", f.ID, f.Resource.Address))
		}
	}
	return strings.Join(wrong, "; ")
}

// standsStill are programs that the tables list as healthy, for which a warning would be wrong, but in which threads
// wait for others through the whole capture: a hint as the headline is right.
var standsStill = map[string]string{
	"Fishwife": "three of three workers read an answer that takes ten seconds, two callers wait for their results",
}

// alarmIn is the warning in a report or the hint in its headline, unless a hint is right.
func alarmIn(r *analysis.Report, mayHint bool) string {
	for _, f := range slices.Backward(r.Findings) {
		if f.Severity != finding.Info {
			return fmt.Sprintf("%s %s %s", f.Severity, f.Kind, f.Title)
		}
	}
	if r.Verdict.State == analysis.Suspicious && !mayHint {
		return "headline: " + r.Verdict.Summary
	}
	return ""
}

// calmOnHealth: a healthy program must have no warning, and no hint in its headline, whatever is removed from its
// dumps. A clause about waiting threads claims nothing, and a lost signal looks the same, so it may be in a few of the
// headlines.
func calmOnHealth(c *lawCheck, in *lawInput) {
	if !in.healthy {
		return
	}
	program, _, _ := strings.Cut(filepath.Base(in.name), ".")
	judge := func(name string, r *analysis.Report) { c.try(in, name, alarmIn(r, standsStill[program] != "")) }
	judge("whole", in.whole)
	if strings.HasPrefix(in.whole.Verdict.Summary, "nothing proven") {
		c.mu.Lock()
		c.clauses = append(c.clauses, in.name+": "+in.whole.Verdict.Summary)
		c.mu.Unlock()
	}
	for i := range in.dumps {
		if name := fmt.Sprintf("dump %d alone", i+1); len(in.dumps) > 1 && c.wants(in, name) {
			judge(name, reportOn(in.dumps[i]))
		}
	}
	for _, d := range poorer(in.text) {
		if c.wants(in, d.name) {
			if r := diagnosed(d.text); r != nil {
				judge(d.name, r)
			}
		}
	}
	if text, ok := withIdle(in.text, c.idle); ok && c.wants(in, "with idle libraries") {
		judge("with idle libraries", diagnosed(text))
	}
}
