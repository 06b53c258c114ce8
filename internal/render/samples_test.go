package render_test

import (
	"fmt"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// Reports made by hand, one for each thing that a report may look like.

func ptr[T any](v T) *T { return &v }

var shop = analysis.Target{
	PID: 4711, MainClass: "com.acme.shop.Main", JVM: "OpenJDK 64-Bit Server VM",
	Version: "21.0.13+9", User: "acme", UptimeSeconds: ptr(11532.0),
}

var live = analysis.Capture{
	Source: "attach", Dumps: 3, ElapsedSeconds: ptr(2.004), CPUSeconds: ptr(4.63),
	PauseSeconds: ptr(0.0042), LongestPauseSeconds: ptr(0.0021), PauseFrom: "counters",
	OwnCPUSeconds: ptr(0.012),
}

func thread(name string, id int64, state, frame string, cpu float64, stack ...string) analysis.ThreadReport {
	return analysis.ThreadReport{
		Name: name, Kind: "java", Role: "application", ID: id, NativeID: 3000 + id, State: state, Frame: frame,
		CPUPercent: ptr(cpu), CPUSeconds: ptr(cpu / 100 * 2.004), ObservedSeconds: ptr(2.004),
		AllocatedBytes: ptr(int64(cpu * 40_000)), Stack: stack,
	}
}

func internal(name, role string, native int64, cpu float64) analysis.ThreadReport {
	return analysis.ThreadReport{
		Name: name, Kind: "vm", Role: role, NativeID: native,
		CPUPercent: ptr(cpu), CPUSeconds: ptr(cpu / 100 * 2.004), ObservedSeconds: ptr(2.004),
	}
}

func ref(t analysis.ThreadReport) finding.ThreadRef {
	return finding.ThreadRef{
		Name: t.Name, ID: t.ID, NativeID: t.NativeID, State: t.State, Frame: t.Frame, CPUPercent: t.CPUPercent,
	}
}

func refs(threads ...analysis.ThreadReport) (out []finding.ThreadRef) {
	for _, t := range threads {
		out = append(out, ref(t))
	}
	return out
}

func seen(text string, dump, line int) finding.Evidence {
	return finding.Evidence{Text: text, Dump: &dump, Line: &line}
}

// waitsFor lets a thread wait for what another one holds, from the first dump on.
func waitsFor(t, owner *analysis.ThreadReport, kind, class, address string) {
	t.WaitsFor = &analysis.Wait{Type: kind, Class: class, Address: address, Unlimited: true, Dumps: live.Dumps,
		Seconds: live.ElapsedSeconds}
	if owner != nil {
		t.WaitsFor.Owner = &finding.ThreadRef{Name: owner.Name, ID: owner.ID, NativeID: owner.NativeID}
	}
}

// deadlocked is two threads in a cycle, one behind them, and a finding that they
// explain.
func deadlocked() *analysis.Report {
	a := thread("transfer-1", 23, "BLOCKED", "com.acme.shop.Account.credit", 0,
		"com.acme.shop.Account.credit(Account.java:41)",
		"com.acme.shop.Account.transfer(Account.java:33)",
		"com.acme.shop.Main.lambda$main$0(Main.java:12)",
		"java.lang.Thread.run(java.base@21.0.13/Thread.java:1583)")
	a.Locks = []string{
		"- waiting to lock <0x000000062a0041d8> (a com.acme.shop.Account)",
		"- locked <0x000000062a0041c8> (a com.acme.shop.Account)",
	}
	b := thread("transfer-2", 24, "BLOCKED", "com.acme.shop.Account.credit", 0,
		"com.acme.shop.Account.credit(Account.java:41)",
		"com.acme.shop.Account.transfer(Account.java:33)",
		"com.acme.shop.Main.lambda$main$1(Main.java:13)",
		"java.lang.Thread.run(java.base@21.0.13/Thread.java:1583)")
	b.Locks = []string{
		"- waiting to lock <0x000000062a0041c8> (a com.acme.shop.Account)",
		"- locked <0x000000062a0041d8> (a com.acme.shop.Account)",
	}
	c := thread("report", 25, "WAITING", "com.acme.shop.Report.total", 0,
		"jdk.internal.misc.Unsafe.park(java.base@21.0.13/Native Method)",
		"java.util.concurrent.locks.LockSupport.park(java.base@21.0.13/LockSupport.java:221)",
		"java.util.concurrent.CompletableFuture.get(java.base@21.0.13/CompletableFuture.java:2095)",
		"com.acme.shop.Report.total(Report.java:77)",
		"java.lang.Thread.run(java.base@21.0.13/Thread.java:1583)")
	waitsFor(&a, &b, "monitor", "com.acme.shop.Account", "0x000000062a0041d8")
	waitsFor(&b, &a, "monitor", "com.acme.shop.Account", "0x000000062a0041c8")
	waitsFor(&c, nil, "result", "java.util.concurrent.CompletableFuture$Signaller", "0x000000062a0051c8")
	c.WaitsFor.Operation = "CompletableFuture.get"
	return &analysis.Report{
		Schema: 2, Target: shop, Capture: live,
		Verdict: analysis.Verdict{State: analysis.Deadlocked,
			Summary: "2 threads wait for each other: transfer-1, transfer-2 in com.acme.shop.Account.credit"},
		Findings: []finding.Finding{{
			ID: "deadlock-1", Kind: finding.KindDeadlock, Severity: finding.Critical, Confidence: finding.Proven,
			Title: "transfer-1 and transfer-2 wait for each other's monitors",
			Advice: "Take the monitors of both accounts in one order, for instance by account number. Only a " +
				"restart frees these threads.",
			Culprits: refs(a, b), Victims: refs(c), VictimCount: 1,
			Resource: &finding.Resource{Type: "monitor", Class: "com.acme.shop.Account",
				Address: "0x000000062a0041d8"},
			Evidence: []finding.Evidence{
				seen("- waiting to lock <0x000000062a0041d8> (a com.acme.shop.Account)", 2, 412),
				seen("- waiting to lock <0x000000062a0041c8> (a com.acme.shop.Account)", 2, 427),
				seen("Found one Java-level deadlock:", 2, 702),
			},
		}, {
			ID: "missed-signal-1", Kind: finding.KindMissedSignal, Severity: finding.Warning,
			Confidence: finding.Likely,
			Title:      "report waits for a future that nobody completes", ExplainedBy: "deadlock-1", Culprits: refs(c),
		}},
		Threads: []analysis.ThreadReport{a, b, c, internal("VM Thread", "vm", 4720, 0.1),
			internal("GC Thread#0", "gc", 4713, 0)},
	}
}

// stalled is a server of n threads that all want one lock.
func stalled(n int) *analysis.Report {
	owner := thread("http-nio-8080-exec-17", 61, "RUNNABLE", "com.acme.shop.Db.query", 0.3,
		"sun.nio.ch.Net.poll(java.base@21.0.13/Native Method)",
		"sun.nio.ch.NioSocketImpl.park(java.base@21.0.13/NioSocketImpl.java:191)",
		"sun.nio.ch.NioSocketImpl.timedRead(java.base@21.0.13/NioSocketImpl.java:280)",
		"java.net.Socket$SocketInputStream.read(java.base@21.0.13/Socket.java:1099)",
		"org.postgresql.core.VisibleBufferedInputStream.readMore(VisibleBufferedInputStream.java:161)",
		"com.acme.shop.Db.query(Db.java:77)",
		"com.acme.shop.Cache.load(Cache.java:31)")
	waitsFor(&owner, nil, "input", "", "")
	owner.WaitsFor.Operation = "Socket$SocketInputStream.read"
	r := &analysis.Report{
		Schema: 2, Target: shop, Capture: live,
		Verdict: analysis.Verdict{State: analysis.Stalled,
			Summary: fmt.Sprintf("%d threads wait for a monitor that http-nio-8080-exec-17 holds in "+
				"com.acme.shop.Db.query", n)},
		Threads: []analysis.ThreadReport{owner, internal("G1 Main Marker", "gc", 4713, 0),
			internal("C2 CompilerThread0", "jit", 4715, 1.2)},
	}
	r.Findings = []finding.Finding{contention("lock-contention-1", owner, waiters(r, owner, n))}
	for i := range 12 {
		other := owner
		other.Name, other.ID, other.NativeID = fmt.Sprintf("pool-%d-thread-1", i), int64(100_000+i), 0
		r.Threads = append(r.Threads, other)
		r.Findings = append(r.Findings, contention(fmt.Sprintf("lock-contention-%d", i+2), other,
			waiters(r, other, 60)))
	}
	for i := range 40 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("dump %d: a line that was not understood", i))
	}
	return r
}

