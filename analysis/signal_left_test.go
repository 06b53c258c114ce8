package analysis

import (
	"slices"
	"strings"
	"testing"

	"jstall/threaddump"
)

// inObject waits for a notify at an object, in methods from the innermost on, at lines 11, 12 …
func inObject(id int64, name string, address uint64, methods ...string) *threaddump.Thread {
	th := thread(id, name, at(append([]string{"!java.lang.Object.wait"}, methods...)...), waitingState, used(0, 9))
	inLines(th)
	lockOn(th, threaddump.WaitingOn, address, "Gate")
	return th
}

// inLines gives each frame a line.
func inLines(th *threaddump.Thread) {
	for i, f := range th.Stack {
		f.Line = 10 + i
	}
}

// looks are three dumps of threads that stay as they are, and what the class files say.
func looks(code *Bytecode, threads ...func() *threaddump.Thread) []Observation {
	var all []Observation
	for i := range 3 {
		var now []*threaddump.Thread
		for _, th := range threads {
			now = append(now, th())
		}
		all = append(all, observe(float64(i), now...))
	}
	if code != nil {
		all = append(all, Observation{Bytecode: code})
	}
	return all
}

// Who waits in the middle of something for a signal that no code is left to give waits in vain;
// where some may, the dumps alone tell too little.
func TestSignalsThatNoCodeIsLeftToGive(t *testing.T) {
	clerk := func() *threaddump.Thread { return inObject(1, "a", 0xa, "Gate.enter", "Clerk.receive", "Clerk.run") }
	clock := func() *threaddump.Thread {
		th := thread(2, "b", sleeping, at("!java.lang.Thread.sleep", "Clock.run"), used(0.001, 9))
		inLines(th)
		return th
	}
	const warning, info = "missed-signal/warning/likely: a | ", "missed-signal/info/possible: a | "
	for _, test := range []struct {
		name   string
		beside string // what the other thread may yet give
		later  string
		broken bool // not all is known
		want   string
	}{
		{"nothing", "", "", false, warning},
		{"another kind", "latch result", "", false, warning},
		{"a notify, elsewhere", "notify notify@Store", "", false, ""},
		{"a notify there", "notify notify@Gate", "", false, ""},
		{"an interrupt", "any", "", false, ""},
		{"an interrupt of tasks", "task", "", false, warning},
		{"what was handed to others", "", "notify notify@Store", false, ""},
		{"a place that is not known", "", "", true, ""},
	} {
		code := &Bytecode{Closed: true, Later: strings.Fields(test.later), Ahead: map[string][]string{
			"Gate.enter:11>wait": {"notify", "notify@Gate"}, "Clerk.receive:12>enter": nil, "Clerk.run:13>receive": nil,
			"Clock.run:11>sleep": strings.Fields(test.beside),
		}}
		if test.broken {
			delete(code.Ahead, "Clock.run:11>sleep")
		}
		t.Run(test.name, func(t *testing.T) { expectOnly(t, diagnose(looks(code, clerk, clock)...), KindMissedSignal, test.want) })
	}
	code := &Bytecode{Closed: true, Ahead: map[string][]string{
		"Gate.enter:11>wait": nil, "Clerk.receive:12>enter": nil, "Clerk.run:13>receive": nil, "Clock.run:11>sleep": nil,
	}}
	proof := diagnose(looks(code, clerk, clock)...).Findings[0].Evidence[0].Text
	if want := "no code is left to run that could end this wait, by the program's class files"; proof != want {
		t.Errorf("evidence %q", proof)
	}
	open := &Bytecode{Ahead: map[string][]string{"Clock.run:11>sleep": nil}}
	expectOnly(t, diagnose(looks(open, clerk, clock)...), KindMissedSignal, "")
}

