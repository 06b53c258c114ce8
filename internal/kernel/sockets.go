package kernel

import (
	"bytes"
	"encoding/hex"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
)

// network is the TCP sockets of a process, and of the network that it is in.
type network struct {
	*Reader
	pid int
}

// mostBacklogText bounds how much is read of a table of connections, in bytes: about 3,000 lines, a microsecond each.
const mostBacklogText = 1 << 19

// socketRow is a line of /proc/PID/net/tcp. gopsutil leaves its queues out.
type socketRow struct {
	local, remote netip.AddrPort
	state         string
	// queued is, of a listening socket, how many connections wait to be accepted, of any
	// other how many bytes wait to be read.
	queued uint64
	inode  string
}

const (
	established = "01"
	listening   = "0A"
	// unclaimed is the inode of a connection that no process has accepted.
	unclaimed = "0"
)

// hasBacklog reports whether connections wait at a listening socket.
func (s socketRow) hasBacklog() bool { return s.state == listening && s.queued > 0 }

// isUnread reports whether bytes wait to be read at a connection.
func (s socketRow) isUnread() bool { return s.state == established && s.queued > 0 }

// waiting lists the sockets of the process's network: from the tables of the kernel where connections wait to be
// accepted, whose far ends these name, else in short.
func (n network) waiting() []socketRow {
	switch {
	case n.mayWait():
		return n.tables()
	case n.Root == "/proc" && n.isOurs():
		return diagnosed()
	}
	return nil
}

// tables reads /proc/PID/net/tcp and its sister, nil if they are too long.
func (n network) tables() []socketRow {
	var rows []socketRow
	for _, name := range []string{"net/tcp", "net/tcp6"} {
		f, err := os.Open(n.Path(n.pid, name))
		if err != nil {
			continue
		}
		text, err := ReadSome(f, mostBacklogText)
		_ = f.Close()
		if err != nil {
			return nil
		}
		rows = append(rows, parseSocketRows(text)...)
	}
	return rows
}

// parseSocketRows reads lines such as
//
//	0: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000 0 34567 1 …
//
// where state 0A is listening.
func parseSocketRows(text []byte) []socketRow {
	const local, remote, state, queues, inode = 1, 2, 3, 4, 9
	var rows []socketRow
	for line := range bytes.Lines(text) {
		words := strings.Fields(string(line))
		if len(words) <= inode {
			continue
		}
		row := socketRow{state: words[state], inode: words[inode]}
		_, received, _ := strings.Cut(words[queues], ":")
		queued, err := strconv.ParseUint(received, 16, 64)
		var here, there bool
		row.local, here = socketAddress(words[local])
		row.remote, there = socketAddress(words[remote])
		if err != nil || !here || !there {
			continue
		}
		row.queued = queued
		rows = append(rows, row)
	}
	return rows
}

// inodes are those of a process's sockets, as far as we may read them.
func (n network) inodes() map[string]bool {
	inodes := map[string]bool{}
	for _, file := range n.openFiles(n.pid, mostDescriptors) {
		if inode, ok := strings.CutPrefix(file.Path, "socket:["); ok {
			inodes[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return inodes
}

// socketAddress reads an address and a port in hex; the address is words of four
// bytes in the order of the machine, little-endian on all that we run on.
func socketAddress(word string) (netip.AddrPort, bool) {
	host, port, ok := strings.Cut(word, ":")
	raw, err := hex.DecodeString(host)
	n, portErr := strconv.ParseUint(port, 16, 16)
	if !ok || err != nil || portErr != nil || len(raw)%4 != 0 {
		return netip.AddrPort{}, false
	}
	for i := 0; i < len(raw); i += 4 {
		slices.Reverse(raw[i : i+4])
	}
	addr, ok := netip.AddrFromSlice(raw)
	return netip.AddrPortFrom(addr.Unmap(), uint16(n)), ok
}
