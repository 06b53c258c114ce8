package analysis_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// carrier runs virtual thread #30.
func carrier(t *threaddump.Thread) {
	t.Carrying, t.State, t.Condition = 30, threaddump.StateUnknown, ""
}

// sees diagnoses a dump of a release with one thread in addition to main.
func sees(version string, th *threaddump.Thread, opts analysis.Options) *analysis.Report {
	d := Dump(Thread(1, "main", At("App.main"), Sleeping), th)
	d.Version = version
	s := timeline.NewSeries()
	s.Add(Saved(d))
	return analysis.Diagnose(s, opts)
}

func TestUnseenVirtualThreads(t *testing.T) {
	worker := Thread(5, "ForkJoinPool-1-worker-1", At("java.util.concurrent.ForkJoinPool.awaitWork"))
	for _, c := range []struct {
		name, version string
		thread        *threaddump.Thread
		state         analysis.VerdictState
		// headline and note are parts of theirs; "-" is no word on virtual threads.
		headline, note string
		unseen         bool
	}{
		{"a carrier", "25.0.3+9", Thread(5, "a", carrier), analysis.Unknown, "virtual threads not shown; run", "-",
			true},
		{"a carrier of an unknown release", "", Thread(5, "a", carrier), analysis.Unknown, "not shown; run", "-", true},
		{"the thread that unblocks", "25.0.3+9", Thread(5, "VirtualThread-unblocker"), analysis.Unknown,
			"no problem in 2 platform threads; virtual", "-", true},
		{"the thread that unparks", "21.0.13+9", Thread(5, "VirtualThread-unparker"), analysis.Unknown, "", "-", true},
		{"one that joins", "21.0.13+9", Thread(5, "b", At("java.lang.VirtualThread.joinNanos", "App.run"),
			In(threaddump.Waiting)), analysis.Unknown, "", "-", true},
		{"a carrier by its frames", "21.0.13+9", Thread(5, "b", At("java.lang.VirtualThread.runContinuation")),
			analysis.Unknown, "", "-", true},
		{"an executor that closes", "21.0.13+9", Thread(5, "b",
			At("java.util.concurrent.ThreadPerTaskExecutor.awaitTermination", "App.run"), In(threaddump.Waiting)),
			analysis.Unknown, "", "-", true},
		{"a scope that joins", "25.0.3+9", Thread(5, "b",
			At("jdk.internal.misc.ThreadFlock.awaitAll", "App.run"), In(threaddump.Waiting)),
			analysis.Unknown, "", "-", true},
		{"a name, 21", "21.0.13+9", worker, analysis.Ok, "virtual threads, if any, not shown", "may be a carrier",
			true},
		{"a name, 25", "25.0.3+9", worker, analysis.Ok, "virtual threads, if any, not shown", "may be a carrier", true},
		{"no sign", "21.0.13+9", Thread(5, "x"), analysis.Ok, "-", "cannot show virtual threads", true},
		{"a pool of the program", "21.0.13+9", Thread(5, "ForkJoinPool-1-worker-1",
			At("java.lang.Thread.sleep", "App.run"), Sleeping), analysis.Ok, "-", "cannot show virtual threads", true},
		{"JDK 17", "17.0.15+6", worker, analysis.Ok, "-", "-", false},
		{"JDK 8", "25.504-b01", Thread(5, "a", carrier), analysis.Ok, "-", "-", false},
		{"an unknown release", "", worker, analysis.Ok, "-", "-", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := sees(c.version, c.thread, analysis.Options{})
			if r.Verdict.State != c.state || (r.Error != nil) != (c.state == analysis.Unknown) {
				t.Errorf("%+v, %v", r.Verdict, r.Error)
			}
			if !has(r.Verdict.Summary, c.headline) || !has(strings.Join(r.Warnings, "; "), c.note) {
				t.Errorf("%q, %q; want %q, %q", r.Verdict.Summary, r.Warnings, c.headline, c.note)
			}
			if got := slices.Equal(r.Capture.Unseen, []string{"virtual-threads"}); got != c.unseen {
				t.Errorf("unseen %q", r.Capture.Unseen)
			}
			accepted := sees(c.version, c.thread, analysis.Options{PlatformOnly: true})
			if accepted.Verdict.State != analysis.Ok || accepted.Error != nil || !slices.Equal(accepted.Capture.Unseen,
				r.Capture.Unseen) {
				t.Errorf("accepted: %+v, %v", accepted.Verdict, accepted.Error)
			}
			checkDeadlocks(t, c.version, c.thread, c.state, c.unseen)
		})
	}
}

