package kernel

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// epollCalls are epoll_wait and its later forms, whose first argument is an epoll
// instance.
func epollCalls() []int {
	switch runtime.GOARCH {
	case "amd64":
		return []int{232, 281, 441}
	case "arm64", "riscv64":
		return []int{22, 441}
	}
	return nil
}

const (
	// armedOnce is the event that a descriptor is waited for but once, as the JDK's
	// pollers do for the virtual threads that wait on it, armedAny stands for once or
	// again and again, as selectors do; readyEvents are those
	// that are left while it has not come: data to read, or room to write.
	armedOnce   = 0x40000000
	armedAny    = 0
	readyEvents = 0x5
	// mostPollers bounds how many epoll instances within others are looked at, and
	// mostPolledText how much is read of what one waits for, in bytes: about 5,000 lines.
	mostPollers    = 64
	mostPolledText = 1 << 19
)

// polledBy returns what the sockets of a poller of virtual threads are, or of the selector of
// a java.net.http.HttpClient. The JDK calls these threads so; what other epoll instances
// wait for is long to list where there are thousands of connections, and holds their
// owners up meanwhile.
func (l *fileFinder) polledBy(tid, fd int) (File, bool) {
	name, err := l.reader.ReadFile(l.pid, "task/"+strconv.Itoa(tid)+"/comm")
	switch {
	case err != nil:
	case bytes.Contains(name, []byte("Poller")):
		return l.polled(fd, armedOnce)
	case bytes.HasPrefix(name, []byte("HttpCli")): // "HttpClient-1-SelectorManager", cut to 15 bytes
		return l.polled(fd, armedAny)
	}
	return File{}, false
}

// polled returns what the sockets are that an epoll instance waits for, armed so, or those
// in it: their kind and their peer, each as far as they have it in common. An instance
// within another is another poller, or the selector of a virtual thread, as
// java.net.http.HttpClient has one since JDK 26.
func (l *fileFinder) polled(fd int, armed uint64) (File, bool) {
	common, found := File{}, false
	seen := map[int]bool{fd: true}
	for next := []int{fd}; len(next) > 0 && len(seen) <= mostPollers; next = next[1:] {
		if next[0] != fd {
			armed = armedAny
		}
		for _, one := range l.armed(next[0], armed) {
			target, err := os.Readlink(l.reader.Path(l.pid, "fd", strconv.Itoa(one)))
			switch {
			case err != nil:
			case isEpoll(target) && !seen[one]:
				seen[one] = true
				next = append(next, one)
			case strings.HasPrefix(target, "socket:["):
				file := l.file(one, target)
				if l.isListening(target) {
					continue // who accepts there reads nothing
				}
				if file.Kind == UnreadOwnSocket {
					file.Kind = OwnSocket // one of many may be unread at any moment
				}
				common = common.sharedWith(file, !found)
				found = true
			}
		}
	}
	return common, found
}

// isListening reports a socket that accepts connections. It knows those that file was asked for.
func (l *fileFinder) isListening(target string) bool {
	inode := strings.TrimSuffix(strings.TrimPrefix(target, "socket:["), "]")
	return l.table != nil && l.table.byInode[inode].listens
}

func isEpoll(target string) bool { return target == "anon_inode:[eventpoll]" }

// sharedWith keeps what two files have in common; the first one has no other.
func (f File) sharedWith(other File, first bool) File {
	switch {
	case first:
		return other
	case f.Kind != other.Kind && f.isClient() && other.isClient():
		f.Kind = ClientSocket
	case f.Kind != other.Kind:
		return File{Kind: OtherSocket}
	}
	if f.Peer != other.Peer {
		f.Peer = ""
	}
	return f
}

func (f File) isClient() bool { return f.Kind == ClientSocket || f.Kind == OwnSocket }

// armed are the descriptors that an epoll instance waits for, armed so, from lines such as
//
//	tfd:       10 events: 40000019 data:                a  pos:0 ino:6d sdev:8
func (l *fileFinder) armed(fd int, how uint64) []int {
	f, err := os.Open(l.reader.Path(l.pid, "fdinfo", strconv.Itoa(fd)))
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	text, err := ReadSome(f, mostPolledText)
	if err != nil {
		return nil
	}
	var fds []int
	for line := range bytes.Lines(text) {
		words := strings.Fields(string(line))
		if len(words) < 4 || words[0] != "tfd:" {
			continue
		}
		target, err := strconv.Atoi(words[1])
		events, eventsErr := strconv.ParseUint(words[3], 16, 32)
		if err == nil && eventsErr == nil && events&how == how && events&readyEvents != 0 {
			fds = append(fds, target)
		}
	}
	return fds
}