// waiters adds n threads to the report that one blocks, at two places.
func waiters(r *analysis.Report, owner analysis.ThreadReport, n int) (out []finding.ThreadRef) {
	for i := range n {
		line := 40
		if i%50 == 0 {
			line = 52
		}
		id := int64(1000 + len(r.Threads))
		t := thread(fmt.Sprintf("http-nio-8080-exec-%d", id), id, "BLOCKED", "com.acme.shop.Cache.get", 0.01,
			fmt.Sprintf("com.acme.shop.Cache.get(Cache.java:%d)", line),
			"com.acme.shop.Handler.handle(Handler.java:19)")
		waitsFor(&t, &owner, "monitor", "com.acme.shop.Cache", fmt.Sprintf("0x%016x", 0x62a004000+8*owner.ID))
		r.Threads = append(r.Threads, t)
		out = append(out, ref(t))
	}
	return out
}

func contention(id string, owner analysis.ThreadReport, victims []finding.ThreadRef) finding.Finding {
	return finding.Finding{
		ID: id, Kind: finding.KindLockContention, Severity: finding.Critical, Confidence: finding.Proven,
		Title: fmt.Sprintf("%d threads wait for a monitor of com.acme.shop.Cache that %s holds", len(victims),
			owner.Name),
		Advice:   "Do not query the database while holding the cache's monitor.",
		Culprits: refs(owner), Victims: victims, VictimCount: len(victims),
		Evidence: []finding.Evidence{
			seen("- locked <0x000000062a0041c8> (a com.acme.shop.Cache)", 0, 88),
			seen("- waiting to lock <0x000000062a0041c8> (a com.acme.shop.Cache)", 0, 131),
			seen("- waiting to lock <0x000000062a0041c8> (a com.acme.shop.Cache)", 1, 131),
		},
	}
}

