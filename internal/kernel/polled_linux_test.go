package kernel

import (
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A poller waits once for each of its sockets, by way of another one or of a virtual
// thread's selector, too; a selector waits again and again, and what has come is waited for
// no more.
func TestPolledSockets(t *testing.T) {
	server, port := listens(t)
	one, two := connects(t, port), connects(t, port)
	far, _, err := unix.Accept4(server, unix.SOCK_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(far) })
	const once = unix.EPOLLIN | unix.EPOLLONESHOT
	inner := epoll(t, map[int]uint32{one: once, two: once, far: unix.EPOLLONESHOT})
	again := epoll(t, map[int]uint32{one: unix.EPOLLIN, two: unix.EPOLLIN})
	for _, test := range []struct {
		name, thread string
		fd           int
		want         File
	}{
		{"a poller", "Read-Poller", inner, File{ClientSocket, ""}},
		{"a poller of pollers", "MasterPoller", epoll(t, map[int]uint32{inner: once}), File{ClientSocket, ""}},
		{"a poller of selectors", "MasterPoller", epoll(t, map[int]uint32{again: once}), File{ClientSocket, ""}},
		{"an HttpClient", "HttpClient-1-Se", again, File{ClientSocket, ""}},
		{"an HttpClient since 26", "HttpCli..anager", again, File{ClientSocket, ""}},
		{"of both sides", "Read-Poller", epoll(t, map[int]uint32{far: once, two: once}), File{OtherSocket, ""}},
		{"a selector", "Read-Poller", again, File{}},
		{"another thread", "http-nio-1", epoll(t, map[int]uint32{one: once}), File{}},
	} {
		tid := waitsAt(t, test.fd, test.thread)
		var got File
		for range 100 { // until it has come to rest in the kernel
			got = live(t).BlockedOn(os.Getpid(), []int{tid})[tid]
			if got.Peer = ""; got == test.want && got.Kind != "" {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestWhatFilesShare(t *testing.T) {
	a, b := File{ClientSocket, "10.0.0.5:80"}, File{ClientSocket, "10.0.0.6:80"}
	for _, test := range []struct {
		one, two, want File
	}{
		{a, a, a}, {a, b, File{Kind: ClientSocket}}, {a, File{OwnSocket, a.Peer}, a},
		{a, File{AcceptedSocket, a.Peer}, File{Kind: OtherSocket}},
	} {
		if got := (File{}).sharedWith(test.one, true).sharedWith(test.two, false); got != test.want {
			t.Errorf("%+v and %+v: %+v", test.one, test.two, got)
		}
	}
}

func listens(t *testing.T) (fd int, address unix.Sockaddr) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err == nil {
		t.Cleanup(func() { _ = unix.Close(fd) })
		err = unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}})
	}
	if err == nil {
		err = unix.Listen(fd, 4)
	}
	if err == nil {
		address, err = unix.Getsockname(fd)
	}
	if err != nil {
		t.Fatal(err)
	}
	return fd, address
}

func connects(t *testing.T, to unix.Sockaddr) (fd int) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err == nil {
		t.Cleanup(func() { _ = unix.Close(fd) })
		err = unix.Connect(fd, to)
	}
	if err != nil {
		t.Fatal(err)
	}
	return fd
}

func epoll(t *testing.T, events map[int]uint32) (fd int) {
	t.Helper()
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	for target, mask := range events {
		if err := unix.EpollCtl(fd, unix.EPOLL_CTL_ADD, target,
			&unix.EpollEvent{Events: mask, Fd: int32(target)}); err != nil {
			t.Fatal(err)
		}
	}
	return fd
}

// waitsAt has a separate thread with a name wait at an epoll instance for a short time, and
// returns its kernel id.
func waitsAt(t *testing.T, fd int, name string) (tid int) {
	t.Helper()
	tids, done := make(chan int), make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlock it: it ends with its name
		if err := os.WriteFile("/proc/thread-self/comm", []byte(name), 0); err != nil {
			t.Error(err)
		}
		tids <- unix.Gettid()
		_, _ = unix.EpollWait(fd, make([]unix.EpollEvent, 1), 200)
	}()
	t.Cleanup(func() { <-done })
	return <-tids
}
