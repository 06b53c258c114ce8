package threaddump

import (
	"bytes"

	"github.com/jstall/jstall/internal/javaname"
)

// lockLines are the lines under a frame, by what they begin with after "- ":
//
//   - waiting on <0x000000069ec025f0> (a java.lang.ref.ReferenceQueue$Lock)
//   - waiting to re-lock in wait() <0x0000000687821608> (a java.lang.Object)   11 and newer
//   - waiting to lock <0x000000074277edc8> (a java.lang.String)
//   - parking to wait for  <0x00000006878216d0> (a java.util.concurrent.CountDownLatch$Sync)
//   - locked <0x000000074277b770> (a java.lang.Class for W)
//   - eliminated <0x00000006878216d0> (a java.lang.Object)
//   - eliminated <owner is scalar replaced> (a java.lang.Object)
//   - waiting on the Class initialization monitor for W$CA                     17 and newer
//   - waiting on <no object reference available>
//   - <0x0000000687821608> (a java.util.concurrent.ThreadPoolExecutor$Worker)  owned synchronizer, -l
//   - locked <java.lang.Object@4957608d>                                       plain dumps of 25 and newer
//   - parking to wait for <java.util.Foo@4957608d>, owner #21                  the same
//   - parking to wait for  <0x…> (a X) owned by #21                            virtual sections
//   - lock is eliminated                                                       the same
//
// Printed by javaVFrame::print_lock_info_on (vframe.cpp),
// ConcurrentLocksDump::print_locks_on (concurrentLocks or heapInspection) and
// ThreadDumper.dumpThread.
var lockLines = [...]struct {
	begin string
	op    LockOp
}{
	{"locked <", Locked},
	{"parking to wait for ", Parking},
	{"waiting on <", WaitingOn},
	{"waiting to lock <", WaitingToLock},
	{"waiting to re-lock in wait() <", WaitingToRelock},
	{"waiting on the Class initialization monitor for ", WaitingForClassInit},
	{"eliminated <", Eliminated},
	{"lock is eliminated", Eliminated},
	{"<", OwnsSynchronizer},
}

// parseLock reads a line after its "- ". A line that it does not know becomes a
// LockUnknown whose Class is the line.
func parseLock(text []byte, in *Interner) Lock {
	for _, l := range lockLines {
		if len(text) < len(l.begin) || string(text[:len(l.begin)]) != l.begin {
			continue
		}
		lock := Lock{Op: l.op}
		if l.op == WaitingForClassInit {
			lock.Class = in.string(text[len(l.begin):])
			return lock
		}
		lock.parseObject(text, in)
		return lock
	}
	return Lock{Class: in.string(text)}
}

// parseObject reads `<0x000000069ec025f0> (a java.lang.Object)`, where the
// address may be a text in angle brackets.
func (l *Lock) parseObject(text []byte, in *Interner) {
	i := bytes.IndexByte(text, '<')
	if i < 0 {
		return
	}
	text = text[i+1:]
	end := bytes.IndexByte(text, '>')
	if end < 0 {
		return
	}
	object, rest := text[:end], text[end+1:]
	rest, l.Owner = cutOwner(rest)
	if address, ok := parseBareAddress(object); ok {
		l.Address = address
	} else if class, address, ok := cutIdentity(object); ok {
		l.Address, l.Class = address, in.string(class)
	}
	if bytes.HasPrefix(rest, []byte(", (a ")) { // jhsdb
		rest = rest[1:]
	}
	if n := len(rest); n > 5 && string(rest[:4]) == " (a " && rest[n-1] == ')' {
		l.Class = javaname.Dotted(in.string(rest[4 : n-1]))
	}
	if n := len(rest); n > 0 && isDigit(rest[n-1]) {
		_, owner, _ := bytes.Cut(rest, []byte(", owner #"))
		l.Owner, _ = parseInt(owner)
	}
}

// cutIdentity splits "java.lang.Object@4957608d", a class and an identity hash.
func cutIdentity(object []byte) (class []byte, hash uint64, ok bool) {
	i := bytes.LastIndexByte(object, '@')
	if i < 0 {
		return nil, 0, false
	}
	hash, ok = parseHex(object[i+1:])
	return object[:i], hash, ok
}

const ownedText = "Locked ownable synchronizers:"

// cutOwner takes ` owned by #35` off the end of a line of a lock; 0 if it is not there.
func cutOwner(text []byte) (rest []byte, owner int64) {
	n := len(text)
	if n == 0 || !isDigit(text[n-1]) {
		return text, 0
	}
	i := bytes.LastIndex(text, []byte(" owned by #"))
	if i < 0 {
		return text, 0
	}
	owner, ok := parseInt(text[i+len(" owned by #"):])
	if !ok {
		return text, 0
	}
	return text[:i], owner
}
