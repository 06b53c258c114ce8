package threaddump

import (
	"bytes"
	"time"
)

// infoForm is one way of printing java.lang.management.ThreadInfo as text: how a thread
// begins. What stands under it is much the same in all of them, see bodyLine.
type infoForm struct {
	// cut finds where in a line a thread's header begins, -1 if nowhere; what stands
	// before it is a logger's.
	cut func(line []byte) int
	// header reads a header.
	header func(text []byte, h *infoHeader) bool
	// body reads a line that only this form has; nil if there is none.
	body func(s *infoDump, text []byte) bool
	// bare is true if frames have no "at " before them.
	bare bool
}

// infoHeader is what the line at which a thread begins says.
type infoHeader struct {
	name     []byte
	id       int64 // 0 if the form has none
	vm       bool  // a thread of the JVM's own
	native   int64 // the kernel's id, of a form without Java ids
	daemon   bool
	priority int8
	state    State
	cpu      Opt[time.Duration]
	// wants is what the thread waits for, with its owner; Op is LockUnknown if the
	// header does not tell.
	wants Lock
	// frame is the innermost one, where the header has it.
	frame []byte
}

// infoDump reads a dump of such a form.
type infoDump struct {
	beans
	form    *infoForm
	ids     madeIDs
	section beanSection
	// skipped is true if the lines belong to a thread that stands there already, as
	// under "Deadlock found between the following threads:".
	skipped, repeats bool
	madeIDs          bool // the form has none
}

func (f *infoForm) is(line []byte) bool {
	i := f.cut(line)
	var h infoHeader
	return i >= 0 && f.header(bytes.TrimRight(line[i:], " \t\r"), &h)
}

func (f *infoForm) read(r *Reader, d *Dump, line []byte) *Dump {
	s := &infoDump{beans: beans{Reader: r, d: d}, form: f, ids: newMadeIDs()}
	if line != nil {
		line = r.unwrapForm(line, f.cut)
		s.step(line)
	}
	for {
		line, ok := r.lines.next()
		if !ok || s.step(line) {
			break
		}
	}
	s.d.Cut, s.d.Instant = s.d.Cut || r.src.unended && !s.complete(), true
	s.end()
	return d
}

// complete reports whether the last line, which has no line break, may be whole.
func (s *infoDump) complete() bool {
	raw := bytes.TrimSpace(s.raw)
	return len(raw) == 0 || raw[len(raw)-1] == ')' || raw[len(raw)-1] == '}' || raw[len(raw)-1] == '>' || s.cur == nil
}

// step reads a line; true if another dump begins with it.
func (s *infoDump) step(line []byte) (done bool) {
	text := bytes.TrimSpace(line)
	if len(text) == 0 {
		return false
	}
	var h infoHeader
	if s.form.header(text, &h) {
		return s.begin(&h)
	}
	if s.skipped || s.bodyLine(text) {
		return false
	}
	if bytes.HasPrefix(text, []byte("Deadlock found between")) {
		s.end()
		s.repeats = true
		return false
	}
	if a := anchorIn(line); a != noAnchor && a != deadlockAnchor {
		s.again = true
		return true
	}
	if looksLikeHeader(text) {
		s.lost(text)
	}
	s.remember(line)
	return false
}

func (s *infoDump) lost(text []byte) {
	s.end()
	noteLost(s.d, s.lineNo(), text)
}

// begin starts a thread; true if it is the first of another dump.
func (s *infoDump) begin(h *infoHeader) (done bool) {
	if s.skipped = s.repeats; s.skipped {
		return false
	}
	id := h.id
	switch {
	case h.native != 0:
	case id == 0 && !h.vm:
		id, s.madeIDs = s.ids.of(h.name), true
	case s.ids.taken[id]:
		s.again = true
		return true
	}
	s.ids.taken[id] = id != 0
	s.thread(id, h.name, s.lineNo())
	s.cur.Daemon, s.cur.Priority, s.cur.State, s.cur.CPU = h.daemon, h.priority, h.state, h.cpu
	s.cur.NativeID = h.native
	s.section = inFrames
	if len(h.frame) > 0 {
		s.frame(h.frame)
	}
	if h.wants.Op != LockUnknown {
		s.wants(h.wants)
	}
	return false
}

// wants adds what the thread waits for, which a form may say twice.
func (s *infoDump) wants(l Lock) {
	l.Op, l.Line, l.Depth = Parking, s.lineNo(), max(len(s.frames)-1, 0)
	if l.Class == "" && l.Address == 0 {
		return
	}
	for i := range s.locks {
		if had := &s.locks[i]; had.Op == Parking {
			if had.Owner == 0 {
				had.Owner = l.Owner
			}
			return
		}
	}
	s.locks = append(s.locks, l)
}

// bodyLine reads a line under a thread's header; false if it is none:
//
//	   java.lang.Thread.State: BLOCKED                                        Tomcat
//		at app//com.acme.Desk.move(Desk.java:9)
//		-  blocked on com.acme.Account@1b2c6ec2                               ThreadInfo.toString
//		- waiting on (a com.acme.Account@17ed40e0) owned by svc-2 Id=13       Tomcat
//	    - waiting on <0x4d76f3f8> (a java.util.TaskQueue)                     Dropwizard, Jenkins
//	     owned by svc-2 id=13                                                 Dropwizard, Karaf
//		...                                                                   ThreadInfo.toString: more frames
//
//		Number of locked synchronizers = 1
//		- java.util.concurrent.locks.ReentrantLock$NonfairSync@311945cc
func (s *infoDump) bodyLine(text []byte) bool {
	if s.cur == nil {
		return false
	}
	if s.form.body != nil && s.form.body(s, text) {
		return true
	}
	if state, ok := bytes.CutPrefix(text, []byte("java.lang.Thread.State: ")); ok {
		s.cur.State, s.cur.StateDetail, ok = parseState(state, s.in)
		return ok
	}
	switch {
	case bytes.HasPrefix(text, []byte("at ")):
		s.frame(bytes.TrimSpace(text[3:]))
	case bytes.HasPrefix(text, []byte("- ")):
		s.infoLock(bytes.TrimSpace(text[2:]))
	case bytes.HasPrefix(text, []byte("owned by ")):
		s.ownedBy(text)
	case isSynchronizersTitle(text):
		s.section = inSynchronizers
	case bytes.HasPrefix(text, []byte("Locked monitors: count")):
		s.section = inNativeMonitors
	case string(text) == "...":
	default:
		return s.form.bare && s.bareFrame(text)
	}
	return true
}