// busy has a hot thread, work in every group, and a carrier.
func busy() *analysis.Report {
	capture := live
	capture.Cores, capture.OthersCPUSeconds, capture.BusiestOther = ptr(4.0), ptr(1.1), "postgres (pid 812)"
	hot := thread("worker-7", 41, "RUNNABLE", "com.acme.shop.Price.round", 98.7,
		"java.math.BigDecimal.divide(java.base@21.0.13/BigDecimal.java:1763)",
		"com.acme.shop.Price.round(Price.java:120)",
		"com.acme.shop.Price.all(Price.java:88)",
		"java.lang.Thread.run(java.base@21.0.13/Thread.java:1583)")
	carrier := thread("ForkJoinPool-1-worker-1", 30, "", "com.acme.shop.Feed.poll", 3.4,
		"com.acme.shop.Feed.poll(Feed.java:9)")
	carrier.Carrier = 29
	idle := thread("main", 1, "TIMED_WAITING", "com.acme.shop.Main.main", 0,
		"java.lang.Thread.sleep0(java.base@21.0.13/Native Method)",
		"java.lang.Thread.sleep(java.base@21.0.13/Thread.java:509)",
		"com.acme.shop.Main.main(Main.java:30)")
	late := analysis.ThreadReport{Name: "late", Kind: "java", Role: "application", ID: 77, State: "RUNNABLE",
		Stack: []string{}}
	jvm := thread("Signal Dispatcher", 11, "RUNNABLE", "", 0)
	jvm.Role = "jvm"
	return &analysis.Report{
		Schema: 2, Target: shop, Capture: capture,
		Verdict: analysis.Verdict{State: analysis.Degraded,
			Summary: "worker-7 takes a whole core in com.acme.shop.Price.round"},
		Findings: []finding.Finding{{
			ID: "hot-thread-1", Kind: finding.KindHotThread, Severity: finding.Warning, Confidence: finding.Proven,
			Title: "worker-7 takes 98.7 % of a core", Culprits: refs(hot),
			Evidence: []finding.Evidence{{Text: "cpu=1.98 s over 2.00 s"}},
			Advice:   "jstall most-work shows its stack; a profile shows which lines it spends its time in.",
		}},
		Threads: []analysis.ThreadReport{
			idle, jvm, hot, carrier, late,
			internal("GC Thread#0", "gc", 4713, 61), internal("GC Thread#1", "gc", 4714, 60.5),
			internal("C2 CompilerThread0", "jit", 4715, 2.4), internal("VM Thread", "vm", 4720, 0.02),
		},
		Warnings: []string{`1 thread was born during the capture: "late"`},
	}
}

