package kernel

import (
	"encoding/binary"
	"net/netip"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// mayWait asks the kernel whether connections wait at any listening socket of a
// process's network, in some 50 µs: its tables under /proc list all connections, and
// take tens of milliseconds to walk on a machine that has room for many. It asks for
// our own network only; of others nothing is known.
func (n network) mayWait() bool {
	if n.Root != "/proc" {
		return true // saved files cost nothing
	}
	if !n.isOurs() {
		return false
	}
	for _, family := range []byte{unix.AF_INET, unix.AF_INET6} {
		if waits, err := anyWaits(family); err == nil && waits {
			return true
		}
	}
	return false
}

// isOurs reports that the process is in the same network namespace as we are.
func (n network) isOurs() bool {
	ours, err := os.Readlink("/proc/self/ns/net")
	theirs, theirErr := os.Readlink(n.Path(n.pid, "ns", "net"))
	return err == nil && theirErr == nil && ours == theirs
}

// anyWaits lists the listening sockets of a family; sock_diag(7).
func anyWaits(family byte) (bool, error) {
	waits := false
	err := askSockets(family, listen, func(body []byte) bool {
		waits = waits || binary.NativeEndian.Uint32(body[diagQueue:]) > 0
		return true
	})
	return waits, err
}

// The states of sockets to ask for, and where an inet_diag_msg has what; include/uapi/linux/inet_diag.h.
const (
	listen, connected              = 1 << 10, 1 << 1
	diagPort, diagQueue, diagInode = 4, 56, 68
	diagSize                       = 72
)

// mostDiagnosed bounds how many connections of the machine are looked at, a microsecond each.
const mostDiagnosed = 3000

// diagnosed lists the listening and the connected sockets of our network, with local ports, queues and inodes
// alone; nil where there are more than we look at.
func diagnosed() []socketRow {
	var rows []socketRow
	for _, family := range []byte{unix.AF_INET, unix.AF_INET6} {
		for states, state := range map[uint32]string{listen: listening, connected: established} {
			err := askSockets(family, states, func(body []byte) bool {
				order := binary.NativeEndian
				rows = append(rows, socketRow{
					local: netip.AddrPortFrom(netip.Addr{}, binary.BigEndian.Uint16(body[diagPort:])),
					state: state, queued: uint64(order.Uint32(body[diagQueue:])),
					inode: strconv.FormatUint(uint64(order.Uint32(body[diagInode:])), 10),
				})
				return len(rows) <= mostDiagnosed
			})
			if err != nil || len(rows) > mostDiagnosed {
				return nil
			}
		}
	}
	return rows
}

// askSockets lists the TCP sockets of a family that are in some states, until see has enough; sock_diag(7).
func askSockets(family byte, states uint32, see func(body []byte) bool) error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	patience := unix.Timeval{Usec: 100_000}
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &patience); err != nil {
		return err
	}
	request := socketsRequest(family, states)
	if err := unix.Sendto(fd, request, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	for buf := make([]byte, 1<<16); ; {
		n, err := retry(func() (int, error) { n, _, err := unix.Recvfrom(fd, buf, 0); return n, err })
		if err != nil {
			return err
		}
		if socketsIn(buf[:n], see) {
			return nil
		}
	}
}

// socketsRequest is a nlmsghdr and an inet_diag_req_v2 of include/uapi/linux.
func socketsRequest(family byte, states uint32) []byte {
	const size, byFamily = 72, 20
	msg := make([]byte, size)
	order := binary.NativeEndian
	order.PutUint32(msg[0:], size)
	order.PutUint16(msg[4:], byFamily)
	order.PutUint16(msg[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	msg[16], msg[17] = family, unix.IPPROTO_TCP
	order.PutUint32(msg[20:], states)
	return msg
}

// socketsIn reads the inet_diag_msg of an answer, and reports whether it was the last part, or none, or enough.
func socketsIn(answer []byte, see func(body []byte) bool) (done bool) {
	const header = 16
	order := binary.NativeEndian
	for len(answer) >= header {
		size, kind := int(order.Uint32(answer)), order.Uint16(answer[4:])
		if size < header || size > len(answer) || kind == unix.NLMSG_DONE || kind == unix.NLMSG_ERROR {
			return true
		}
		if body := answer[header:size]; len(body) >= diagSize && !see(body) {
			return true
		}
		answer = answer[min(len(answer), (size+3)&^3):]
	}
	return false
}
