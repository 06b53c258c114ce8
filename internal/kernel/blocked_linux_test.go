package kernel

import (
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// toOurselves is a connection from us to ourselves, at the given address.
func toOurselves(t *testing.T) (client, accepted int, at string) {
	server, address := listens(t)
	client = connects(t, address)
	accepted, _, err := unix.Accept4(server, unix.SOCK_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(accepted) })
	port := uint16(address.(*unix.SockaddrInet4).Port)
	return client, accepted, netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), port).String()
}

// Threads of ours that wait at both ends of a connection from us to ourselves.
func TestBlockedOnOurselves(t *testing.T) {
	client, accepted, want := toOurselves(t)
	asks, answers := readsFrom(t, client), readsFrom(t, accepted)

	r := live(t)
	for range 100 { // until both have come to rest in the kernel
		files := r.BlockedOn(os.Getpid(), []int{asks, answers})
		if files[asks] == (File{OwnSocket, want}) && files[answers].Kind == AcceptedSocket {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%+v, want one at %s, of ours, and one accepted", r.BlockedOn(os.Getpid(), []int{asks, answers}), want)
}

// A thread of ours waits for an answer to what no process reads; that no more will come is nothing
// to read.
func TestBlockedOnOurUnreadRequest(t *testing.T) {
	for _, test := range []struct {
		name string
		send func(client int) error
		want FileKind
	}{
		{"a request", func(client int) error { _, err := unix.Write(client, []byte("PING")); return err },
			UnreadOwnSocket},
		{"the end", func(client int) error { return unix.Shutdown(client, unix.SHUT_WR) }, OwnSocket},
	} {
		t.Run(test.name, func(t *testing.T) {
			client, _, at := toOurselves(t)
			if err := test.send(client); err != nil {
				t.Fatal(err)
			}
			asks := readsFrom(t, client)
			r := live(t)
			for range 100 { // until it has come to rest in the kernel
				if r.BlockedOn(os.Getpid(), []int{asks})[asks] == (File{test.want, at}) {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
			t.Errorf("%+v, want %s at %s", r.BlockedOn(os.Getpid(), []int{asks}), test.want, at)
		})
	}
}

// A connection to another process is a client's.
func TestBlockedOnAnotherProcess(t *testing.T) {
	table := &connections{byInode: map[string]connection{}, byEnds: map[ends]string{}, listening: map[uint16]bool{}}
	here, there := netip.MustParseAddrPort("10.0.0.1:40000"), netip.MustParseAddrPort("10.0.0.5:5432")
	table.byInode["7"] = connection{ends: ends{here, there}}
	finder := fileFinder{table: table, own: map[string]bool{"7": true}}
	if got := finder.file(9, "socket:[7]"); got != (File{ClientSocket, there.String()}) {
		t.Errorf("%+v without the other end in the table", got)
	}
	table.byEnds[ends{there, here}] = "8"
	if got := finder.file(9, "socket:[7]"); got.Kind != ClientSocket {
		t.Errorf("%+v with the other end in another process of this host", got)
	}
}

// readsFrom has a separate thread read from a socket until the test ends, and returns its
// kernel id.
func readsFrom(t *testing.T, fd int) (tid int) {
	t.Helper()
	tids := make(chan int)
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		tids <- unix.Gettid()
		var b [1]byte
		for {
			if _, err := unix.Read(fd, b[:]); err != unix.EINTR {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = unix.Shutdown(fd, unix.SHUT_RDWR)
		<-done
	})
	return <-tids
}

// A named pipe is reported with its path; an empty one has a reader of ours asleep.
func TestBlockedOnANamedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "orders")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	both, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(both) })
	finder := fileFinder{reader: live(t), pid: os.Getpid()}
	if got := finder.file(both, path); got != (File{NamedPipe, path}) {
		t.Errorf("got %+v", got)
	}
	if got := finder.file(both, "/tmp/two words"); got != (File{Kind: NamedPipe}) {
		t.Errorf("got %+v for a path with a blank", got)
	}
}