// has reports whether a text has a part. The part "-" stands for no mention of virtual threads.
func has(text, part string) bool {
	if part == "-" {
		return !strings.Contains(text, "virtual")
	}
	return strings.Contains(text, part)
}

// Each thread that carries a virtual thread is named.
func TestCarriersAreNamed(t *testing.T) {
	other := Thread(6, "b", carrier)
	other.Carrying = 31
	r := DiagnoseDumps(Dump(Thread(5, "a", carrier), other))
	const want = `"a" and "b" carry virtual threads #30 and #31`
	if r.Error == nil || !strings.Contains(r.Error.Message, want) {
		t.Errorf("%+v, want %s", r.Error, want)
	}
}

func checkDeadlocks(t *testing.T, version string, th *threaddump.Thread, state analysis.VerdictState, unseen bool) {
	t.Helper()
	only := analysis.Options{Kinds: []finding.Kind{finding.KindDeadlock, finding.KindPoolDeadlock}}
	r := sees(version, th, only)
	want, headline := analysis.NoDeadlock, "no deadlock in 1 dump"
	switch {
	case state == analysis.Unknown:
		want = analysis.Unknown
		headline = "no deadlock in 2 platform threads; virtual threads not shown; run jstall deadlock PID"
	case unseen:
		headline = "no deadlock among platform threads in 1 dump"
	}
	if r.Verdict.State != want || !strings.HasPrefix(r.Verdict.Summary, headline) {
		t.Errorf("deadlocks: %+v, want %s: %s", r.Verdict, want, headline)
	}
	only.PlatformOnly = true
	if r := sees(version, th, only); r.Verdict.State != analysis.NoDeadlock || r.Error != nil {
		t.Errorf("deadlocks, accepted: %+v", r.Verdict)
	}
}

// TestFindingsWhereVirtualThreadsAreUnseen: a warning leads as ever, a hint does not.
func TestFindingsWhereVirtualThreadsAreUnseen(t *testing.T) {
	diagnose := func(threads ...*threaddump.Thread) *analysis.Report {
		s := timeline.NewSeries()
		s.Add(Saved(Dump(append(threads, Thread(50, "c", carrier))...)))
		return analysis.Diagnose(s, analysis.Options{})
	}
	if r := diagnose(Crossed()...); r.Verdict.State != analysis.Deadlocked || r.Error != nil ||
		!strings.Contains(strings.Join(r.Warnings, " "), "virtual threads not shown") {
		t.Errorf("%+v, %v, %q", r.Verdict, r.Error, r.Warnings)
	}
	hint := Behind(3, 0xa0)
	without := DiagnoseDumps(Dump(hint...))
	r := diagnose(hint...)
	lead, _, _ := strings.Cut(without.Verdict.Summary, " (")
	if without.Verdict.State != analysis.Suspicious || r.Verdict.State != analysis.Unknown ||
		!strings.HasPrefix(r.Verdict.Summary, lead) ||
		!strings.HasSuffix(r.Verdict.Summary, "not shown; run jstall PID") {
		t.Errorf("%+v; with a carrier %+v", without.Verdict, r.Verdict)
	}
}

