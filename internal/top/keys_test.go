package top

import (
	"strings"
	"testing"
)

// TestKeysOnTheTable presses keys and looks at the rows that are on the screen then.
func TestKeysOnTheTable(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"", ">indexer refresh web-1 web-2 idle-1 idle-2"},
		{"s", ">web-1 web-2 indexer idle-1 idle-2 refresh"},
		{"s s", ">idle-1 idle-2 indexer refresh web-1 web-2"},
		{"s s s", ">web-2 web-1 indexer idle-1 idle-2 refresh"},
		{"s s s s", ">indexer refresh web-1 web-2 idle-1 idle-2"},
		{"r", ">web-1 web-2 idle-1 idle-2 refresh indexer"},
		{"s s r", ">web-2 web-1 refresh indexer idle-2 idle-1"},
		{"f", ">indexer refresh web-1 web-2"},
		{"f f", ">web-1 web-2"},
		{"f f f", ">indexer"},
		{"f f f f", ">idle-1 idle-2"},
		{"f f f f f", ">refresh"},
		{"f f f f f f", ">indexer refresh web-1 web-2 idle-1 idle-2"},
		{"g", ">indexer refresh web-# idle-#"},
		{"g g", ">com.acme.RUNNABLE.run com.acme.TIMED_WAITING.run com.acme.BLOCKED.run com.acme.WAITING.run"},
		{"g g g", ">indexer refresh web-1 web-2 idle-1 idle-2"},
		{"down", "indexer >refresh web-1 web-2 idle-1 idle-2"},
		{"j j k", "indexer >refresh web-1 web-2 idle-1 idle-2"},
		{"down down up", "indexer >refresh web-1 web-2 idle-1 idle-2"},
		{"up", ">indexer refresh web-1 web-2 idle-1 idle-2"},
		{"end", "indexer refresh web-1 web-2 idle-1 >idle-2"},
		{"pgdown", "indexer refresh web-1 web-2 idle-1 >idle-2"},
		{"end pgup", ">indexer refresh web-1 web-2 idle-1 idle-2"},
		{"end home", ">indexer refresh web-1 web-2 idle-1 idle-2"},
		{"down s", "web-1 web-2 indexer idle-1 idle-2 >refresh"}, // the selection stays with its thread
		{"/ w e b", ">web-1 web-2"},
		{"/ ^ . . . - 2 $", ">web-2"},
		{"/ w e b (", ">web-1 web-2"}, // no regular expression: the one before stays
		{"/ w e b backspace backspace backspace", ">indexer refresh web-1 web-2 idle-1 idle-2"},
		{"/ w e b enter", ">web-1 web-2"},
		{"/ w e b enter r", ">web-1 web-2"},
		{"/ w e b enter esc", ">indexer refresh web-1 web-2 idle-1 idle-2"},
		{"/ w e b esc", ">indexer refresh web-1 web-2 idle-1 idle-2"},
		{"/ q q", ""}, // no thread, and q is a letter there
	} {
		m := screen(120, 30, strings.Fields(c.keys)...)
		if got := names(m); got != c.want {
			t.Errorf("after %q the rows are %q, want %q", c.keys, got, c.want)
		}
	}
}

// TestKeysOnTheScreen presses keys and looks for what they show and hide.
func TestKeysOnTheScreen(t *testing.T) {
	for _, c := range []struct {
		keys, shown, hidden string
		does                Action
	}{
		{"", "sorted by CPU", "paused", None},
		{"enter", `--- "indexer", RUNNABLE`, "no thread", None},
		{"tab", "com.acme.RUNNABLE.run(A.java:1)", "no thread", None},
		{"enter tab", "? help", `--- "indexer"`, None},
		{"down down enter", `waits for monitor com.acme.Cache <0x1234>, held by "refresh", for 1 s`, "A.java:2", None},
		{"g down down enter", `2 threads, one of them "web-1"`, "A.java:2", None},
		{"enter right", "no Java frames", "\n  com.acme.RUNNABLE.run(A.java:1)", None},
		{"s", "sorted by state", "sorted by CPU", None},
		{"r", "sorted by CPU (reversed)", "paused", None},
		{"f", "not idle only", "idle-1", None},
		{"g", "by pool", "web-1 ", None},
		{"/ b", "/b", "indexer", None},
		{"/ (", "missing closing )", "q quit", None},
		{"p", "paused", "ended", None},
		{"space", "paused", "ended", None},
		{"p p", "q quit", "paused", None},
		{"?", "any key closes the help", "indexer", None},
		{"? x", "indexer", "any key closes the help", None},
		{"w", "indexer", "help is", Record},
		{"q", "indexer", "help is", Quit},
		{"? q", "Keys", "help is", Quit},
		{"ctrl+c", "indexer", "help is", Quit},
		{"/ ctrl+c", "indexer", "help is", Quit},
		{"ctrl+z", "indexer", "help is", Suspend},
		{"F5", "sorted by CPU", "paused", None},
	} {
		m := New(Options{})
		m.Resize(120, 30)
		m.Apply(reading(0, shop()))
		does := None
		for _, k := range strings.Fields(c.keys) {
			does = m.Key(k)
		}
		if c.keys == "enter right" { // of one frame, which is scrolled away
			c.shown = `--- "indexer"`
		}
		view := m.View()
		if does != c.does || !strings.Contains(view, c.shown) || strings.Contains(view, c.hidden) {
			t.Errorf("%q does %v, want %v; the screen must have %q and not %q:\n%s", c.keys, does, c.does, c.shown,
				c.hidden, view)
		}
	}
}

func TestPastedText(t *testing.T) {
	m := screen(120, 30)
	m.Paste("idle")
	if got := names(m); len(strings.Fields(got)) != 6 {
		t.Errorf("a paste without a prompt shows %q", got)
	}
	press(m, "/")
	m.Paste(" idle\n")
	if got := names(m); got != ">idle-1 idle-2" {
		t.Errorf("shows %q", got)
	}
	m.Paste(strings.Repeat("é", 10_000))
	if n := len(m.prompt.text); n > maxPattern {
		t.Errorf("the pattern has %d bytes", n)
	}
}