// old is two saved dumps of JDK 8, which tell no CPU.
func old() *analysis.Report {
	run := thread("worker", 12, "RUNNABLE", "com.acme.shop.Price.round", 0, "com.acme.shop.Price.round(Price.java:120)")
	read := thread("reader", 13, "RUNNABLE", "com.acme.shop.Feed.read", 0,
		"java.net.SocketInputStream.socketRead0(Native Method)", "com.acme.shop.Feed.read(Feed.java:15)")
	for _, t := range []*analysis.ThreadReport{&run, &read} {
		t.CPUPercent, t.CPUSeconds, t.AllocatedBytes = nil, nil, nil
	}
	gc := analysis.ThreadReport{Name: "GC task thread#0 (ParallelGC)", Kind: "vm", Role: "gc", NativeID: 99}
	return &analysis.Report{
		Schema:  1,
		Target:  analysis.Target{File: "night.txt", JVM: "OpenJDK 64-Bit Server VM", Version: "25.504-b08"},
		Capture: analysis.Capture{Source: "file", Dumps: 2, ElapsedSeconds: ptr(10.0)},
		Verdict: analysis.Verdict{State: analysis.Ok, Summary: "no problem found"},
		Threads: []analysis.ThreadReport{run, read, gc},
	}
}

// unresponsive is a JVM that gave no dump.
func unresponsive() *analysis.Report {
	return &analysis.Report{
		Schema: 2, Target: shop,
		Capture: analysis.Capture{
			Source: "procfs", PauseSeconds: ptr(3.0), PauseFrom: "requests", OwnCPUSeconds: ptr(0.004),
			FilesLeft: []string{"/proc/4711/root/tmp/.attach_pid4711"},
		},
		Verdict: analysis.Verdict{State: analysis.Unresponsive,
			Summary: "it did not answer within 3 s; it is stopped (state T)"},
		Findings: []finding.Finding{{
			ID: "jvm-unresponsive-1", Kind: finding.KindJVMUnresponsive, Severity: finding.Critical,
			Confidence: finding.Proven, Title: "the process is stopped by SIGSTOP",
			Advice: "kill -CONT 4711 lets it go on.",
		}},
		Error: &analysis.Failure{Phase: "connect", Message: "no socket after 3 s; the process is stopped",
			Remedy: "kill -CONT 4711"},
	}
}

