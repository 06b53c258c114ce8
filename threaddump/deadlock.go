package threaddump

import (
	"bytes"

	"github.com/jstall/jstall/internal/javaname"
)

// deadlockReport reads the JVM's own report, one or several of:
//
//	Found one Java-level deadlock:
//	=============================
//	"dl-A":
//	  waiting to lock monitor 0x00007fe3a4002818 (object 0x000000074277edc8, a java.lang.String),
//	  which is held by "dl-B"
//	                                           (an empty line here from JDK 17 on)
//	"dl-B":
//	  waiting for ownable synchronizer 0x0000000687821608, (a java.util.concurrent.locks.ReentrantLock$NonfairSync),
//	  which is held by "dl-A"
//
// Printed by DeadlockCycle::print_on (threadService.cpp); the stacks of the
// threads follow once more, then "Found 1 deadlock.". Names are raw here too.
type deadlockReport struct {
	// name gathers a name that spans lines; naming says which one it is.
	name   []byte
	naming deadlockName
	line   int
	ids    madeIDs
	names  map[string]bool // of the threads made of it
	// members counts those of all deadlocks.
	members int
}

type deadlockName uint8

const (
	noName deadlockName = iota
	memberName
	holderName
)

func (r *deadlockReport) begin(t *threadBuilder) {
	if len(t.d.Deadlocks) > maxMembers {
		t.tooMany(maxMembers, "deadlocks")
	}
	t.d.Deadlocks = append(t.d.Deadlocks, Deadlock{Line: t.lineNo()})
	r.naming = noName
}

// read takes a line of the report; false otherwise.
func (r *deadlockReport) read(t *threadBuilder, line []byte) bool {
	if r.naming != noName {
		r.name = append(append(r.name, '\n'), line...)
		r.endName(t)
		return true
	}
	switch {
	case len(line) == 0 || isRule(line):
	case line[0] == '"':
		r.startName(t, memberName, line[1:])
	default:
		return r.detail(t, line) // whose leading blanks get lost
	}
	return true
}

func (r *deadlockReport) startName(t *threadBuilder, which deadlockName, text []byte) {
	r.naming, r.line = which, t.lineNo()
	r.name = append(r.name[:0], text...)
	r.endName(t)
}

// deadlockNameLimit is where a name without an end is given up.
const deadlockNameLimit = 128 << 10

// endName ends a name at its closing quote, which ends the line.
func (r *deadlockReport) endName(t *threadBuilder) {
	end := `"`
	if r.naming == memberName {
		end = `":`
	}
	text, ended := bytes.CutSuffix(bytes.TrimRight(r.name, " "), []byte(end))
	if !ended && len(r.name) < deadlockNameLimit {
		return
	}
	if !ended {
		t.note(r.line, string(r.name[:maxQuote]), "a name in the deadlock report has no end")
	}
	name := t.in.lookup(decoded(text))
	if m := r.member(t); r.naming == holderName {
		if m != nil {
			m.HeldBy = name
		}
	} else {
		if r.members++; r.members > maxMembers {
			t.tooMany(maxMembers, "threads in deadlocks")
		}
		d := &t.d.Deadlocks[len(t.d.Deadlocks)-1]
		d.Members = append(d.Members, DeadlockMember{Thread: name, Line: r.line})
	}
	r.naming = noName
}

// member is the entry being read, nil before the first.
func (r *deadlockReport) member(t *threadBuilder) *DeadlockMember {
	members := t.d.Deadlocks[len(t.d.Deadlocks)-1].Members
	if len(members) == 0 {
		return nil
	}
	return &members[len(members)-1]
}

