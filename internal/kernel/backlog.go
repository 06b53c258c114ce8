package kernel

import (
	"bytes"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/jstall/jstall/internal/order"
)

// Backlog is what waits at a port that a process listens on.
type Backlog struct {
	Port uint16
	// Open counts the connections that were accepted and are still open.
	Open int
	// Unread counts those of them at which bytes wait to be read.
	Unread int
	// Pending are the far ends of those that were not accepted, in order.
	Pending []netip.AddrPort
}

// backlogs is the name in [Files] of what waits at the process's ports, a line
// each that has something: "PORT OPEN PEER…", with "unread=N" before the peers where bytes wait.
const backlogs = "process/backlogs"

// mostPending bounds how many connections are named.
const mostPending = 32

// backlogs finds the ports that a process listens on at which connections, or bytes of accepted ones, wait. Where there
// are more connections than the bounds allow it says nothing, nor of a process in another network than ours.
func (r *Reader) backlogs(pid int) []byte {
	net := network{r, pid}
	rows := net.waiting()
	if !slices.ContainsFunc(rows, func(s socketRow) bool { return s.hasBacklog() || s.isUnread() }) {
		return nil
	}
	var text []byte
	for _, b := range backlogsOf(rows, net.inodes()) {
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
		order.Sort(b.Pending, netip.AddrPort.Compare)
		b.Pending = b.Pending[:min(len(b.Pending), mostPending)]
		all = append(all, *b)
	}
	return all
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
