package threaddump

import (
	"bytes"
	"time"
)

// infoForm is one way of printing java.lang.management.ThreadInfo as text: how a thread
// begins. What is under it is much the same in all of them, see bodyLine.
type infoForm struct {
	// cut finds where in a line a thread's header begins, -1 if nowhere; what is
	// before it is a logger's.
	cut func(line []byte) int
	// header reads a header.
	header func(text []byte, h *infoHeader) bool
	// body reads a line that only this form has; nil if the form has none.
	body func(s *infoDump, text []byte) bool
	// bare is true if frames have no "at " before them.
	bare bool
	// sparse is true if the form lists single threads, with their stacks, among other lines: a line that belongs to no
	// stack ends the thread, and what then has no frames is dropped.
	sparse bool
	// series is true if each thread is written at another time; see infoDump.pictures.
	series bool
	// quoted is true if the first line is a message of a log, with the stack of the thread in those below it.
	quoted bool
	// begun reads what the line of the header has behind it; nil if nothing.
	begun func(s *infoDump)
	// end completes a thread that has frames; nil if there is nothing to do.
	end func(s *infoDump)
	// second recognises the line under the first header; nil if the header alone is proof enough.
	second func(text []byte) bool
	// ends recognises a line that is above the threads of the next dump; nil if the form has none.
	ends func(text []byte) bool
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
	// stuck is Thread.Stuck.
	stuck []byte
}

// infoDump reads a dump of such a form.
type infoDump struct {
	beans
	form    *infoForm
	ids     madeIDs
	section beanSection
	// skipped is true if the lines belong to a thread that is there already, as
	// under "Deadlock found between the following threads:".
	skipped, repeats bool
	madeIDs          bool // the form has none
	// owners are the names of those who own what threads wait for, by the number of the thread; see linkOwners.
	owners map[int]string
	// named are the ids of the threads of a sparse form by their names.
	named map[string]int64
	// frozen is the thread that the newest message of a freeze is about, in its words; see describedInfo.
	frozen, frozenWords string
	// openEnd is true if the last line has neither a line break nor the bracket of a frame or a lock.
	openEnd bool
}

func (f *infoForm) is(line []byte) bool {
	i := f.cut(line)
	var h infoHeader
	return i >= 0 && f.header(bytes.TrimRight(line[i:], " \t\r"), &h)
}

func (f *infoForm) read(r *input, d *Dump, line []byte) []*Dump {
	s := &infoDump{beans: beans{input: r, d: d}, form: f, ids: newMadeIDs(), owners: map[int]string{},
		named: map[string]int64{}}
	if d.JVM == "" {
		d.JVM, d.Version = r.openJ9Head()
	}
	if !f.sparse && !f.series {
		d.Logged = r.loggedAt()
	}
	if line != nil {
		line = bytes.Clone(r.unwrapForm(line, f.cut))
		if f.quoted {
			var ok bool
			if line, ok = r.unwrapQuoted(line); !ok {
				return nil
			}
		}
		if f.second != nil && !r.nextIs(f.second) {
			return nil
		}
		s.step(line)
	}
	for {
		line, ok := r.lines.next()
		if !ok || s.step(line) {
			break
		}
	}
	return s.dumps()
}

// dumps completes the dump and returns it: as several for a series, none if it is sparse and no thread was read.
func (s *infoDump) dumps() []*Dump {
	s.d.Cut, s.d.Instant = s.d.Cut || s.openEnd && s.cur != nil, true
	s.endInfo()
	linkOwners(s.d, s.owners)
	if s.form.sparse && len(s.d.Threads) == 0 {
		return nil
	}
	if s.form.series {
		return s.pictures()
	}
	return only(s.d)
}

