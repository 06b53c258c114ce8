package stack

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/threaddump"
)

// What a selector does without waiting is no wait of its caller.
func TestWakeUpsAreNoSelect(t *testing.T) {
	for name, want := range map[string]OpKind{
		"sun.nio.ch.EPoll wait":                  OpSelect,
		"sun.nio.ch.EPollArrayWrapper epollWait": OpSelect,
		"sun.nio.ch.EPollSelectorImpl doSelect":  OpSelect,
		"sun.nio.ch.KQueue poll":                 OpSelect,
		"sun.nio.ch.EPollSelectorImpl wakeup":    OpNone,
		"sun.nio.ch.EPoll ctl":                   OpNone,
		"sun.nio.ch.KQueueSelectorImpl wakeup":   OpNone,
		"sun.nio.ch.KQueue register":             OpNone,
	} {
		f := &threaddump.Frame{}
		f.Class, f.Method, _ = strings.Cut(name, " ")
		if got := opKindOf(f); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// What a selector's or a socket's native methods do at once is no wait of the thread.
func TestNativeMethodsThatReturnAtOnce(t *testing.T) {
	for name, want := range map[string]WaitKind{
		"sun.nio.ch.EventFD set0":                  Running,
		"sun.nio.ch.EPollArrayWrapper interrupt":   Running,
		"sun.nio.ch.EPollArrayWrapper epollWait":   WaitSelect,
		"sun.nio.ch.EPoll ctl":                     Running,
		"sun.nio.ch.EPoll wait":                    WaitSelect,
		"sun.nio.ch.Net localPort":                 Running,
		"sun.nio.ch.Net accept":                    WaitSelect,
		"sun.nio.ch.Net poll":                      WaitIO,
		"sun.nio.ch.SocketDispatcher read0":        WaitIO,
		"sun.nio.ch.UnixFileDispatcherImpl force0": WaitIO,
		"java.net.SocketInputStream socketRead0":   WaitIO,
		"java.net.PlainSocketImpl socketAccept":    WaitSelect,
		"sun.nio.fs.UnixNativeDispatcher open0":    WaitIO,
		"sun.nio.ch.IOUtil configureBlocking":      Running,
		"sun.nio.ch.KQueue register":               Running,
		"sun.nio.ch.KQueue poll":                   WaitSelect,
	} {
		f := &threaddump.Frame{Native: true}
		f.Class, f.Method, _ = strings.Cut(name, " ")
		if got := nativeKind([]*threaddump.Frame{f}); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
