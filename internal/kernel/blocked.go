package kernel

import (
	"encoding/binary"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// File is what a thread reads from or writes to while it sleeps in the kernel.
type File struct {
	// Kind is one of the words below.
	Kind FileKind
	// Peer is the other end of a TCP connection, "127.0.0.1:5432"; of a named pipe its
	// path, empty if that has blanks.
	Peer string
}

// FileKind is a kind of file.
type FileKind string

const (
	// ClientSocket is a TCP connection that this side opened, OwnSocket one of these
	// to the same process, UnreadOwnSocket one of those whose other end has yet to read
	// what was sent to it, AcceptedSocket one that a listening socket of this host
	// accepted.
	ClientSocket    FileKind = "client-socket"
	OwnSocket       FileKind = "own-socket"
	UnreadOwnSocket FileKind = "unread-own-socket"
	AcceptedSocket  FileKind = "accepted-socket"
	// OtherSocket is any other: Unix, datagram, listening.
	OtherSocket FileKind = "socket"
	Pipe        FileKind = "pipe"
	NamedPipe   FileKind = "named-pipe"
	// StandardInput is descriptor 0, whatever is behind it.
	StandardInput FileKind = "stdin"
	// StandardOutput is descriptor 1 or 2, likewise.
	StandardOutput FileKind = "stdout"
	OtherFile      FileKind = "file"
)

// fileCalls are the system calls whose first argument is the descriptor they wait
// for: read, write, their vector forms, send, receive, connect, fcntl.
func fileCalls() []int {
	switch runtime.GOARCH {
	case "amd64":
		return []int{0, 1, 17, 18, 19, 20, 42, 44, 45, 46, 47, 72}
	case "arm64", "riscv64":
		return []int{63, 64, 65, 66, 67, 68, 203, 206, 207, 211, 212, 25}
	}
	return nil
}

// BlockedOn returns for those of the given threads (kernel ids) that sleep in a
// system call on a file which one it is, and of a poller of virtual threads what its
// sockets have in common. It needs the right to trace the process; without it, or where
// nothing is known, the thread is left out.
func (r *Reader) BlockedOn(pid int, tids []int) map[int]File {
	files := map[int]File{}
	calls := fileCalls()
	finder := fileFinder{reader: r, pid: pid}
	for _, tid := range tids {
		text, err := r.ReadFile(pid, "task/"+strconv.Itoa(tid)+"/syscall")
		if err != nil {
			continue
		}
		if fd, ok := descriptorIn(text, epollCalls()); ok {
			if file, ok := finder.polledBy(tid, fd); ok {
				files[tid] = file
			}
			continue
		}
		fd, ok := descriptorIn(text, calls)
		if !ok {
			fd, ok = r.polledBy(pid, text)
		}
		if !ok {
			continue
		}
		if target, err := os.Readlink(r.Path(pid, "fd", strconv.Itoa(fd))); err == nil {
			files[tid] = finder.file(fd, target)
		}
	}
	return files
}

// fileFinder finds the files of a process; what it takes from the kernel for
// sockets is nil until there is one.
type fileFinder struct {
	reader *Reader
	pid    int
	table  *connections
	own    map[string]bool
}

// file returns what a descriptor is, from where its link points to.
func (l *fileFinder) file(fd int, target string) File {
	inode, isSocket := strings.CutPrefix(target, "socket:[")
	switch {
	case fd == 0:
		return File{Kind: StandardInput}
	case fd == 1, fd == 2:
		return File{Kind: StandardOutput}
	case isSocket:
		return l.socket(strings.TrimSuffix(inode, "]"))
	case strings.HasPrefix(target, "pipe:["):
		return File{Kind: Pipe}
	case isFIFO(l.reader.Path(l.pid, "fd", strconv.Itoa(fd))):
		return namedPipe(target)
	}
	return File{Kind: OtherFile}
}

func namedPipe(path string) File {
	if strings.ContainsFunc(path, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		path = ""
	}
	return File{Kind: NamedPipe, Peer: path}
}

func (l *fileFinder) socket(inode string) File {
	if l.table == nil {
		l.table = network{l.reader, l.pid}.connections()
	}
	file, otherEnd := l.table.file(inode)
	if otherEnd == "" {
		return file
	}
	if l.own == nil {
		l.own = network{l.reader, l.pid}.inodes()
	}
	switch {
	case !l.own[otherEnd]:
	case l.table.byInode[otherEnd].unread:
		file.Kind = UnreadOwnSocket
	default:
		file.Kind = OwnSocket
	}
	return file
}

// descriptorIn reads the number of the call and its first argument: "0 0x7 0x7f…".
func descriptorIn(syscall []byte, calls []int) (fd int, ok bool) {
	words := strings.Fields(string(syscall))
	if len(words) < 2 {
		return 0, false
	}
	call, err := strconv.Atoi(words[0])
	if err != nil || !slices.Contains(calls, call) {
		return 0, false
	}
	n, err := strconv.ParseUint(words[1], 0, 32)
	return int(n), err == nil
}

// pollCalls are poll and ppoll, by which the JDK waits with a timeout.
func pollCalls() []string {
	switch runtime.GOARCH {
	case "amd64":
		return []string{"7", "271"}
	case "arm64", "riscv64":
		return []string{"73"}
	}
	return nil
}

// polledBy finds the only descriptor that a call of poll waits for: the first four
// bytes at the address that is its first argument.
func (r *Reader) polledBy(pid int, syscall []byte) (fd int, ok bool) {
	words := strings.Fields(string(syscall))
	if len(words) < 3 || !slices.Contains(pollCalls(), words[0]) || words[2] != "0x1" {
		return 0, false
	}
	address, err := strconv.ParseUint(words[1], 0, 63)
	if err != nil {
		return 0, false
	}
	memory, err := os.Open(r.Path(pid, "mem"))
	if err != nil {
		return 0, false
	}
	defer func() { _ = memory.Close() }()
	var raw [4]byte
	if _, err := memory.ReadAt(raw[:], int64(address)); err != nil {
		return 0, false
	}
	n := int32(binary.NativeEndian.Uint32(raw[:]))
	return int(n), n >= 0
}

// connections are the TCP sockets of a network namespace.
type connections struct {
	byInode   map[string]connection
	byEnds    map[ends]string // the inode
	listening map[uint16]bool
}

// ends are the addresses of one side of a connection.
type ends struct{ local, remote netip.AddrPort }

type connection struct {
	ends
	listens bool
	// unread is true if something has come in that the process has not read.
	unread bool
}

// mostConnections bounds the tables that are read, in bytes: about 10,000 lines.
const mostConnections = 2 << 20

func (n network) connections() *connections {
	c := &connections{byInode: map[string]connection{}, byEnds: map[ends]string{}, listening: map[uint16]bool{}}
	for _, name := range []string{"net/tcp", "net/tcp6"} {
		f, err := os.Open(n.Path(n.pid, name))
		if err != nil {
			continue
		}
		text, err := ReadSome(f, mostConnections)
		_ = f.Close()
		if err == nil {
			c.add(text)
		}
	}
	return c
}

func (c *connections) add(text []byte) {
	for _, row := range parseSocketRows(text) {
		one := connection{ends: ends{row.local, row.remote}, listens: row.state == listening}
		one.unread = row.state == established && row.queued > 0 // the end of what was sent counts as a byte
		c.byInode[row.inode] = one
		c.byEnds[one.ends] = row.inode
		if one.listens {
			c.listening[row.local.Port()] = true
		}
	}
}

// file returns what is behind a socket, and the socket at the other end of a connection
// that this side opened, if that is in the table.
func (c *connections) file(inode string) (f File, otherEnd string) {
	one, ok := c.byInode[inode]
	switch {
	case !ok || one.listens:
		return File{Kind: OtherSocket}, ""
	case c.listening[one.local.Port()]:
		return File{AcceptedSocket, one.remote.String()}, ""
	}
	return File{ClientSocket, one.remote.String()}, c.byEnds[ends{one.remote, one.local}]
}