// openJ9Head finds what OpenJ9's jcmd PID Thread.print has above the threads, else nothing:
//
//	JRE 17 Linux amd64-64-Bit Compressed References 20240120_930 (JIT enabled, AOT enabled)
//	OpenJ9   - 345e1b09e
//	OMR      - 741e94ea8
//	JCL      - ab07c6a8fd based on jdk-17.0.10+7
func (r *input) openJ9Head() (jvm, version string) {
	for _, line := range r.before {
		if _, v, ok := bytes.Cut(line, []byte(" based on jdk-")); ok && bytes.HasPrefix(line, []byte("JCL ")) {
			version = string(bytes.TrimSpace(v))
		}
		if bytes.HasPrefix(line, []byte("OpenJ9 ")) {
			jvm = "Eclipse OpenJ9 VM"
		}
	}
	if jvm == "" {
		return "", ""
	}
	return jvm, version
}

// endInfo completes a thread; see infoForm.sparse.
func (s *infoDump) endInfo() {
	if s.cur == nil {
		return
	}
	if s.form.sparse && len(s.frames) == 0 {
		delete(s.ids.taken, s.cur.ID)
		s.cur, s.locks = nil, s.locks[:0]
		s.takeBack(s.d)
		return
	}
	if s.form.end != nil {
		s.form.end(s)
	}
	if s.cur.State == StateUnknown {
		s.cur.State, s.cur.StateDetail = stateByLines(s.locks, s.frames)
	}
	s.end()
}

// step reads a line; true if another dump begins with it.
func (s *infoDump) step(line []byte) (done bool) {
	text := bytes.TrimSpace(line)
	if len(text) == 0 {
		return false
	}
	s.openEnd = s.src.unended && bytes.IndexByte([]byte(")}>"), text[len(text)-1]) < 0
	var h infoHeader
	if s.form.header(text, &h) {
		return s.begin(&h)
	}
	if s.skipped || s.bodyLine(text) {
		return false
	}
	if s.again = s.isEnd(text); s.again {
		return true
	}
	if s.form.sparse && len(s.frames) > 0 {
		s.endInfo()
	}
	if bytes.HasPrefix(text, []byte("Deadlock found between")) {
		s.endInfo()
		s.repeats = true
		return false
	}
	if at := s.startOf(line); at.anchor != noAnchor && at.anchor != deadlockAnchor && s.begins(at) {
		s.again = true
		return true
	}
	if looksLikeHeader(text) {
		s.lost(text)
	}
	s.remember(line)
	return false
}

// isEnd recognises the line with which the form ends a dump.
func (s *infoDump) isEnd(text []byte) bool {
	return s.form.ends != nil && s.form.ends(text) && len(s.d.Threads) > 0
}

func (s *infoDump) lost(text []byte) {
	s.endInfo()
	noteLost(s.d, s.lineNo(), text)
}

// begin starts a thread; true if it is the first of another dump.
func (s *infoDump) begin(h *infoHeader) (done bool) {
	if s.skipped = s.repeats; s.skipped {
		return false
	}
	s.endInfo()
	id := h.id
	switch {
	case s.form.series && len(s.d.Threads) >= maxSeries, s.form.sparse && !s.form.series && s.isNamed(h.name):
		s.again = true // written at another time
		return true
	case s.form.series:
		id = s.idInSeries(h)
	case h.native != 0:
	case id == 0 && !h.vm:
		id, s.madeIDs = s.ids.of(h.name), true
	case s.ids.taken[id]:
		s.again = true
		return true
	}
	if s.form.sparse {
		s.named[string(h.name)] = id
	}
	s.ids.taken[id] = id != 0
	s.thread(id, h.name, s.lineNo())
	s.cur.Daemon, s.cur.Priority, s.cur.State, s.cur.CPU = h.daemon, h.priority, h.state, h.cpu
	s.cur.NativeID, s.cur.Stuck = h.native, s.in.string(h.stuck)
	s.section = inFrames
	if len(h.frame) > 0 {
		s.frame(h.frame)
	}
	if h.wants.Op != LockUnknown {
		s.wants(h.wants)
	}
	if s.form.begun != nil {
		s.form.begun(s)
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
				had.Owner, had.OwnerName = l.Owner, l.OwnerName
			}
			return
		}
	}
	s.locks = append(s.locks, l)
}

// bodyLine reads a line under a thread's header; false otherwise:
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
	if !isBareFrame(text) {
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