// bareFrame reads a frame without "at ".
func (s *infoDump) bareFrame(text []byte) bool {
	if len(text) == 0 || text[len(text)-1] != ')' ||
		bytes.IndexByte(text, ' ') >= 0 && !bytes.HasSuffix(text, []byte("(Native Method)")) &&
			!bytes.HasSuffix(text, []byte("(Unknown Source)")) {
		return false
	}
	s.frame(text)
	return true
}

func isSynchronizersTitle(text []byte) bool {
	for _, title := range [...]string{"Number of locked synchronizers", "Locked synchronizers", ownedText} {
		if bytes.HasPrefix(text, []byte(title)) {
			return true
		}
	}
	return false
}

// ownedBy reads `owned by "svc-2" Id=13` on a line of its own.
func (s *infoDump) ownedBy(text []byte) {
	owner := ownerIn(text)
	for i := range s.locks {
		if s.locks[i].Op == Parking {
			s.locks[i].Owner = owner
		}
	}
}

// infoLock reads a line of a lock after its "- ".
func (s *infoDump) infoLock(text []byte) {
	l, ok := objectIn(text, s.in)
	if !ok {
		return
	}
	l.Line, l.Depth = s.lineNo(), len(s.frames)-1
	switch {
	case s.section == inSynchronizers:
		l.Op, l.Depth = OwnsSynchronizer, -1
	case s.section == inNativeMonitors: // the frames have them too
		return
	case bytes.HasPrefix(text, []byte("locked")):
		if len(s.frames) == 0 {
			return // the object that is waited for, said once more
		}
		l.Op, l.Blocks = Locked, blockedBy(text)
	default:
		l.Owner = ownerIn(text)
		s.wants(l)
		return
	}
	s.locks = append(s.locks, l)
	s.boundThread(0, len(s.locks))
}

// objectIn finds the object in a line of a lock, in one of the forms
//
//	com.acme.Account@1b2c6ec2
//	(a com.acme.Account@17ed40e0)
//	<0x4d76f3f8> (a java.util.TaskQueue)
func objectIn(text []byte, in *Interner) (l Lock, ok bool) {
	if i := bytes.IndexByte(text, '<'); i >= 0 {
		end := bytes.IndexByte(text[i:], '>')
		if end > 0 {
			if l.Address, ok = parseBareAddress(text[i+1 : i+end]); ok {
				_, class, _ := bytes.Cut(text[i+end:], []byte("(a "))
				class, _, _ = bytes.Cut(class, []byte(")"))
				l.Class = in.string(class)
				return l, true
			}
		}
	}
	for word := range bytes.FieldsSeq(text) {
		word = bytes.Trim(word, "(),")
		if class, hash, found := cutIdentity(word); found && len(class) > 0 && class[0] != '@' {
			l.Class, l.Address = in.string(class), hash
			return l, true
		}
	}
	return l, false
}

// ownerIn is the id in ` owned by "svc-2" Id=13`, zero if there is none.
func ownerIn(text []byte) int64 {
	_, rest, ok := bytes.Cut(text, []byte("owned by "))
	if !ok {
		return 0
	}
	for _, key := range [...]string{" Id=", " id=", " t@", " #"} {
		if i := bytes.LastIndex(rest, []byte(key)); i >= 0 {
			digits := rest[i+len(key):]
			id, _ := parseInt(digits[:spanOf(digits, isDigit)])
			return id
		}
	}
	return 0
}

// blockedBy is the count in ` <---- but blocks 5 other threads!`, with which Arthas marks the
// lock that most threads wait for; zero if there is none.
func blockedBy(text []byte) int {
	_, rest, ok := bytes.Cut(text, []byte("<---- but blocks "))
	if !ok {
		return 0
	}
	n, _ := parseInt(rest[:spanOf(rest, isDigit)])
	return int(n)
}

// looksLikeHeader recognises a line that seems to begin a thread and could not be read: a name
// in quotes with what only headers have behind it.
func looksLikeHeader(line []byte) bool {
	if len(line) == 0 || line[0] != '"' {
		return false
	}
	end := bytes.LastIndexByte(line, '"')
	rest, marks := line[end+1:], 0
	for _, mark := range [...]string{" prio=", " tid=", " nid=", " os_prio=", " Id=", " id=", " state=", " daemon"} {
		if bytes.Contains(rest, []byte(mark)) {
			marks++
		}
	}
	return end > 0 && marks >= 2
}

// noteLost counts a thread that could not be read.
func noteLost(d *Dump, line int, text []byte) {
	d.Lost++
	if len(d.Problems) < maxProblems {
		d.Problems = append(d.Problems, Problem{
			Line: line, Text: string(text[:min(len(text), maxQuote)]), Message: "a thread that could not be read",
		})
	}
}
