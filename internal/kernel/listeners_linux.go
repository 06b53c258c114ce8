package kernel

import (
	"encoding/binary"
	"os"

	"golang.org/x/sys/unix"
)

// mayWait asks the kernel whether connections wait at any listening socket of a
// process's network, in some 50 µs: its tables under /proc list all connections, and
// take tens of milliseconds to walk on a machine that has room for many. It asks for
// our own network only; of others nothing is known.
func (r *Reader) mayWait(pid int) bool {
	if r.Root != "/proc" {
		return true // saved files cost nothing
	}
	ours, err := os.Readlink("/proc/self/ns/net")
	theirs, theirErr := os.Readlink(r.Path(pid, "ns", "net"))
	if err != nil || theirErr != nil || ours != theirs {
		return false
	}
	for _, family := range []byte{unix.AF_INET, unix.AF_INET6} {
		if waits, err := anyWaits(family); err == nil && waits {
			return true
		}
	}
	return false
}

// anyWaits lists the listening sockets of a family; sock_diag(7).
func anyWaits(family byte) (bool, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return false, err
	}
	defer func() { _ = unix.Close(fd) }()
	patience := unix.Timeval{Usec: 100_000}
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &patience); err != nil {
		return false, err
	}
	if err := unix.Sendto(fd, listenersRequest(family), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return false, err
	}
	waits := false
	for buf := make([]byte, 1<<16); ; {
		n, err := retry(func() (int, error) { n, _, err := unix.Recvfrom(fd, buf, 0); return n, err })
		if err != nil {
			return waits, err
		}
		some, done := queuesIn(buf[:n])
		if waits = waits || some; done {
			return waits, nil
		}
	}
}

// listenersRequest is a nlmsghdr and an inet_diag_req_v2 of include/uapi/linux.
func listenersRequest(family byte) []byte {
	const size, byFamily, listen = 72, 20, 1 << 10
	msg := make([]byte, size)
	order := binary.NativeEndian
	order.PutUint32(msg[0:], size)
	order.PutUint16(msg[4:], byFamily)
	order.PutUint16(msg[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	msg[16], msg[17] = family, unix.IPPROTO_TCP
	order.PutUint32(msg[20:], listen)
	return msg
}

// queuesIn reads the inet_diag_msg of an answer: whether connections wait at any of
// the sockets, and whether it was the last part, or none.
func queuesIn(answer []byte) (waits, done bool) {
	const header, queue, least = 16, 56, 72
	order := binary.NativeEndian
	for len(answer) >= header {
		size, kind := int(order.Uint32(answer)), order.Uint16(answer[4:])
		if size < header || size > len(answer) || kind == unix.NLMSG_DONE || kind == unix.NLMSG_ERROR {
			return waits, true
		}
		if body := answer[header:size]; len(body) >= least && order.Uint32(body[queue:]) > 0 {
			waits = true
		}
		answer = answer[min(len(answer), (size+3)&^3):]
	}
	return waits, false
}
