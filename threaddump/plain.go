package threaddump

import (
	"bytes"
	"strings"
	"time"
)

// plainDump reads what `jcmd Thread.dump_to_file` writes without -format=json:
//
//	12685
//	2026-11-20T15:00:18.563989003Z
//	21.0.13+9-1-deb13u2-Debian
//
//	#19 "vt-blocked-0" virtual                                       21 to 24
//	      java.base/java.lang.Thread.sleep(Thread.java:509)
//
//	#19 "vt-blocked-0" virtual BLOCKED 2026-11-20T15:05:46.68Z       25 and newer
//	    at java.base/java.lang.Thread.sleep(Thread.java:562)
//	    - waiting on <java.lang.Object@4957608d>
//
// Threads that were copied out of it lack the head.
type plainDump struct {
	*input
	slabs
	d      *Dump
	alike  *alikeThreads // nil: list all threads
	states bool          // the dump has states, and so locks
	cur    *Thread
	name   []byte
	frames []*Frame
	locks  []Lock
}

// plainForm is the text file of Thread.dump_to_file.
type plainForm struct{}

func (plainForm) is(line []byte) bool { return isPlainStart(line) }

func (plainForm) read(r *input, d *Dump, line []byte) []*Dump { return only(r.readPlain(line)) }

func (r *input) readPlain(line []byte) *Dump {
	at, version, headed := r.plainHead()
	if !headed && (!isPlainHeader(line) || !r.nextIs(isPlainFrame)) {
		return nil
	}
	s := &plainDump{input: r, d: &Dump{Line: r.lineNo(), Time: at, Version: version, Fragment: !headed}}
	if r.countAlike {
		s.alike = newAlikeThreads()
	}
	if !s.header(bytes.Clone(line)) {
		return nil
	}
	s.before = [4][]byte{}
	for {
		line, ok := r.lines.next()
		if ok && isPlainStart(line) {
			line = bytes.Clone(line) // what it is may be known only when others are read
		}
		if !ok || s.step(line) {
			break
		}
		s.d.Cut = r.src.unended && line[len(line)-1] != ')' // of a frame whose line break was lost
	}
	s.end()
	s.d.NoLocks = !s.states
	if s.alike != nil {
		s.alike.list(&s.slabs, s.d)
	}
	return s.d
}

// isPlainFrame recognises a frame of either form.
func isPlainFrame(text []byte) bool { return isBareFrame(bytes.TrimPrefix(text, []byte("at "))) }

// plainHead finds time and version above the first thread.
func (r *input) plainHead() (at time.Time, version string, ok bool) {
	for i := 0; i+1 < len(r.before); i++ {
		if at, err := time.Parse(time.RFC3339Nano, string(r.before[i+1])); err == nil {
			return at, string(r.before[i]), true
		}
	}
	return time.Time{}, "", false
}

// step reads a line; true if another dump begins with it.
func (s *plainDump) step(line []byte) (done bool) {
	text := bytes.TrimSpace(line)
	a := s.startOf(line).anchor
	_, _, newHead := s.plainHead()
	switch {
	case len(text) == 0:
		s.remember(line)
	case a == plainAnchor && newHead && s.beforeLine == s.lineNo()-1,
		a == headAnchor,
		a == jsonAnchor:
		s.again = true
		return true
	case line[0] == '#' && s.header(line):
		s.before = [4][]byte{}
	case line[0] == ' ' && s.cur != nil:
		s.bodyLine(text)
	default:
		s.remember(line)
	}
	return false
}

func (s *plainDump) bodyLine(text []byte) {
	s.boundThread(len(s.frames), len(s.locks))
	if lock, ok := bytes.CutPrefix(text, []byte("- ")); ok {
		l := parseLock(lock, s.in)
		l.Line, l.Depth = s.lineNo(), len(s.frames)-1
		s.locks = append(s.locks, l)
		return
	}
	s.frames = append(s.frames, s.in.frame(bytes.TrimPrefix(text, []byte("at ")), parseFrame))
}

func (s *plainDump) end() {
	if s.cur != nil {
		s.endThread()
	}
	s.frames, s.locks = s.frames[:0], s.locks[:0]
}

func (s *plainDump) endThread() {
	s.cur.StackLine = s.cur.Line + 1 + bytes.Count(s.name, []byte{'\n'})
	s.cur.Stack, s.cur.Locks = s.in.stackOf(s.frames), s.locks
	if s.alike != nil && s.alike.absorb(s.cur, s.name, s.in) {
		s.takeBack(s.d)
		return
	}
	s.cur.Name = s.in.string(s.name)
	s.cur.Locks = s.keepLocks(s.d, s.locks)
}

func (s *plainDump) header(line []byte) bool {
	number := s.lineNo()
	id, name, rest, ok := cutPlainHeader(s.wholeHeader(line))
	if !ok || s.src.unended {
		return false
	}
	s.end()
	alike := 0
	if s.alike != nil {
		alike = len(s.alike.left)
	}
	s.boundDump(len(s.d.Threads), alike)
	s.cur = s.newThread(s.d, 0)
	s.cur.ID, s.cur.Line, s.name = id, number, append(s.name[:0], name...)
	for word := range strings.FieldsSeq(string(rest)) {
		if word == "virtual" {
			s.cur.Virtual = true
		} else if s.cur.State == StateUnknown {
			s.cur.State, _, _ = parseState([]byte(word), s.in)
			s.states = s.states || s.cur.State != StateUnknown
		}
	}
	return true
}

// isPlainStart knows the beginning of a header, whose name may have line breaks.
func isPlainStart(line []byte) bool {
	if len(line) == 0 || line[0] != '#' {
		return false
	}
	n := 1 + spanOf(line[1:], isDigit)
	return n > 1 && bytes.HasPrefix(line[n:], []byte(` "`))
}

func isPlainHeader(line []byte) bool {
	_, _, _, ok := cutPlainHeader(line)
	return ok
}

// cutPlainHeader splits `#23 "vt-burn "q"" virtual RUNNABLE 2026-11-20T15:05:55Z`.
func cutPlainHeader(line []byte) (id int64, name, rest []byte, ok bool) {
	number, rest, _ := bytes.Cut(line, []byte(` "`))
	last := bytes.LastIndexByte(rest, '"')
	if len(number) < 2 || number[0] != '#' || last < 0 {
		return 0, nil, nil, false
	}
	id, ok = parseInt(number[1:])
	return id, rest[:last], rest[last+1:], ok && isPlainTail(rest[last+1:])
}

// isPlainTail knows what may follow the name.
func isPlainTail(tail []byte) bool {
	for word := range bytes.FieldsSeq(tail) {
		_, err := time.Parse(time.RFC3339Nano, string(word))
		_, _, state := parseState(word, nil)
		if err != nil && !state && string(word) != "virtual" {
			return false
		}
	}
	return len(tail) == 0 || tail[0] == ' '
}

// plainNameLines bounds the lines of a name.
const plainNameLines = 100

// wholeHeader reads on where a name has line breaks.
func (s *plainDump) wholeHeader(first []byte) []byte {
	if !isPlainStart(first) {
		return first
	}
	after, text := s.mark(), bytes.Clone(first)
	s.src.keep = after.offset
	defer func() { s.src.keep = -1 }()
	for range plainNameLines {
		if isPlainHeader(text) {
			return text
		}
		if len(text) > nameLimit {
			break
		}
		line, ok := s.lines.next()
		if !ok || len(line) == 0 {
			break
		}
		text = append(append(text, '\n'), line...)
	}
	s.rewind(after)
	return first
}
