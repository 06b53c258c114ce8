package pinned_test

import (
	"slices"
	"strings"
	"testing"

	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/timeline"
)

// Pinned threads that all read are told what they read from; that they would wait without
// the pin as well is part of the advice.
func TestPinnedInARead(t *testing.T) {
	reads := parkedOn("java.util.concurrent.locks.LockSupport.park", "sun.nio.ch.NioSocketImpl.implRead",
		"java.net.Socket$SocketInputStream.read", "App.status", "App.track")
	sleeps := parkedOn("java.lang.Thread.sleep", "App.status", "App.track")
	poller := Thread(7, "Read-Poller",
		At("!sun.nio.ch.EPoll.wait", "sun.nio.ch.Poller.pollerLoop", "java.lang.Thread.run"), Daemon)
	const peer, limit = ", to read from 10.0.0.5:80", "but these threads still wait."
	for name, test := range map[string]struct {
		second Part
		file   string
		ends   string
		limit  bool
	}{
		"both read":             {reads, "client-socket", peer, true},
		"the side is unknown":   {reads, "", ", to read", true},
		"one does other things": {sleeps, "client-socket", " inside a monitor of that or of App.track", false},
	} {
		all := look(carrying(1, 11, 1, 9), carrying(2, 12, 1, 9), carrying(1, 11, 1, 11), carrying(2, 12, 1, 11), "21",
			Virtual(11, "v-1", reads), Virtual(12, "v-2", test.second))
		for i := range 2 {
			all[i].Dump.Threads = append(all[i].Dump.Threads, poller)
			if test.file != "" {
				all[i].Tasks = map[int64]timeline.Task{poller.NativeID: {File: test.file, Peer: "10.0.0.5:80"}}
			}
		}
		r := Diagnose(all...)
		at := slices.IndexFunc(r.Findings, func(f finding.Finding) bool {
			return f.Kind == finding.KindVirtualThreadPinned
		})
		if at < 0 {
			t.Fatal(Found(r))
		}
		if f := r.Findings[at]; !strings.HasSuffix(f.Title, test.ends) ||
			strings.HasSuffix(f.Advice, limit) != test.limit {
			t.Errorf("%s: %q %q", name, f.Title, f.Advice)
		}
	}
}
