package kernel

import (
	"bytes"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Backlog is what waits at a port that a process listens on.
type Backlog struct {
	Port uint16
	// Open counts the connections that were accepted and are still open.
	Open int
	// Unread counts those of them at which bytes wait to be read.
	Unread int
	// Pending are the far ends of those that nobody has accepted, in order.
	Pending []netip.AddrPort
}

// backlogs is the name in [Files] of what waits at the process's ports, a line
// each that has something: "PORT OPEN PEER…", with "unread=N" before the peers where bytes wait.
const backlogs = "process/backlogs"

const (
	// mostBacklogText bounds how much is read of a table of connections, in bytes:
	// about 3,000 lines, a microsecond each.
	mostBacklogText = 1 << 19
	// mostPending bounds how many connections are named.
	mostPending = 32
)

// backlogs finds the ports that a process listens on at which connections, or bytes of accepted ones, wait. Where there
// are more connections than the bounds allow it says nothing, nor of a process in another network than ours.
func (r *Reader) backlogs(pid int) []byte {
	rows := r.waitingSockets(pid)
	if !slices.ContainsFunc(rows, func(s socketRow) bool { return s.hasBacklog() || s.isUnread() }) {
		return nil
	}
	var text []byte
	for _, b := range backlogsOf(rows, r.socketInodes(pid)) {
		text = fmt.Appendf(text, "%d %d", b.Port, b.Open)
		if b.Unread > 0 {
			text = fmt.Appendf(text, " unread=%d", b.Unread)
		}
		for _, peer := range b.Pending {
			text = fmt.Appendf(text, " %s", peer)
		}
		text = append(text, '\n')
	}
	return text
}

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

// waitingSockets lists the sockets of the process's network: from the tables of the kernel where connections wait to be
// accepted, whose far ends these name, else in short.
func (r *Reader) waitingSockets(pid int) []socketRow {
	switch {
	case r.mayWait(pid):
		return r.socketTables(pid)
	case r.Root == "/proc" && r.inOurNetwork(pid):
		return diagnosed()
	}
	return nil
}

// socketTables reads /proc/PID/net/tcp and its sister, nil if they are too long.
func (r *Reader) socketTables(pid int) []socketRow {
	var rows []socketRow
	for _, name := range []string{"net/tcp", "net/tcp6"} {
		f, err := os.Open(r.Path(pid, name))
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

// onlyOnce drops the rows that are there again: the table changes while the kernel
// writes it, and what moved back within it comes twice.
func onlyOnce(rows []socketRow) []socketRow {
	seen := make(map[socketRow]bool, len(rows))
	return slices.DeleteFunc(rows, func(row socketRow) bool {
		// A listening socket may have gained a connection in between.
		row.queued = 0
		again := seen[row]
		seen[row] = true
		return again
	})
}

// add counts a connection to the port of b.
func (b *Backlog) add(row socketRow, own map[string]bool) {
	switch {
	case row.state == listening:
	case own[row.inode]:
		b.Open++
		if row.isUnread() {
			b.Unread++
		}
	case row.state == established && row.inode == unclaimed:
		b.Pending = append(b.Pending, row.remote)
	}
}

// backlogsOf sums the rows up for the sockets of one process, by port.
func backlogsOf(rows []socketRow, own map[string]bool) []Backlog {
	rows = onlyOnce(rows)
	byPort := map[uint16]*Backlog{}
	for _, row := range rows {
		if row.state == listening && own[row.inode] {
			byPort[row.local.Port()] = &Backlog{Port: row.local.Port()}
		}
	}
	waits := map[uint16]bool{}
	for _, row := range rows {
		port := row.local.Port()
		waits[port] = waits[port] || own[row.inode] && (row.hasBacklog() || row.isUnread())
		if b := byPort[port]; b != nil {
			b.add(row, own)
		}
	}
	var all []Backlog
	for _, port := range slices.Sorted(maps.Keys(byPort)) {
		b := byPort[port]
		if !waits[port] {
			continue
		}
		slices.SortFunc(b.Pending, netip.AddrPort.Compare)
		b.Pending = b.Pending[:min(len(b.Pending), mostPending)]
		all = append(all, *b)
	}
	return all
}

// socketInodes are those of a process's sockets, as far as we may read them.
func (r *Reader) socketInodes(pid int) map[string]bool {
	inodes := map[string]bool{}
	for _, file := range r.openFiles(pid, mostDescriptors) {
		if inode, ok := strings.CutPrefix(file.Path, "socket:["); ok {
			inodes[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return inodes
}

// Backlogs reads what [Reader.Surroundings] found waiting at the process's ports.
func (f Files) Backlogs() []Backlog {
	var all []Backlog
	for line := range bytes.Lines(f[backlogs]) {
		words := strings.Fields(string(line))
		if len(words) < 2 {
			continue
		}
		port, err := strconv.ParseUint(words[0], 10, 16)
		open, openErr := strconv.Atoi(words[1])
		if err != nil || openErr != nil || open < 0 {
			continue
		}
		b := Backlog{Port: uint16(port), Open: open}
		for _, word := range words[2:] {
			if count, ok := strings.CutPrefix(word, "unread="); ok {
				b.Unread, _ = strconv.Atoi(count)
			} else if peer, err := netip.ParseAddrPort(word); err == nil {
				b.Pending = append(b.Pending, peer)
			}
		}
		all = append(all, b)
	}
	return all
}
