//go:build linux

package attach_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/attach"
)

// FakeServer is where a JVM's attach listener would be, in this very process,
// and misbehaves as no real JVM can be made to.
type FakeServer struct {
	dir    string
	socket *os.File
}

// newFakeServer listens in a folder whose path is longer than sun_path.
func newFakeServer(t *testing.T, pid, backlog int) *FakeServer {
	t.Helper()
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	folder, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	socket := os.NewFile(uintptr(fd), "listener")
	t.Cleanup(func() { _ = socket.Close() })
	path := fmt.Sprintf("/proc/self/fd/%d/.java_pid%d", folder.Fd(), pid)
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		t.Fatal(err)
	}
	if err := unix.Listen(fd, backlog); err != nil {
		t.Fatal(err)
	}
	return &FakeServer{dir: dir, socket: socket}
}

// serve lets answer have every connection, after the request was read.
func (f *FakeServer) serve(t *testing.T, answer func(net.Conn)) {
	t.Helper()
	l, err := net.FileListener(f.socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				answer(c)
			}()
		}
	}()
}

// self is this process as a target whose socket is the fake's.
func (f *FakeServer) self() attach.Target {
	return attach.Target{PID: os.Getpid(), TempDir: f.dir, Major: 17}
}

// request reads a request of version 1: five strings.
func request(c net.Conn) {
	var one [1]byte
	for nuls := 0; nuls < 5; {
		if _, err := c.Read(one[:]); err != nil {
			return
		}
		if one[0] == 0 {
			nuls++
		}
	}
}

func TestFakeAnswers(t *testing.T) {
	say := func(words string) func(net.Conn) {
		return func(c net.Conn) { request(c); _, _ = io.WriteString(c, words) }
	}
	endless := func(c net.Conn) {
		request(c)
		_, _ = io.WriteString(c, "0\n")
		for zeros := make([]byte, 1<<20); ; {
			if _, err := c.Write(zeros); err != nil {
				return
			}
		}
	}
	slowly := func(c net.Conn) {
		request(c)
		for _, b := range []byte("0\nFull thread dump that will not end before the deadline does") {
			_, _ = c.Write([]byte{b})
			time.Sleep(50 * time.Millisecond)
		}
	}
	silent := func(c net.Conn) { request(c); _, _ = io.Copy(io.Discard, c) }
	answers := []struct {
		name   string
		answer func(net.Conn)
		phase  attach.Phase
		code   string
	}{
		{"closes at once", func(net.Conn) {}, attach.PhaseRead, attach.CodeProtocol},
		{"reads and closes", say(""), attach.PhaseStatus, attach.CodeProtocol},
		{"words", say("Hello, world\n"), attach.PhaseStatus, attach.CodeProtocol},
		{"half a line", say("0"), attach.PhaseStatus, attach.CodeProtocol},
		{"a sign", say("-\n"), attach.PhaseStatus, attach.CodeProtocol},
		{"a blank before", say(" 0\nFull"), attach.PhaseStatus, attach.CodeProtocol},
		{"carriage return", say("0\r\nFull"), attach.PhaseStatus, attach.CodeProtocol},
		{"too many digits", say("000000000000\nFull"), attach.PhaseStatus, attach.CodeProtocol},
		{"unknown version", say("101\nunknown version"), attach.PhaseStatus, attach.CodeProtocol},
		{"an error", say("-1\nno\x1b[31m"), attach.PhaseCommand, attach.CodeCommandFailed},
		{"endless", endless, attach.PhaseRead, attach.CodeTooLarge},
		{"slow", slowly, attach.PhaseRead, attach.CodeTimeout},
		{"silent", silent, attach.PhaseRead, attach.CodeTimeout},
	}
	for _, a := range answers {
		t.Run(a.name, func(t *testing.T) {
			f := newFakeServer(t, os.Getpid(), 5)
			f.serve(t, a.answer)
			c := newClient(300 * time.Millisecond)
			c.MaxAnswer = 16 << 20
			_, err := c.Execute(t.Context(), f.self(), attach.ThreadDump(17, false))
			e := wantError(t, err, a.code)
			// Where the request is unread the kernel may report the end early.
			if e.Phase != a.phase && (a.name != "closes at once" || e.Phase == attach.PhaseCommand) {
				t.Errorf("phase %s, want %s", e.Phase, a.phase)
			}
			if strings.Contains(e.Error(), "\x1b") {
				t.Errorf("a control character in %q", e)
			}
		})
	}
}

func TestFakeGoodAnswers(t *testing.T) {
	answers := map[string]struct {
		status int
		body   string
	}{
		"0\n":             {0, ""},
		"0\nFull\nthread": {0, "Full\nthread"},
		"0\n\n\x00\xff":   {0, "\n\x00\xff"},
	}
	for sent, want := range answers {
		f := newFakeServer(t, os.Getpid(), 5)
		f.serve(t, func(c net.Conn) { request(c); _, _ = io.WriteString(c, sent) })
		a, err := patient().Execute(t.Context(), f.self(), attach.ThreadDump(17, false))
		if err != nil {
			t.Fatal(err)
		}
		if a.Status != want.status || string(a.Body) != want.body || a.Triggered || a.Protocol != 1 {
			t.Errorf("%q became %+v", sent, a)
		}
	}
}

// shortPath is a path to the fake's socket that fits into sun_path.
func shortPath(t *testing.T, f *FakeServer) string {
	t.Helper()
	link := filepath.Join(t.TempDir(), "l")
	if err := os.Symlink(f.dir, link); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(link, fmt.Sprint(".java_pid", os.Getpid()))
}

func TestFakeFullQueue(t *testing.T) {
	f := newFakeServer(t, os.Getpid(), 0)
	other, err := net.Dial("unix", shortPath(t, f))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	_, err = newClient(200*time.Millisecond).Execute(t.Context(), f.self(), attach.ThreadDump(17, false))
	if e := wantError(t, err, attach.CodeTimeout); e.Phase != attach.PhaseConnect || e.Err != unix.EAGAIN {
		t.Errorf("got %+v, want phase connect and EAGAIN", e)
	}
}

// Two JVMs that are both process 1 of their containers share one /tmp: what
// answers there may be the wrong one.
func TestFakeForeignSocket(t *testing.T) {
	cmd := command(t, "sleep", "60")
	f := newFakeServer(t, cmd.Process.Pid, 5)
	received := make(chan int, 10)
	f.serve(t, func(c net.Conn) {
		n, _ := c.Read(make([]byte, 1))
		received <- n
	})
	e := wantCode(t, patient(), attach.Target{PID: cmd.Process.Pid, TempDir: f.dir}, attach.CodeForeignSocket)
	if n := <-received; n > 0 {
		t.Errorf("another process was asked: %v", e)
	}
}