// Who takes from a queue gives signals only if somebody is left who may put something there.
func TestSignalsOfWhoTakesFromAQueue(t *testing.T) {
	clerk := func() *threaddump.Thread { return inObject(1, "a", 0xa, "Gate.enter", "Clerk.receive", "Clerk.run") }
	taker := func(from string) func() *threaddump.Thread {
		return func() *threaddump.Thread {
			th := thread(2, "b", waitingState, at("!jdk.internal.misc.Unsafe.park", juc+"locks.LockSupport.park", from, "Porter.next", "Porter.run"), used(0.01, 9))
			inLines(th)
			lockOn(th, threaddump.Parking, 0xb, juc+"locks.AbstractQueuedSynchronizer$ConditionObject")
			return th
		}
	}
	const queue, stuck, hint = juc + "LinkedBlockingQueue.take", "missed-signal/warning/likely: a | ", "missed-signal/info/possible: a | "
	for _, test := range []struct{ name, from, later, brings, want string }{
		{"nobody puts", queue, "", "", stuck},
		{"one at a time", juc + "SynchronousQueue.take", "", "", stuck},
		{"somebody may", queue, "item", "", hint},
		{"the end of a task may", queue, "", "completion", hint},
	} {
		code := &Bytecode{Closed: true, Later: strings.Fields(test.later), Brings: strings.Fields(test.brings), Ahead: map[string][]string{
			"Gate.enter:11>wait": nil, "Clerk.receive:12>enter": nil, "Clerk.run:13>receive": nil,
			"Porter.next:13>take": nil, "Porter.run:14>next": {"notify", "notify@Gate"},
		}}
		t.Run(test.name, func(t *testing.T) {
			expectOnly(t, diagnose(looks(code, clerk, taker(test.from))...), KindMissedSignal, test.want)
		})
	}
}

// A fault by the dumps alone is a hint where the class files show code that may give the signal.
func TestSignalsThatCodeMayGive(t *testing.T) {
	taker := func(id int64, name string) func() *threaddump.Thread {
		return func() *threaddump.Thread {
			return inObject(id, name, uint64(0xa+id), "Hopper.take", "Stage.step", "Stage.run")
		}
	}
	main := func() *threaddump.Thread {
		return thread(9, "main", at("App.main"), joins(0xb), used(0.1, 9), inLines)
	}
	ahead := map[string][]string{
		"Hopper.take:11>wait": nil, "Stage.step:12>take": nil, "Stage.run:13>step": nil, "App.main:12>join": nil,
	}
	for given, want := range map[string]string{"": "warning/likely", "notify notify@Hopper": "info/possible"} {
		code := &Bytecode{Closed: true, Later: strings.Fields(given), Ahead: ahead}
		r := diagnose(looks(code, taker(1, "a"), taker(2, "b"), main)...)
		for _, f := range r.Findings {
			if got := string(f.Severity) + "/" + string(f.Confidence); f.Kind == KindMissedSignal && got != want {
				t.Errorf("%q left to give: %s, want %s", given, got, want)
			}
			if says := strings.Contains(f.Title, "; some code is left to run"); f.Kind == KindMissedSignal && says != (given != "") {
				t.Errorf("%q left to give: %s", given, f.Title)
			}
		}
		if len(r.Findings) == 0 {
			t.Errorf("%q left to give: no finding", given)
		}
	}
}

// Several that wait at one place are workers, but not where the method takes nothing for itself.
func TestGates(t *testing.T) {
	desk := func(id int64, name string) func() *threaddump.Thread {
		return func() *threaddump.Thread { return inObject(id, name, 0xa, "Terms.find", "Desk.translate", "Desk.run") }
	}
	code := func(gate bool) *Bytecode {
		return &Bytecode{Closed: true, Gates: map[string]bool{"Terms.find:11>wait": gate}, Ahead: map[string][]string{
			"Terms.find:11>wait": nil, "Desk.translate:12>find": nil, "Desk.run:13>translate": nil,
		}}
	}
	beside := func() *threaddump.Thread {
		return thread(7, "c", at(juc+"locks.LockSupport.parkNanos", juc+"ScheduledThreadPoolExecutor$DelayedWorkQueue.take", juc+"ThreadPoolExecutor.getTask", juc+"ThreadPoolExecutor.runWorker"), timed, used(0.01, 9))
	}
	expectOnly(t, diagnose(looks(code(true), desk(1, "a"), desk(2, "b"), beside)...), KindMissedSignal, "missed-signal/warning/likely: a,b | ")
	r := diagnose(looks(code(false), desk(1, "a"), desk(2, "b"), beside)...)
	for _, f := range r.Findings {
		if f.Severity != Info {
			t.Errorf("workers without work: %s %s", f.Severity, f.Title)
		}
	}
}