// TestPartlyReadVirtualThreads: a few missing virtual threads are reported; if many are missing the verdict is unknown.
func TestPartlyReadVirtualThreads(t *testing.T) {
	for _, c := range []struct {
		found int
		why   string
		state analysis.VerdictState
		part  string
	}{
		{10, "", analysis.Ok, "-"},
		{11, "torn", analysis.Ok, "no problem found in the threads that were read; 1 of 11 virtual threads not read"},
		{10, "not tracked", analysis.Ok, "virtual threads may be missing"},
		{12, "torn", analysis.Unknown,
			"no problem in the threads that were read; 2 of 12 virtual threads not read; torn"},
		{5000, "torn", analysis.Unknown, "4,990 of 5,000 virtual threads not read"},
	} {
		d := Dump(Thread(1, "main", At("App.main"), Sleeping), Thread(50, "c", carrier))
		d.VirtualListed, d.VirtualFound, d.VirtualMissing = true, c.found, c.why
		for i := range 10 {
			d.Threads = append(d.Threads, Virtual(int64(100+i), "v", At("java.lang.VirtualThread.park"),
				In(threaddump.Waiting)))
		}
		r := DiagnoseDumps(d)
		if r.Verdict.State != c.state || !has(r.Verdict.Summary, c.part) || r.Capture.Unseen != nil {
			t.Errorf("%d found, %s: %+v", c.found, c.why, r.Verdict)
		}
	}
	d := Dump(Thread(50, "c", carrier)) // none at all
	d.VirtualListed, d.VirtualMissing = true, "the JVM does not track them"
	if r := DiagnoseDumps(d); r.Verdict.State != analysis.Unknown || r.Capture.Unseen == nil ||
		!strings.Contains(r.Verdict.Summary, "the JVM does not track them") {
		t.Errorf("%+v", r.Verdict)
	}
}

// A reason that ends with what the reader can do gives the remedy of the report.
func TestWaysToUnreadVirtualThreads(t *testing.T) {
	const accept = "add --platform-only for a verdict on the platform threads alone"
	for _, c := range []struct {
		why             string
		ways            []string
		headline, error string
		remedy          string
	}{
		{"reading its memory took longer than 2s; increase --timeout", []string{},
			"not shown; reading its memory took longer than 2s; increase --timeout",
			`took longer than 2s; "a" carries`, "increase --timeout, or " + accept},
		{"torn; it moved", []string{}, "not shown; torn; it moved", `torn; it moved; "a" carries`, accept},
		{"torn", []string{"run it as root"}, "not shown; run it as root", `torn; "a" carries`,
			"run it as root, or " + accept},
		{"", nil, "not shown; run jstall PID", "does not list them", "run jstall PID, or " + accept},
	} {
		d := Dump(Thread(5, "a", carrier))
		d.VirtualMissing = c.why
		s := timeline.NewSeries()
		s.Add(Saved(d))
		r := analysis.Diagnose(s, analysis.Options{VirtualWays: c.ways})
		if !strings.HasSuffix(r.Verdict.Summary, c.headline) || r.Error == nil || r.Error.Remedy != c.remedy ||
			!strings.Contains(r.Error.Message, c.error) {
			t.Errorf("%q: %q %+v, want %+v", c.why, r.Verdict.Summary, r.Error, c)
		}
	}
}

// TestVirtualThreadsOfAnEarlierDump: the last dump shows none, and one before has them.
func TestVirtualThreadsOfAnEarlierDump(t *testing.T) {
	first, last := Dump(Thread(1, "main", At("App.main"), Sleeping)), Dump(Thread(1, "main", At("App.main"), Sleeping))
	first.VirtualListed, first.VirtualFound = true, 1
	first.Threads = append(first.Threads, Virtual(100, "v", At("java.lang.VirtualThread.park"), In(threaddump.Waiting)))
	last.VirtualMissing = "the memory could not be read"
	r := DiagnoseDumps(first, last)
	if r.Verdict.State != analysis.Unknown || !strings.Contains(r.Verdict.Summary, last.VirtualMissing) ||
		!strings.Contains(r.Error.Message, "dump 1 lists some") {
		t.Errorf("%+v, %+v", r.Verdict, r.Error)
	}
	if r := DiagnoseDumps(last, first); r.Verdict.State != analysis.Ok {
		t.Errorf("%+v", r.Verdict)
	}
}

