package analysis

import (
	"testing"

	"jstall/threaddump"
)

// What several have sent to a port of their own JVM stays unread: whoever stands in the middle
// of something, alone, is to read it.
func TestWhoCeasedToRead(t *testing.T) {
	client := func(id int64, name string) *threaddump.Thread {
		return asking(id, name, "Client.talk", "java.lang.Thread.run")
	}
	loop := func(id int64, name string) *threaddump.Thread {
		waits := thread(id, name, at(unsafePark, juc+"CompletableFuture.waitingGet", juc+"CompletableFuture.get",
			"App.check", "App.onLine", "App.read", "App.run", "java.lang.Thread.run"), used(1, 9))
		waits.State = threaddump.Waiting
		lockOn(waits, threaddump.Parking, 0xa, juc+"CompletableFuture$Signaller")
		return waits
	}
	backend := asking(7, "backend", "Backend.serve", "java.lang.Thread.run")
	look := func(files []string, threads ...*threaddump.Thread) *Report {
		var all []Observation
		for i, file := range files {
			o := observe(float64(i), threads...)
			if i == 1 { // between two tasks
				for j, h := range threads {
					if h.Name == "pool-1-thread-1" {
						o.Dump.Threads[j] = thread(h.ID, h.Name, idleAt(0xc), used(1, 9))
					}
				}
			}
			o.Tasks = map[int64]Task{}
			for _, h := range threads {
				switch h.Stack[len(h.Stack)-2].Class {
				case "Client":
					o.Tasks[h.NativeID] = Task{State: "S", File: file, Peer: "127.0.0.1:8080"}
				case "Backend":
					o.Tasks[h.NativeID] = Task{State: "S", File: "accepted-socket", Peer: "127.0.0.1:40030"}
				}
			}
			all = append(all, o)
		}
		return diagnose(all...)
	}
	unread := []string{unreadOwnSocket, unreadOwnSocket, unreadOwnSocket}
	pausing := loop(1, "loop")
	timed(pausing)
	sleeps := thread(1, "loop", at("App.awaitPrinter", "App.onLine", "App.read", "App.run", "java.lang.Thread.run"), sleeping, used(1, 9))
	works := thread(9, "pool-1-thread-1", at("App.count", juc+"ThreadPoolExecutor.runWorker", juc+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"))
	const blamed = "single-thread-blocked/warning/likely: loop | a,b"
	for _, test := range []struct {
		name   string
		report *Report
		want   string
	}{
		{"beside another server", look(unread, loop(1, "loop"), client(2, "a"), client(3, "b"), backend), blamed},
		{"read in between", look([]string{unreadOwnSocket, ownSocket, unreadOwnSocket}, loop(1, "loop"), client(2, "a"), client(3, "b")), ""},
		{"all was read", look([]string{ownSocket, ownSocket, ownSocket}, loop(1, "loop"), client(2, "a"), client(3, "b")), ""},
		{"one client", look(unread, loop(1, "loop"), client(2, "a")), ""},
		{"two may be to read", look(unread, loop(1, "loop"), loop(4, "other"), client(2, "a"), client(3, "b")), ""},
		{"a wait that ends", look(unread, pausing, client(2, "a"), client(3, "b")), ""},
		{"who tries again after a pause", look(unread, sleeps, client(2, "a"), client(3, "b")), blamed},
		{"somebody works", look(unread, loop(1, "loop"), client(2, "a"), client(3, "b"), thread(9, "busy", at("App.count", "App.day"))), ""},
		{"a worker had nothing to do", look(unread, loop(1, "loop"), client(2, "a"), client(3, "b"), works), blamed},
		{"who waits for the clients to end", look(unread, thread(1, "batch", at("App.await", "App.day", "App.run"), joins(0xb), used(1, 9)), client(2, "a"), client(3, "b")), ""},
		{"nobody else", look(unread, client(2, "a"), client(3, "b")), ""},
	} {
		t.Run(test.name, func(t *testing.T) { expectOnly(t, test.report, KindSingleThreadBlocked, test.want) })
	}
}
