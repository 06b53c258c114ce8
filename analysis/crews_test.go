package analysis

import (
	"strings"
	"testing"

	"jstall/threaddump"
)

// askers are threads that wait for the answer to what they have asked in the midst of a job, each at its own.
func asker(id int64, name string) func() *threaddump.Thread {
	return func() *threaddump.Thread {
		return inObject(id, name, uint64(0xa0+id), "Answer.get", "Job.call", "Desk.run")
	}
}

// free is a thread of the same making that has no job.
func free(id int64, name string) func() *threaddump.Thread {
	return func() *threaddump.Thread { return inObject(id, name, 0xf, "Desk.next", "Desk.run") }
}

// beat sleeps for a moment, time and again.
func beat(id int64, name string, code string) func() *threaddump.Thread {
	rounds := 0.0
	return func() *threaddump.Thread {
		rounds++
		th := thread(id, name, sleeping, at("!java.lang.Thread.sleep", code), used(0.01*rounds, 9))
		inLines(th)
		return th
	}
}

// desks is what the class files say of these threads: what a desk gives behind its job, and what the beat gives.
func desks(desk, other []string) *Bytecode {
	return &Bytecode{Closed: true, Ahead: map[string][]string{
		"Answer.get:11>wait": nil, "Job.call:12>get": nil, "Desk.run:13>call": desk, "Desk.run:12>next": desk,
		"Desk.next:11>wait": nil, "Clock.run:11>sleep": other,
	}, Gates: map[string]bool{"Answer.get:11>wait": true}}
}

var answers, jobs = []string{"notify", "notify@Answer"}, []string{"notify", "notify@Desk"}

// All threads of one making that wait for what only they bring can never go on.
func TestCrewsThatAskThemselves(t *testing.T) {
	const all = "pool-deadlock/warning/likely: a,b | "
	for _, test := range []struct {
		name    string
		code    *Bytecode
		threads []func() *threaddump.Thread
		want    string
	}{
		{"all ask", desks(answers, nil), []func() *threaddump.Thread{asker(1, "a"), asker(2, "b")}, all},
		{"beside a notify elsewhere", desks(answers, []string{"notify", "notify@Store"}), []func() *threaddump.Thread{asker(1, "a"), asker(2, "b")}, all},
		{"another may answer", desks(answers, answers), []func() *threaddump.Thread{asker(1, "a"), asker(2, "b")}, ""},
		{"who would not answer", desks(nil, nil), []func() *threaddump.Thread{asker(1, "a"), asker(2, "b")}, ""},
		{"one is free", desks(answers, nil), []func() *threaddump.Thread{asker(1, "a"), asker(2, "b"), free(3, "c")}, ""},
		{"one alone", desks(answers, nil), []func() *threaddump.Thread{asker(1, "a")}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			threads := append(test.threads, beat(9, "z", "Clock.run"))
			expectOnly(t, diagnose(looks(test.code, threads...)...), KindPoolDeadlock, test.want)
		})
	}
}

// Some that wait for answers which only threads like them give, of which the others are free, have asked
// one another.
func TestThreadsThatAskInACircle(t *testing.T) {
	const circle = "missed-signal/warning/likely: a,b | "
	busy := func() *threaddump.Thread {
		th := thread(3, "c", at("Job.count", "Job.call", "Desk.run"), used(0.01, 9))
		inLines(th)
		return th
	}
	for _, test := range []struct {
		name  string
		code  *Bytecode
		third func() *threaddump.Thread
		clock func() *threaddump.Thread
		want  string
	}{
		{"one is free", desks(answers, jobs), free(3, "c"), beat(9, "z", "Clock.run"), circle},
		{"one has a job", desks(answers, jobs), busy, beat(9, "z", "Clock.run"), ""},
		{"another may answer", desks(answers, append(jobs, answers...)), free(3, "c"), beat(9, "z", "Clock.run"), "missed-signal/info/possible: a | \nmissed-signal/info/possible: b | "},
		{"a pause that has not come round", desks(answers, jobs), free(3, "c"), func() *threaddump.Thread {
			th := thread(9, "z", sleeping, at("!java.lang.Thread.sleep", "Clock.run"), used(0.01, 9))
			inLines(th)
			return th
		}, ""},
	} {
		test.code.Ahead["Job.call:12>count"], test.code.Ahead["Job.count:11"] = nil, nil
		t.Run(test.name, func(t *testing.T) {
			expectOnly(t, diagnose(looks(test.code, asker(1, "a"), asker(2, "b"), test.third, test.clock)...), KindMissedSignal, test.want)
		})
	}
}