// proof is what only a JVM with virtual threads prints, found here without the parser.
var proof = regexp.MustCompile(`(?m)Carrying virtual thread #|Mounted virtual thread #|^"VirtualThread-un(park|block)er|` +
	`at java\.lang\.VirtualThread\.|at java\.util\.concurrent\.ThreadPerTaskExecutor\.|at jdk\.internal\.misc\.ThreadFlock\.`)

// idleSection is three idle virtual threads.
func idleSection() string {
	text := "Virtual threads of 0x00007f3c1c002a40: 3 found, 3 read\n"
	for i := range 3 {
		text += fmt.Sprintf("\n\"rests-%d\" #%d virtual PARKED\n   java.lang.Thread.State: WAITING (parking)\n"+
			"\tat java.lang.VirtualThread.park(java.base@25.0.5/VirtualThread.java:664)\n"+
			"\tat java.util.concurrent.locks.LockSupport.park(java.base@25.0.5/LockSupport.java:221)\n"+
			"\tat java.util.concurrent.LinkedBlockingQueue.take(java.base@25.0.5/LinkedBlockingQueue.java:435)\n"+
			"\tat java.util.concurrent.ThreadPoolExecutor.getTask(java.base@25.0.5/ThreadPoolExecutor.java:1021)\n"+
			"\tat java.util.concurrent.ThreadPoolExecutor.runWorker(java.base@25.0.5/ThreadPoolExecutor.java:1081)\n"+
			"\tat java.lang.VirtualThread.run(java.base@25.0.5/VirtualThread.java:456)\n", i, 1_000_000+i)
	}
	return text + "\nVirtual threads end\n"
}

// TestBlindIsNotCalm goes through all dumps of the repository: where one proves that there are virtual threads and
// does not list them, its verdict is never ok, and it is what it was for the platform threads once they are listed.
func TestBlindIsNotCalm(t *testing.T) {
	section, err := threaddump.ParseVirtual([]byte(idleSection()))
	if err != nil || len(section.Threads) != 3 {
		t.Fatalf("%+v, %v", section, err)
	}
	proven := 0
	eachDump(t, func(path string, text []byte, dumps []*threaddump.Dump) {
		lists := func(d *threaddump.Dump) bool {
			return d.VirtualListed || d.JVM == "" || timeline.MajorOf(d.Version) < 21
		}
		if !proof.Match(text) || slices.ContainsFunc(dumps, lists) {
			return
		}
		proven++
		seen := make([]*threaddump.Dump, len(dumps))
		for i, d := range dumps {
			seen[i] = d.WithVirtual(section, 0)
		}
		blind, whole := DiagnoseDumps(dumps...), DiagnoseDumps(seen...)
		switch blind.Verdict.State {
		case analysis.Ok, analysis.Suspicious, analysis.NoDeadlock:
			t.Errorf("%s: %+v", path, blind.Verdict)
		case analysis.Unknown:
			s := timeline.NewSeries()
			for _, d := range dumps {
				s.Add(Saved(d))
			}
			platform := analysis.Diagnose(s, analysis.Options{PlatformOnly: true})
			if whole.Verdict.State != platform.Verdict.State || whole.Capture.Unseen != nil {
				t.Errorf("%s: %+v with idle virtual threads, %+v by its platform threads", path, whole.Verdict,
					platform.Verdict)
			}
		}
	})
	const known = 8 // mounted, parked, pinned and deadlocked ones on 21, 25 and 27
	if proven < known {
		t.Errorf("%d files prove virtual threads, at least %d do", proven, known)
	}
}

// eachDump visits the text files of testdata that hold dumps.
func eachDump(t *testing.T, visit func(path string, text []byte, dumps []*threaddump.Dump)) {
	t.Helper()
	err := filepath.WalkDir("../testdata", func(path string, entry fs.DirEntry, err error) error {
		ext := filepath.Ext(path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "golden":
			return filepath.SkipDir
		case entry.IsDir() || ext != ".txt" && ext != ".log":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if dumps, _ := threaddump.Parse(text); len(dumps) > 0 {
			visit(path, text, dumps)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
