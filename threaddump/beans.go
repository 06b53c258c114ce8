package threaddump

import (
	"bytes"
	"strings"
)

// beanDump reads what tools make of java.lang.management.ThreadInfo: the text of
// VisualVM and NetBeans (JmxSupport.print16Thread) and of Spring Boot's actuator
// (PlainTextThreadDumpFormatter), under the first two lines of any dump:
//
//	"rl-A" - Thread t@23
//	   java.lang.Thread.State: WAITING
//		at java.base@25.0.3/jdk.internal.misc.Unsafe.park(Native Method)
//		- waiting to lock <41629346> (a java.util.concurrent.locks.ReentrantLock$NonfairSync) owned by "rl-B" t@24
//		at app//shop.Forms.both(Forms.java:7)
//		- locked <119d7047> (a java.lang.Object)
//	   JNI locked monitors:                                                       VisualVM
//		- locked <1b28cdfa> (a java.lang.Object)
//
//	   Locked ownable synchronizers:
//		- Locked <3b07d329> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
//
// There are no native ids, CPU times and JVM-internal threads; locks are named by
// identity hash, and their owner by id. The number is the Java thread id.
type beanDump struct {
	beans
	seen    map[int64]bool
	section beanSection
}

// beanSection is where in a thread a line of a lock is.
type beanSection uint8

const (
	inFrames beanSection = iota
	inNativeMonitors
	inSynchronizers
)

// beans makes threads of what a ThreadInfo shows.
type beans struct {
	*input
	slabs
	d      *Dump
	cur    *Thread
	frames []*Frame
	locks  []Lock
}

// thread begins one; the one before is complete.
func (s *beans) thread(id int64, name []byte, line int) {
	s.end()
	s.boundDump(len(s.d.Threads), 0)
	s.cur = s.newThread(s.d, 0)
	s.cur.ID, s.cur.Name, s.cur.Line = id, s.in.threadName(name), line
	s.cur.Stackless = true
}

func (s *beans) end() {
	if s.cur != nil {
		s.cur.Stack = s.in.stackOf(s.frames)
		s.cur.Stackless = len(s.frames) == 0
		s.nameWaits()
		s.cur.Locks = s.keepLocks(s.d, s.locks)
	}
	s.cur, s.frames, s.locks = nil, s.frames[:0], s.locks[:0]
}

func (s *beans) frame(text []byte) {
	s.boundThread(len(s.frames), 0)
	s.frames = append(s.frames, s.in.frame(text, parseFrame))
}

// nameWaits sets how the thread waits for its lock: a ThreadInfo has the same for
// monitors, Object.wait and park.
func (s *beans) nameWaits() {
	for i := range s.locks {
		l := &s.locks[i]
		l.Depth = min(l.Depth, len(s.frames)-1)
		if l.Op == Parking || l.Op == WaitingToLock || l.Op == WaitingOn {
			l.Op = s.waitOp()
		}
	}
}

func (s *beans) waitOp() LockOp {
	waits := len(s.frames) > 0 && s.frames[0].Class == "java.lang.Object" &&
		strings.HasPrefix(s.frames[0].Method, "wait")
	switch {
	case s.cur.State == Blocked && waits:
		return WaitingToRelock
	case s.cur.State == Blocked:
		return WaitingToLock
	case waits:
		return WaitingOn
	}
	return Parking
}

// beanForm is that of VisualVM and Spring Boot's actuator.
type beanForm struct{}

func (beanForm) is(line []byte) bool { return isBeanHeader(line) }

func (beanForm) read(r *input, d *Dump, line []byte) []*Dump { return only(r.readBeans(d, line)) }

// readBeans reads a dump; of one whose header is lost, first is a thread's.
func (r *input) readBeans(d *Dump, first []byte) *Dump {
	s := &beanDump{beans: beans{input: r, d: d}, seen: map[int64]bool{}}
	if first != nil {
		s.step(first)
	}
	for {
		line, ok := r.lines.next()
		if !ok || s.step(line) {
			break
		}
	}
	s.d.Cut, s.d.Instant = r.src.unended, true
	s.end()
	return d
}

// step reads a line; true if another dump begins with it.
func (s *beanDump) step(line []byte) (done bool) {
	text := bytes.TrimSpace(line)
	if id, name, ok := cutBeanHeader(line); ok {
		if s.seen[id] { // of the next dump, whose header is lost
			s.again = true
			return true
		}
		s.seen[id] = true
		s.thread(id, name, s.lineNo())
		s.section = inFrames
		return false
	}
	switch a := s.startOf(line).anchor; {
	case a == headAnchor, a == jsonAnchor:
		s.again = true
		return true
	case len(text) > 0 && !s.bodyLine(text):
		if looksLikeHeader(text) {
			s.end()
			noteLost(s.d, s.lineNo(), text)
		}
		s.remember(line)
	}
	return false
}

// bodyLine reads a line under a thread's; false otherwise.
func (s *beanDump) bodyLine(text []byte) bool {
	if s.cur == nil {
		return false
	}
	if state, ok := bytes.CutPrefix(text, []byte("java.lang.Thread.State: ")); ok {
		s.cur.State, _, ok = parseState(state, s.in)
		return ok
	}
	switch {
	case string(text) == ownedText:
		s.section = inSynchronizers
	case string(text) == "JNI locked monitors:":
		s.section = inNativeMonitors
	case bytes.HasPrefix(text, []byte("at ")):
		s.frame(text[3:])
	case string(text) == "- None":
	case bytes.HasPrefix(text, []byte("- ")):
		s.lock(text[2:])
	default:
		return false
	}
	return true
}

func (s *beanDump) lock(text []byte) {
	s.boundThread(0, len(s.locks))
	l := parseLock(text, s.in)
	l.Line, l.Depth = s.lineNo(), len(s.frames)-1
	switch s.section {
	case inSynchronizers:
		l.Op, l.Depth = OwnsSynchronizer, -1
	case inNativeMonitors:
		l.Op, l.Depth = Locked, -1
	}
	l.parseBean(text, s.in)
	s.locks = append(s.locks, l)
}

// parseBean reads `<41629346> (a X) owned by "rl-B" t@24`.
func (l *Lock) parseBean(text []byte, in *Interner) {
	_, rest, _ := bytes.Cut(text, []byte("<"))
	hash, rest, _ := bytes.Cut(rest, []byte(">"))
	l.Address, _ = parseHex(hash)
	if class, ok := bytes.CutPrefix(rest, []byte(" (a ")); ok {
		class, rest, _ = bytes.Cut(class, []byte(")"))
		l.Class = in.string(class)
	}
	if i := bytes.LastIndex(rest, []byte(`" t@`)); i >= 0 && bytes.HasPrefix(rest, []byte(` owned by "`)) {
		l.Owner, _ = parseInt(rest[i+len(`" t@`):])
		l.OwnerName = in.string(rest[len(` owned by "`):i])
	}
}

const beanText = `" - Thread t@`

func isBeanHeader(line []byte) bool {
	_, _, ok := cutBeanHeader(line)
	return ok
}

// cutBeanHeader splits `"NAME" - Thread t@23`; the name may hold anything.
func cutBeanHeader(line []byte) (id int64, name []byte, ok bool) {
	i := bytes.LastIndex(line, []byte(beanText))
	if i < 1 || line[0] != '"' {
		return 0, nil, false
	}
	id, ok = parseInt(bytes.TrimRight(line[i+len(beanText):], " \r"))
	return id, line[1:i], ok && id > 0
}