// Threads of one making that all sleep in jobs hold up those who want more results than they are.
func TestCrewsThatSleepInJobs(t *testing.T) {
	sleeper := func(id int64, name string) func() *threaddump.Thread {
		return func() *threaddump.Thread {
			th := thread(id, name, sleeping, at("!java.lang.Thread.sleep", "Retry.pause", "Job.call", "Desk.run"), used(0, 9))
			inLines(th)
			return th
		}
	}
	caller := func(id int64, name string) func() *threaddump.Thread {
		return func() *threaddump.Thread {
			th := thread(id, name, waitingState, at("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park", "java.util.concurrent.CompletableFuture$Signaller.block", "java.util.concurrent.CompletableFuture.join", "Shop.ask"), used(0, 9))
			inLines(th)
			return th
		}
	}
	gate := func(id int64, name string) func() *threaddump.Thread {
		return func() *threaddump.Thread { return inObject(id, name, uint64(0xa0+id), "Answer.get", "Shop.ask") }
	}
	listener := func(id int64, name string) func() *threaddump.Thread {
		return func() *threaddump.Thread { return inObject(id, name, 0xa1, "Answer.get", "Shop.ask") }
	}
	const asleep = "executor-saturated/warning/likely: a,b | e,f,g"
	for _, test := range []struct {
		name    string
		later   []string
		callers []func() *threaddump.Thread
		want    string
	}{
		{"more callers", nil, []func() *threaddump.Thread{caller(5, "e"), caller(6, "f"), caller(7, "g")}, asleep},
		{"of an own promise", nil, []func() *threaddump.Thread{gate(5, "e"), gate(6, "f"), gate(7, "g")}, asleep},
		{"as many callers", nil, []func() *threaddump.Thread{caller(5, "e"), caller(6, "f")}, ""},
		{"listeners of one object", nil, []func() *threaddump.Thread{listener(5, "e"), listener(6, "f"), listener(7, "g")}, ""},
		{"others may bring it", []string{"result"}, []func() *threaddump.Thread{caller(5, "e"), caller(6, "f"), caller(7, "g")}, ""},
	} {
		code := &Bytecode{Closed: true, Later: test.later, Ahead: map[string][]string{
			"Retry.pause:11>sleep": nil, "Job.call:12>pause": {"result"}, "Desk.run:13>call": append(answers, "result"), "Shop.ask:14>join": {"result"},
			"Answer.get:11>wait": nil, "Shop.ask:12>get": answers,
		}, Gates: map[string]bool{"Answer.get:11>wait": true}, Gives: map[string][]string{"Job.call:12>pause": {"result", "notify"}}}
		t.Run(test.name, func(t *testing.T) {
			threads := append([]func() *threaddump.Thread{sleeper(1, "a"), sleeper(2, "b")}, test.callers...)
			expectOnly(t, diagnose(looks(code, threads...)...), KindExecutorSaturated, test.want)
			alone := strings.NewReplacer(string(KindExecutorSaturated), string(KindSingleThreadBlocked), "a,b", "a").Replace(test.want)
			if len(test.callers) < 3 {
				alone = "single-thread-blocked/warning/likely: a | e,f"
			}
			expectOnly(t, diagnose(looks(code, append(threads[:1], test.callers...)...)...), KindSingleThreadBlocked, alone)
		})
	}
}

// Who has given its answer before it sleeps, or woke in the look, or waits in a mailbox of its own, is in no such job.
func TestWhoIsInNoJob(t *testing.T) {
	asleep := func(stack ...string) func() *threaddump.Thread {
		return func() *threaddump.Thread {
			th := thread(1, "a", sleeping, at(append([]string{"!java.lang.Thread.sleep"}, stack...)...), used(0, 9))
			inLines(th)
			return th
		}
	}
	caller := func(id int64, name string) func() *threaddump.Thread {
		return func() *threaddump.Thread { return inObject(id, name, uint64(0xa0+id), "Answer.get", "Shop.ask") }
	}
	const alone = "single-thread-blocked/warning/likely: a | e,f"
	for _, test := range []struct {
		name   string
		gives  []string
		sleeps func() *threaddump.Thread
		want   string
	}{
		{"one that owes an answer", []string{"notify"}, asleep("Retry.pause", "Job.call", "Desk.run"), alone},
		{"one that has given it", nil, asleep("Retry.pause", "Job.call", "Desk.run"), ""},
		{"one that comes round", []string{"notify"}, beat(1, "a", "Clock.run"), ""},
		{"one in its own loop", []string{"notify"}, asleep("Retry.pause", "Desk.run"), ""},
	} {
		code := &Bytecode{Closed: true, Ahead: map[string][]string{
			"Retry.pause:11>sleep": nil, "Job.call:12>pause": answers, "Desk.run:13>call": answers, "Desk.run:12>pause": answers, "Clock.run:11>sleep": answers,
			"Answer.get:11>wait": nil, "Shop.ask:12>get": answers,
		}, Gates: map[string]bool{"Answer.get:11>wait": true}, Gives: map[string][]string{"Job.call:12>pause": test.gives, "Desk.run:12>pause": test.gives}}
		t.Run(test.name, func(t *testing.T) {
			expectOnly(t, diagnose(looks(code, test.sleeps, caller(5, "e"), caller(6, "f"))...), KindSingleThreadBlocked, test.want)
		})
	}
}

// Who waits in a mailbox whose caller takes what has come wants no answer.
func TestMailboxesWantNoAnswer(t *testing.T) {
	reader := func(id int64, name string) func() *threaddump.Thread {
		return func() *threaddump.Thread {
			return inObject(id, name, uint64(0xa0+id), "Box.await", "Box.take", "Job.call", "Desk.run")
		}
	}
	for gate, want := range map[bool]string{true: "pool-deadlock/warning/likely: a,b | ", false: ""} {
		code := &Bytecode{Closed: true, Ahead: map[string][]string{
			"Box.await:11>wait": nil, "Box.take:12>await": nil, "Job.call:13>take": nil, "Desk.run:14>call": {"notify", "notify@Box"}, "Clock.run:11>sleep": nil,
		}, Gates: map[string]bool{"Box.await:11>wait": true, "Box.take:12>await": gate}}
		expectOnly(t, diagnose(looks(code, reader(1, "a"), reader(2, "b"), beat(9, "z", "Clock.run"))...), KindPoolDeadlock, want)
	}
}