// Workers that have handed tasks to an executor and wait for results which nobody else brings wait for
// their own queue.
func TestWorkersThatWaitForTheirOwnQueue(t *testing.T) {
	worker := func(id int64, name string) func() *threaddump.Thread {
		return func() *threaddump.Thread {
			th := thread(id, name, used(0, 9), at(juc+"CompletableFuture.waitingGet", juc+"CompletableFuture.join", "Labels.assemble", "Labels.print", juc+"FutureTask.run", juc+"ThreadPoolExecutor.runWorker", juc+"ThreadPoolExecutor$Worker.run"))
			th.State = threaddump.Waiting
			inLines(th)
			lockOn(th, threaddump.Parking, uint64(0xa0+id), juc+"CompletableFuture$Signaller")
			return th
		}
	}
	feeder := func() *threaddump.Thread {
		th := thread(8, "c", sleeping, at("!java.lang.Thread.sleep", "Intake.run"), used(0.1, 9))
		inLines(th)
		return th
	}
	code := func(hands bool, given string) *Bytecode {
		return &Bytecode{Closed: true, Hands: map[string]bool{"Labels.assemble:12>join": hands}, Ahead: map[string][]string{
			"Labels.assemble:12>join": nil, "Labels.print:13>assemble": nil, "Intake.run:11>sleep": strings.Fields(given),
		}}
	}
	for _, test := range []struct {
		hands bool
		given string
		want  string
	}{
		{true, "", "pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{false, "", ""},
		{true, "result", ""},
	} {
		look := looks(code(test.hands, test.given), worker(1, "pool-1-thread-1"), worker(2, "pool-1-thread-2"), feeder)
		got := diagnose(look...)
		if test.want != "" {
			expectOnly(t, got, KindPoolDeadlock, test.want)
			continue
		}
		for _, f := range got.Findings {
			if f.Severity == Critical {
				t.Errorf("handed tasks %v, %q left to give: %s", test.hands, test.given, f.Title)
			}
		}
	}
}

// A thread that alone does what it takes from a queue, and stands, holds up who waits for results.
func TestWhoServesAQueueAlone(t *testing.T) {
	server := func(id int64, name string) func() *threaddump.Thread {
		return func() *threaddump.Thread {
			th := thread(id, name, used(0, 9), at(juc+"CompletableFuture.waitingGet", juc+"CompletableFuture.join", "App$Devices.register", "App$Loop.run"))
			th.State = threaddump.Waiting
			inLines(th)
			lockOn(th, threaddump.Parking, uint64(0xa0+id), juc+"CompletableFuture$Signaller")
			return th
		}
	}
	client := func() *threaddump.Thread {
		th := thread(5, "c", used(0, 9), at(juc+"CompletableFuture.waitingGet", juc+"CompletableFuture.get", "App$Edge.ask", "App$Edge.run"))
		th.State = threaddump.Waiting
		lockOn(th, threaddump.Parking, 0xc, juc+"CompletableFuture$Signaller")
		return th
	}
	code := &Bytecode{Serves: map[string]bool{"App$Loop.run:13>register": true}}
	expectOnly(t, diagnose(looks(code, server(1, "a"), client)...), KindSingleThreadBlocked, "single-thread-blocked/warning/likely: a | c")
	expectOnly(t, diagnose(looks(code, server(1, "a"), server(2, "b"), client)...), KindSingleThreadBlocked, "")
	expectOnly(t, diagnose(looks(nil, server(1, "a"), client)...), KindSingleThreadBlocked, "")
}

// A lone thread that does nothing with what it waits for keeps the JVM alive.
func TestWaitsThatNothingFollows(t *testing.T) {
	latch := func(id int64, name string) func() *threaddump.Thread {
		return func() *threaddump.Thread {
			th := thread(id, name, waitingState, at("!jdk.internal.misc.Unsafe.park", juc+"locks.LockSupport.park", juc+"CountDownLatch.await", "Keeper.run"), used(0.01, 9))
			inLines(th)
			lockOn(th, threaddump.Parking, 0xa, juc+"CountDownLatch$Sync")
			return th
		}
	}
	worker := func() *threaddump.Thread {
		return thread(9, "pool-1-thread-1", waitingState, at("!jdk.internal.misc.Unsafe.park", juc+"locks.LockSupport.park", juc+"LinkedBlockingQueue.take", juc+"ThreadPoolExecutor.getTask", juc+"ThreadPoolExecutor.runWorker"), used(0.01, 9))
	}
	// called waits in a method of its own, behind which the one that called it may have work.
	called := func() *threaddump.Thread {
		th := latch(1, "a")()
		th.Stack = append(th.Stack, stack("Desk.run")...)
		inLines(th)
		return th
	}
	const place, caller = "Keeper.run:13>await", "Desk.run:14>run"
	code := func(last bool) *Bytecode {
		return &Bytecode{Closed: true, Last: map[string]bool{place: last}, Ahead: map[string][]string{place: nil, caller: nil}}
	}
	severity := func(look []Observation) string {
		for _, f := range diagnose(look...).Findings {
			if f.Kind == KindMissedSignal {
				return string(f.Severity)
			}
		}
		return "none"
	}
	for _, test := range []struct {
		name string
		look []Observation
		want string
	}{
		{"alone", looks(code(true), latch(1, "a")), "info"},
		{"beside an executor that has done all tasks", looks(code(true), latch(1, "a"), worker), "info"},
		{"its caller has work to do behind it", looks(code(true), called), "warning"},
		{"it has work to do behind it", looks(code(false), latch(1, "a")), "warning"},
		{"two", looks(code(true), latch(1, "a"), latch(2, "b")), "warning"},
	} {
		if got := severity(test.look); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Who waits with a time limit is not advised to do so.
func TestAdviceOfATimeLimit(t *testing.T) {
	for limited, want := range map[bool]bool{false: true, true: false} {
		waits := func() *threaddump.Thread {
			th := thread(1, "a", waitingState, at("!jdk.internal.misc.Unsafe.park", juc+"locks.LockSupport.park", juc+"CountDownLatch.await", "Keeper.run"), used(0.01, 9))
			if limited {
				th.State = threaddump.TimedWaiting
			}
			lockOn(th, threaddump.Parking, 0xa, juc+"CountDownLatch$Sync")
			return th
		}
		findings := diagnose(looks(nil, waits)...).Findings
		if len(findings) != 1 || strings.Contains(findings[0].Advice, "Wait with a time limit") != want {
			t.Errorf("limited %v: %+v", limited, findings)
		}
	}
}

// Who waits for a time may be signalled before, if others have such a signal to give: not itself alone.
func TestWhoWaitsForATimeAndMayBeSignalled(t *testing.T) {
	const place, caller = "Turn.pass:11>wait", "Desk.run:12>pass"
	waits := func() *threaddump.Thread {
		th := inObject(1, "a", 0xa, "Turn.pass", "Desk.run")
		th.State = threaddump.TimedWaiting
		return th
	}
	naps := func() *threaddump.Thread {
		return thread(2, "b", sleeping, at("!java.lang.Thread.sleep", "Clock.run"), used(0.001, 9), inLines)
	}
	for _, test := range []struct {
		name        string
		own, beside []string
		later       []string
		want        bool
	}{
		{"nobody", nil, nil, nil, false},
		{"itself", []string{"notify@Turn"}, nil, nil, false},
		{"another", nil, []string{"notify@Turn"}, nil, true},
		{"another, elsewhere", nil, []string{"notify@Gate"}, nil, false},
		{"itself and another", []string{"notify@Turn"}, []string{"notify@Turn"}, nil, true},
		{"what was handed to others", nil, nil, []string{"notify@Turn"}, true},
	} {
		code := &Bytecode{Closed: true, Later: test.later, Ahead: map[string][]string{place: nil, caller: test.own, "Clock.run:11>sleep": test.beside}}
		series := NewSeries()
		for _, o := range looks(nil, waits, naps) {
			series.Add(o)
		}
		f := newFacts(arrange(series.snaps))
		f.bytecode = code
		s := f.alive()[0].last()
		if got := f.maySignal(s); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// Permits that those who wait for them give back themselves are no signals.
func TestPermitsThatAreGivenBack(t *testing.T) {
	asks := func(id int64) func() *threaddump.Thread {
		return func() *threaddump.Thread {
			return thread(id, "a", at("Bulkhead.call", "Store.save", "Store.run"), calls(juc+"Semaphore$NonfairSync", 0xa0, juc+"Semaphore.acquire"), used(0, 9), inLines)
		}
	}
	for ahead, want := range map[string]bool{"permit": false, "": true} {
		code := &Bytecode{Closed: true, Ahead: map[string][]string{}}
		for i, stack := 1, asks(1)().Stack; i < len(stack); i++ {
			code.Ahead[PlaceOf(stack, i)] = strings.Fields(ahead)
		}
		all := found(diagnose(looks(code, asks(1), asks(2))...))
		if got := slices.ContainsFunc(all, func(f string) bool { return strings.HasPrefix(f, string(KindMissedSignal)) }); got != want {
			t.Errorf("%q ahead: %q", ahead, all)
		}
	}
}

// Several that come to a gate once in their lives, with something to do behind it, are no idle workers.
func TestSeveralThatWaitOnce(t *testing.T) {
	clerk := func(id int64, name string) func() *threaddump.Thread {
		return func() *threaddump.Thread { return inObject(id, name, 0xa, "Gate.enter", "Clerk.run") }
	}
	const gate, caller = "Gate.enter:11>wait", "Clerk.run:12>enter"
	const warning, info = "missed-signal/warning/likely: a,b | ", "missed-signal/info/possible: a,b | "
	for _, test := range []struct {
		name           string
		straight, last []string
		later, want    string
	}{
		{"once", []string{gate, caller}, []string{gate}, "", warning},
		{"again and again", []string{gate}, []string{gate}, "", info},
		{"with nothing behind it", []string{gate, caller}, []string{gate, caller}, "", info},
		{"while some code may signal", []string{gate, caller}, []string{gate}, "notify notify@Gate", info},
	} {
		code := &Bytecode{Closed: true, Later: strings.Fields(test.later), Gates: map[string]bool{gate: true}, Straight: map[string]bool{}, Last: map[string]bool{},
			Ahead: map[string][]string{gate: nil, caller: {"notify", "notify@Wire"}}}
		for _, place := range test.straight {
			code.Straight[place] = true
		}
		for _, place := range test.last {
			code.Last[place] = true
		}
		t.Run(test.name, func(t *testing.T) {
			expectOnly(t, diagnose(looks(code, clerk(1, "a"), clerk(2, "b"))...), KindMissedSignal, test.want)
		})
	}
}

// Those at a barrier wait for whoever takes its time, however long.
func TestWhoPacesABarrier(t *testing.T) {
	party := func(id int64) func() *threaddump.Thread {
		return func() *threaddump.Thread {
			return thread(id, "p", parkedIn(juc+"Phaser$QNode", unsafePark, juc+"Phaser.awaitAdvance", "Berth.await", "Berth.run"), used(0, 9), inLines)
		}
	}
	clock := func() *threaddump.Thread {
		return thread(3, "c", parkedIn("", unsafePark, juc+"locks.LockSupport.parkUntil", "Clock.hold", "Clock.run", "Berth.run"), timed, used(0, 9), inLines)
	}
	for gives, want := range map[string]string{"barrier": "", "latch": "single-thread-blocked/warning/likely: c | p,p"} {
		code := &Bytecode{Closed: true, Ahead: map[string][]string{
			"Berth.await:12>awaitAdvance": nil, "Berth.run:13>await": nil,
			"Clock.hold:12>parkUntil": nil, "Clock.run:13>hold": {gives}, "Berth.run:14>run": nil,
		}}
		expectOnly(t, diagnose(looks(code, party(1), party(2), clock)...), KindSingleThreadBlocked, want)
	}
}

// Results come from threads of the JDK too, if the program has asked for such.
func TestResultsThatTheJDKBrings(t *testing.T) {
	asker := func() *threaddump.Thread {
		th := thread(1, "a", waitingState, at("!jdk.internal.misc.Unsafe.park", juc+"locks.LockSupport.park", juc+"CompletableFuture.get", "Desk.ask", "Desk.run"), used(0.01, 9))
		inLines(th)
		return th
	}
	clock := func() *threaddump.Thread {
		return thread(2, "b", timed, at("!jdk.internal.misc.Unsafe.park", juc+"locks.LockSupport.parkNanos", juc+"ScheduledThreadPoolExecutor$DelayedWorkQueue.take", juc+"ThreadPoolExecutor.getTask", juc+"ThreadPoolExecutor.runWorker"), used(0.01, 9))
	}
	web := func() *threaddump.Thread {
		return thread(2, "b", at("!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "jdk.internal.net.http.HttpClientImpl$SelectorManager.run"), used(0.01, 9))
	}
	for _, test := range []struct {
		name, brings string
		beside       func() *threaddump.Thread
		want         string
	}{
		{"a delay", "delay", clock, "info"},
		{"a scheduler of other things", "", clock, "warning"},
		{"an answer", "http", web, "info"},
		{"a client without a request", "", web, "warning"},
		{"an answer, without a client", "http", nil, "warning"},
	} {
		code := &Bytecode{Closed: true, Brings: strings.Fields(test.brings), Ahead: map[string][]string{"Desk.ask:13>get": nil, "Desk.run:14>ask": nil}}
		look := looks(code, asker)
		if test.beside != nil {
			look = looks(code, asker, test.beside)
		}
		got := "none"
		for _, f := range diagnose(look...).Findings {
			if f.Kind == KindMissedSignal {
				got = string(f.Severity)
			}
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Workers that all wait for results which come after a delay are not stuck; those that a timeout ends may be.
func TestWorkersWhoseResultsComeLater(t *testing.T) {
	busy := worker(1, inTask(juc+"CompletableFuture$Signaller", unsafePark, juc+"locks.LockSupport.park", juc+"CompletableFuture.join", "App.work", juc+"FutureTask.run"))
	clock := thread(8, "b", timed, at(unsafePark, juc+"locks.LockSupport.parkNanos", juc+"ScheduledThreadPoolExecutor$DelayedWorkQueue.take", juc+"ThreadPoolExecutor.getTask", juc+"ThreadPoolExecutor.runWorker"), used(0.01, 9))
	for brings, want := range map[string]string{
		"delay":   "executor-saturated/info/possible: pool-1-thread-1 | c-1,c-2",
		"timeout": "executor-saturated/warning/likely: pool-1-thread-1 | c-1,c-2",
		"":        "executor-saturated/warning/likely: pool-1-thread-1 | c-1,c-2",
	} {
		look := []Observation{observe(0, busy, clock, caller(1), caller(2)), observe(1, busy, clock, caller(1), caller(2))}
		look = append(look, Observation{Bytecode: &Bytecode{Closed: true, Brings: strings.Fields(brings)}})
		expectOnly(t, diagnose(look...), KindExecutorSaturated, want)
	}
}

// A timer that sleeps in one task holds up those that wait for what only its other tasks signal.
func TestATimerThatSleepsWhileOthersWantItsTasks(t *testing.T) {
	turns := 0.0
	timer := func() *threaddump.Thread {
		turns++ // it is woken now and then, and looks again
		th := thread(1, "timer", sleeping, at("!java.lang.Thread.sleep", "Shop$Sweep.run", "java.util.TimerThread.mainLoop", "java.util.TimerThread.run"), used(0.001*turns, 9+turns))
		inLines(th)
		return th
	}
	waits := func(id int64, name string) func() *threaddump.Thread {
		return func() *threaddump.Thread { return inObject(id, name, 0xa, "Shop$Board.awaitAfter", "Shop$Batch.run") }
	}
	for _, test := range []struct{ name, later, other, want string }{
		{"only they signal", "notify notify@Shop$Board", "", "single-thread-blocked/warning/likely: timer | a,b"},
		{"another thread may", "notify notify@Shop$Board", "notify notify@Shop$Board", "single-thread-blocked/info/possible: timer | a,b"},
		{"they signal others", "notify notify@Shop$Till", "", "single-thread-blocked/info/possible: timer | a,b"},
	} {
		code := &Bytecode{Closed: true, Later: strings.Fields(test.later), Ahead: map[string][]string{
			"Shop$Board.awaitAfter:11>wait": nil, "Shop$Batch.run:12>awaitAfter": nil, "Shop$Sweep.run:11>sleep": nil, "Clock.run:11>sleep": strings.Fields(test.other),
		}}
		clock := func() *threaddump.Thread {
			th := thread(4, "clock", sleeping, at("!java.lang.Thread.sleep", "Clock.run"), used(0.001, 9))
			inLines(th)
			return th
		}
		t.Run(test.name, func(t *testing.T) {
			expectOnly(t, diagnose(looks(code, timer, waits(2, "a"), waits(3, "b"), clock)...), KindSingleThreadBlocked, test.want)
		})
	}
}
