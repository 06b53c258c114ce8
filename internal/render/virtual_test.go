package render

import (
	"github.com/jstall/jstall/analysis/timeline"
	"testing"
)

// The report says what virtual threads at one place wait for, if that is known.
func TestWhatVirtualThreadsWaitFor(t *testing.T) {
	g := timeline.VirtualGroup{Count: 60000, Name: "v-1", State: "WAITING", WaitType: "queue item",
		Stack: []string{"Inbox.take(Inbox.java:12)"}}
	for want, waitType := range map[string]string{
		`60,000 like "v-1" WAITING for an item from a queue at Inbox.take(Inbox.java:12)`: "queue item",
		`60,000 like "v-1" WAITING at Inbox.take(Inbox.java:12)`:                          "",
	} {
		g.WaitType = waitType
		text := ""
		for _, s := range virtualGroup(g) {
			text += s.text
		}
		if text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}
