package threaddump

import "bytes"

// ideDump reads the dumps that IntelliJ IDEA writes, which have no header:
//
// Those of itself, as when it hangs (com.intellij.diagnostic.ThreadDumper):
//
//	"rl-A" prio=0 tid=0x0 nid=0x0 waiting on condition
//	     java.lang.Thread.State: WAITING
//	 on java.util.concurrent.locks.ReentrantLock$NonfairSync@41629346 owned by "rl-B" Id=24
//		at java.base@25.0.3/jdk.internal.misc.Unsafe.park(Native Method)
//
// where tid is the id of the thread, zero in older versions, the third line may be
// empty or have " (in native)", and a list of coroutines may follow under a line of
// dashes. And those of a program that it
// debugs (ThreadDumpAction), in which the number after the name is tid:
//
//	"dl-A@512" daemon prio=5 tid=0x15 nid=NA waiting for monitor entry
//	  java.lang.Thread.State: BLOCKED
//		 blocks dl-B@513
//		 waiting for dl-B@513 to release lock on <0x203> (a java.lang.Object)
//		  at shop.Forms.both(Forms.java:7)
//		  - locked <0x204> (a java.lang.Object)
//
// The first of older versions has no ids at all, except of owners: a thread's id then is
// made of its name, so that it is the same in the next dump.
type ideDump struct {
	beans
	owner []byte         // of the lock that the current thread wants, by name
	wants map[int]string // owners by the number of the thread that waits
	ids   madeIDs
}

// ownText and nativeText are before and after the id of a thread of the IDE's own, debuggedText is behind that of a
// program that it debugs.
const (
	ownText      = `" prio=0 tid=0x`
	nativeText   = " nid=0x0 "
	debuggedText = " nid=NA"
)

func isIDEHeader(line []byte) bool {
	_, _, ok := cutIDEHeader(line)
	return ok
}

// cutIDEHeader splits a header in its name and id, 0 if it has none.
func cutIDEHeader(line []byte) (id int64, name []byte, ok bool) {
	if len(line) == 0 || line[0] != '"' {
		return 0, nil, false
	}
	if id, name, ok := cutOwnHeader(line); ok {
		return id, name, true
	}
	i := bytes.LastIndex(line, []byte(debuggedText))
	at := bytes.LastIndex(line[:max(i, 0)], []byte(" tid=0x"))
	if at < 0 || bytes.Contains(line, []byte(" os_prio=")) { // HotSpot has nid=NA too, of threads that start
		return 0, nil, false
	}
	number, ok := parseHex(line[at+len(" tid=0x") : i])
	quote := bytes.LastIndexByte(line[:at], '"')
	if !ok || number == 0 || number > 1<<62 || quote < 1 {
		return 0, nil, false
	}
	name = line[1:quote]
	if cut := bytes.LastIndexByte(name, '@'); cut > 0 {
		name = name[:cut]
	}
	return int64(number), name, true
}

// cutOwnHeader splits the header of a thread of the IDE's own, whose id is 0 where it is not printed.
func cutOwnHeader(line []byte) (id int64, name []byte, ok bool) {
	i := bytes.LastIndex(line, []byte(ownText))
	if i < 1 {
		return 0, nil, false
	}
	number, rest, _ := bytes.Cut(line[i+len(ownText):], []byte(" "))
	tid, ok := parseHex(number)
	if !ok || tid > 1<<31 || !bytes.HasPrefix(rest, []byte(nativeText[1:])) {
		return 0, nil, false
	}
	return int64(tid), line[1:i], true
}

// ideForm is that of IntelliJ IDEA.
type ideForm struct{}

func (ideForm) is(line []byte) bool { return isIDEHeader(line) }

func (ideForm) read(r *input, d *Dump, line []byte) []*Dump { return r.readIDE(line) }

func (r *input) readIDE(line []byte) []*Dump {
	s := &ideDump{beans: beans{input: r, d: &Dump{Line: r.lineNo()}}, wants: map[int]string{}, ids: newMadeIDs()}
	for ok := true; ok && !s.step(line); {
		line, ok = r.lines.next()
	}
	s.d.Cut, s.d.Instant = r.src.unended, true
	s.endIDE()
	all, before := separate(s.d, comesTwice, sameName), 0
	for _, d := range all {
		wants := map[int]string{}
		for i := range d.Threads {
			if owner, ok := s.wants[before+i]; ok {
				wants[i] = owner
			}
		}
		linkOwners(d, wants)
		before += len(d.Threads)
	}
	return all
}

// step reads a line; true if the dump has ended before it.
func (s *ideDump) step(line []byte) (done bool) {
	text := bytes.TrimSpace(line)
	if id, name, ok := cutIDEHeader(line); ok {
		s.endIDE()
		s.thread(s.idOf(id, name), name, s.lineNo())
		return false
	}
	switch a := s.startOf(line).anchor; {
	case bytes.HasPrefix(line, []byte("----------")): // coroutines
		return true
	case a == headAnchor, a == jsonAnchor:
		s.again = true
		return true
	case len(text) > 0:
		s.bodyLine(text)
	}
	return false
}

// idOf makes an id of a name where the form has no ids.
func (s *ideDump) idOf(id int64, name []byte) int64 {
	if id == 0 {
		id = s.ids.of(name)
	}
	s.ids.taken[id] = true
	return id
}

func (s *ideDump) bodyLine(text []byte) {
	s.boundThread(len(s.frames), len(s.locks))
	if state, ok := bytes.CutPrefix(text, []byte("java.lang.Thread.State: ")); ok {
		s.cur.State, _, _ = parseState(state, s.in)
		return
	}
	for _, kind := range [...]struct {
		begin string
		read  func(*ideDump, []byte)
	}{
		{"at ", func(s *ideDump, rest []byte) { s.frame(rest) }},
		{"on ", (*ideDump).wanted}, {"waiting for ", (*ideDump).wantedOf}, {"- locked ", (*ideDump).locked},
	} {
		if rest, ok := bytes.CutPrefix(text, []byte(kind.begin)); ok {
			kind.read(s, rest)
			return
		}
	}
}

// wanted reads `java.lang.Object@4eec7777 owned by "dl-B" Id=22`.
func (s *ideDump) wanted(text []byte) {
	object, rest, _ := bytes.Cut(text, []byte(" "))
	class, hash, ok := cutIdentity(object)
	if !ok {
		return
	}
	s.locks = append(s.locks, Lock{Op: Parking, Class: s.in.string(class), Address: hash, Line: s.lineNo()})
	rest, ok = bytes.CutPrefix(rest, []byte(`owned by "`))
	if i := bytes.LastIndex(rest, []byte(`" Id=`)); ok && i >= 0 {
		s.owner = bytes.Clone(rest[:i])
	}
}

// wantedOf reads `dl-B@513 to release lock on <0x203> (a java.lang.Object)`.
func (s *ideDump) wantedOf(text []byte) {
	i := bytes.LastIndex(text, []byte(" to release lock on <"))
	if i < 0 {
		return
	}
	l := Lock{Op: Parking, Line: s.lineNo()}
	l.parseObject(text[i:], s.in)
	s.locks = append(s.locks, l)
}

func (s *ideDump) locked(text []byte) {
	l := Lock{Op: Locked, Line: s.lineNo(), Depth: len(s.frames) - 1}
	l.parseObject(text, s.in)
	s.locks = append(s.locks, l)
}

func (s *ideDump) endIDE() {
	if s.cur != nil && s.owner != nil {
		s.wants[len(s.d.Threads)-1] = string(s.owner)
	}
	s.owner = nil
	s.end()
}