// detail reads a line under a name.
func (r *deadlockReport) detail(t *threadBuilder, line []byte) bool {
	m := r.member(t)
	if m == nil {
		return false
	}
	const held = `which is held by "`
	if _, rest, ok := bytes.Cut(line, []byte("waiting to lock ")); ok {
		// "monitor 0x… (object 0x…, a X)", in jhsdb "Monitor@0x… (Object@0x…, a X)"
		m.Monitor = true
		_, object, _ := bytes.Cut(rest, []byte("bject"))
		address, class, _ := bytes.Cut(object, []byte(", a "))
		m.Address, _ = parseBareAddress(bytes.TrimLeft(address, " @"))
		m.Class = javaname.Dotted(t.in.string(bytes.TrimRight(class, "),")))
		return true
	}
	if _, rest, ok := bytes.Cut(line, []byte("waiting for ownable synchronizer ")); ok {
		address, class, _ := bytes.Cut(rest, []byte(", (a "))
		m.Address, _ = parseBareAddress(address)
		m.Class = javaname.Dotted(t.in.string(bytes.TrimRight(class, "),")))
		return true
	}
	if i := bytes.Index(line, []byte(held)); i >= 0 {
		r.startName(t, holderName, line[i+len(held):])
		return true
	}
	if bytes.Contains(line, []byte("held by")) {
		t.problem(line, "the owner has no name")
		return true
	}
	return false
}

// reportedThread begins a thread of a report that is alone: `"desk-1":`.
func (r *deadlockReport) reportedThread(t *threadBuilder, line []byte) bool {
	name, ok := bytes.CutSuffix(bytes.TrimRight(line, " "), []byte(`":`))
	if isRule(line) || !ok || len(name) < 2 || name[0] != '"' {
		return isRule(line)
	}
	r.addReported(t, name[1:], t.lineNo())
	return true
}

// addReported adds a thread of the report, unless it is there already: of a second cycle.
func (r *deadlockReport) addReported(t *threadBuilder, name []byte, line int) {
	t.endThread()
	if r.names == nil {
		r.ids, r.names = newMadeIDs(), map[string]bool{}
	}
	if r.names[string(name)] {
		return
	}
	r.names[string(name)] = true
	t.boundDump(len(t.d.Threads), 0)
	t.cur, t.open = t.newThread(t.d, 0), true
	t.cur.Name, t.cur.Line = t.in.threadName(name), line
	t.cur.ID = r.ids.of(name)
	t.d.Instant = true
}

// addMembers makes threads of a report's members where nothing else shows them.
func (r *deadlockReport) addMembers(t *threadBuilder) {
	for _, d := range t.d.Deadlocks {
		for _, m := range d.Members {
			r.addReported(t, []byte(m.Thread), m.Line)
			if t.cur == nil {
				continue
			}
			l := Lock{Op: Parking, Address: m.Address, Class: m.Class, Depth: -1, Line: m.Line}
			if m.Monitor {
				l.Op = WaitingToLock
			}
			t.locks = append(t.locks, l)
			t.endThread()
		}
	}
}

// isRepeatedStack knows the lines after "Java stack information for the threads
// listed above:", which repeat what is under the threads themselves.
func isRepeatedStack(line []byte) bool {
	if len(line) == 0 || line[0] == '\t' || isRule(line) {
		return true
	}
	return line[0] == '"' && bytes.HasSuffix(line, []byte(`":`))
}

const (
	deadlockText = "Found one Java-level deadlock:"
	stacksText   = "Java stack information for the threads"
)

// isRule knows the line of equal signs under a heading.
func isRule(line []byte) bool {
	return len(line) > 20 && bytes.Count(line, []byte("=")) == len(line)
}

// isDeadlockCount knows "Found 2 deadlocks.".
func isDeadlockCount(line []byte) bool {
	return bytes.HasPrefix(line, []byte("Found ")) && bytes.Contains(line, []byte(" deadlock"))
}

// isMemberName recognises `"pump-1":`.
func isMemberName(line []byte) bool {
	name, ok := bytes.CutSuffix(bytes.TrimRight(line, " "), []byte(`":`))
	return ok && len(name) > 1 && name[0] == '"'
}

// isMemberDetail recognises what is under a name in the deadlock report.
func isMemberDetail(text []byte) bool {
	return bytes.HasPrefix(text, []byte("waiting to lock monitor ")) ||
		bytes.HasPrefix(text, []byte("waiting for ownable synchronizer "))
}