// hostile has every trick in its names and texts.
func hostile() *analysis.Report {
	evil := "x\x1b[2J\x1b]0;owned\a\nDEADLOCKED  \u202egnp.exe\u2066\u200b\xff\xfe|`<b>*[a](b)$x$\u009b31m\r\t\"q\"" +
		"e\u0301\u0301\u0301\u0301日本語"
	t := thread(evil, 66, "BLOCKED", "com.acme."+evil, 1.5, "com.acme."+evil+"(Evil.java:1)", "```", "a\nb")
	t.Locks = []string{"- locked <0x000000062a0041c8> (a " + evil + ")"}
	other := t
	other.ID = 67
	waitsFor(&t, &other, "monitor", evil, "0x000000062a0041c8")
	t.WaitsFor.Operation = evil
	return &analysis.Report{
		Schema: 2,
		Target: analysis.Target{PID: 13, MainClass: evil, JVM: evil, Version: evil, User: evil},
		Capture: analysis.Capture{
			Source: "attach", Dumps: 1, FilesLeft: []string{evil}, CPUSeconds: ptr(1.0), ElapsedSeconds: ptr(1.0),
			OthersCPUSeconds: ptr(1.0), BusiestOther: evil,
		},
		Verdict: analysis.Verdict{State: analysis.Deadlocked, Summary: evil},
		Findings: []finding.Finding{{
			ID: "deadlock-1", Kind: finding.KindDeadlock, Severity: finding.Critical, Confidence: finding.Likely,
			Title: evil, Advice: evil, Culprits: refs(t), Victims: refs(t, t), VictimCount: 2,
			Evidence: []finding.Evidence{seen(evil, 0, 1)},
		}},
		Threads:  []analysis.ThreadReport{t, other},
		Warnings: []string{evil},
		Error:    &analysis.Failure{Phase: evil, Message: evil, Remedy: evil},
	}
}

// waits has a chain of owners, a cycle with threads behind it, a lock of unknown
// owner, futures, sleepers, threads that came late, and idle ones.
func waits() *analysis.Report {
	r := &analysis.Report{
		Schema: 2, Target: shop, Capture: live,
		Verdict: analysis.Verdict{State: analysis.Degraded, Summary: "threads wait"},
	}
	next := int64(20)
	add := func(name, state, where string) *analysis.ThreadReport {
		next++
		t := thread(name, next, state, where, 0, where+"(Till.java:7)",
			"java.lang.Thread.run(java.base@21.0.13/Thread.java:1583)")
		r.Threads = append(r.Threads, t)
		return &r.Threads[len(r.Threads)-1]
	}
	r.Threads = make([]analysis.ThreadReport, 0, 100) // no thread may move
	root := add("importer", "TIMED_WAITING", "com.acme.Import.pause")
	waitsFor(root, nil, "time", "", "")
	root.WaitsFor.Operation = "Thread.sleep"
	middle := add("pricer", "BLOCKED", "com.acme.Price.of")
	waitsFor(middle, root, "monitor", "com.acme.Feed", "0x0000000500000010")
	for i := range 5 {
		waitsFor(add(fmt.Sprintf("web-%d", i), "WAITING", "com.acme.Page.show"), middle, "ownable synchronizer",
			"java.util.concurrent.locks.ReentrantLock$NonfairSync", "0x0000000500000020")
	}
	a, b := add("left", "BLOCKED", "com.acme.Left.go"), add("right", "BLOCKED", "com.acme.Right.go")
	waitsFor(a, b, "monitor", "com.acme.Right", "0x0000000500000030")
	waitsFor(b, a, "monitor", "com.acme.Left", "0x0000000500000040")
	waitsFor(add("bystander", "BLOCKED", "com.acme.Left.look"), b, "monitor", "com.acme.Right", "0x0000000500000030")
	for i := range 2 {
		waitsFor(add(fmt.Sprintf("batch-%d", i), "WAITING", "com.acme.Batch.run"), nil, "ownable synchronizer",
			"java.util.concurrent.locks.ReentrantLock$NonfairSync", "0x0000000500000050")
		waitsFor(add(fmt.Sprintf("caller-%d", i), "WAITING", "com.acme.Call.join"), nil, "result",
			"java.util.concurrent.FutureTask", fmt.Sprintf("0x00000005000001%d0", i))
	}
	late := add("late", "BLOCKED", "com.acme.Price.of")
	waitsFor(late, root, "monitor", "com.acme.Feed", "0x0000000500000010")
	late.WaitsFor.Dumps, late.WaitsFor.Seconds = 1, nil
	for i := range 3 {
		add(fmt.Sprintf("pool-1-thread-%d", i), "WAITING", "").Idle = "worker"
	}
	keeper := add("keeper", "TIMED_WAITING", "com.acme.Keep.run")
	waitsFor(keeper, nil, "time", "", "")
	keeper.Idle = "scheduler"
	return r
}
