package threaddump

import (
	"bytes"
	"time"

	"github.com/jstall/jstall/internal/jvmthread"
)

// jsonDump reads what `jcmd Thread.dump_to_file -format=json` writes (JDK 21
// and newer, ThreadDumper.dumpThreads): one object
//
//	{"threadDump": {"processId", "time", "runtimeVersion", "threadContainers": [
//	  {"container", "parent", "owner", "threads": [
//	    {"tid", "time", "virtual", "name", "state", "parkBlocker": {"object", "owner"},
//	     "blockedOn", "waitingOn", "stack": ["java.base\/java.lang.Thread.sleep(Thread.java:509)"],
//	     "monitorsOwned": [{"depth", "locks": ["java.lang.Object@4957608d"]}], "carrier"}]}]}}
//
// JDK 21 to 24 have tid, name and stack of a thread only. "formatVersion": 2 (27
// and newer) writes ids as numbers, not strings. A thread name with control
// characters ends the file in the middle of it (a fault of 21 to 28).
type jsonDump struct {
	*input
	slabs
	j         jsonReader
	d         *Dump
	container string
	owner     int64         // of the container
	alike     *alikeThreads // nil: list all threads
	states    bool          // the dump has states, and so which threads are virtual
	cur       *Thread
	name      []byte
	named     bool
	frames    []*Frame
	stackHash uint64
	locks     []Lock
}

// jsonForm is the JSON file of Thread.dump_to_file.
type jsonForm struct{}

func (jsonForm) is(line []byte) bool { return bytes.Contains(line, []byte(jsonText)) }

func (jsonForm) read(r *input, d *Dump, _ []byte) []*Dump { return only(r.readJSON()) }

func (r *input) readJSON() *Dump {
	_, rest, _ := bytes.Cut(r.raw, []byte(jsonText))
	s := &jsonDump{input: r, d: &Dump{Line: r.lineNo()}}
	s.j = jsonReader{lines: &r.lines, line: rest}
	if r.countAlike {
		s.alike = newAlikeThreads()
	}
	if s.j.next() != ':' || s.j.next() != '{' {
		return nil
	}
	s.j.members(s.dumpKey)
	if s.alike != nil {
		s.alike.list(&s.slabs, s.d)
	}
	s.linkCarriers()
	s.d.NoLocks = !s.states
	if s.j.bad {
		s.problem(r.lineNo(), string(s.j.line[:min(len(s.j.line), maxQuote)]),
			"the JSON ends or breaks here; JDKs write it so when a thread's name has control characters")
		s.d.Cut = r.atEnd()
	}
	return s.d
}

func (s *jsonDump) problem(line int, text, message string) {
	if len(s.d.Problems) < maxProblems {
		s.d.Problems = append(s.d.Problems, Problem{Line: line, Text: text, Message: message})
	}
}

func (s *jsonDump) dumpKey(key string) {
	switch key {
	case "time":
		s.d.Time, _ = time.Parse(time.RFC3339Nano, string(s.j.value()))
	case "runtimeVersion":
		s.d.Version = string(s.j.value())
	case "threadContainers":
		s.j.array(func(t jsonToken) {
			if s.container, s.owner = "", 0; t == '{' {
				s.j.members(s.containerKey)
			}
		})
	default:
		s.j.skip()
	}
}

func (s *jsonDump) containerKey(key string) {
	switch key {
	case "container":
		s.container = s.in.string(s.j.value())
	case "owner":
		s.owner, _ = parseInt(s.j.value())
	case "threads":
		s.j.array(func(t jsonToken) {
			if t == '{' {
				s.thread()
			}
		})
	default:
		s.j.skip()
	}
}

func (s *jsonDump) thread() {
	alike := 0
	if s.alike != nil {
		alike = len(s.alike.left)
	}
	s.boundDump(len(s.d.Threads), alike)
	s.cur = s.newThread(s.d, 0)
	s.cur.Line = s.lineNo()
	s.cur.Container, s.cur.ScopeOwner = s.container, s.owner
	s.frames, s.stackHash, s.locks = s.frames[:0], 0, s.locks[:0]
	s.name, s.named = s.name[:0], false
	s.j.members(s.threadKey)
	if s.cur.ID == 0 || s.j.bad && !s.named {
		s.problem(s.cur.Line, "", "a thread without id or name")
		s.takeBack(s.d)
		return
	}
	s.cur.Stack = s.in.stack(s.stackHash, s.frames)
	for i := range s.locks {
		s.locks[i].Depth = min(s.locks[i].Depth, len(s.frames)-1)
	}
	s.cur.Virtual = s.cur.Virtual || !s.states && s.seemsVirtual()
	s.cur.Locks = s.locks
	if s.alike != nil && s.alike.absorb(s.cur, s.name, s.in) {
		s.takeBack(s.d)
		return
	}
	s.cur.Name = s.in.string(s.name)
	s.cur.Locks = s.keepLocks(s.d, s.locks)
}

// frameLine notes where the stack is, if each frame is on a separate line.
func (s *jsonDump) frameLine() {
	n := s.lineNo()
	switch {
	case len(s.frames) == 0:
		s.cur.StackLine = n
	case n != s.cur.StackLine+len(s.frames):
		s.cur.StackLine = 0
	}
}

// seemsVirtual recognises a virtual thread of JDK 21 to 24, which do not say: by the
// method at its root, and one that has not run yet by having no stack, as else only
// some threads of the JVM.
func (s *jsonDump) seemsVirtual() bool {
	if n := len(s.frames); n > 0 {
		return s.frames[n-1].Class == "java.lang.VirtualThread"
	}
	job := jvmthread.JobOf(string(s.name))
	return job != jvmthread.Hidden && job != jvmthread.JIT
}

func (s *jsonDump) threadKey(key string) {
	switch key {
	case "tid":
		s.cur.ID, _ = parseInt(s.j.value())
	case "name":
		s.name = append(s.name, s.j.value()...)
		s.named = !s.j.bad
	case "virtual":
		s.cur.Virtual = string(s.j.value()) == "true"
	case "state":
		s.states = true
		s.cur.State, _, _ = parseState(s.j.value(), s.in)
	case "carrier":
		s.cur.Carrier, _ = parseInt(s.j.value())
	case "blockedOn":
		s.lock(WaitingToLock, 0, s.j.value())
	case "waitingOn":
		s.lock(WaitingOn, 0, s.j.value())
	case "parkBlocker":
		s.parkBlocker()
	case "stack":
		s.j.array(func(jsonToken) {
			s.boundThread(len(s.frames), 0)
			s.frameLine()
			e := s.in.frames.entries[s.in.frameEntry(s.j.text, parseFrame)]
			s.frames, s.stackHash = append(s.frames, e.frame), mixHash(s.stackHash, e.hash)
		})
	case "monitorsOwned":
		s.j.array(s.monitors)
	default:
		s.j.skip()
	}
}

func (s *jsonDump) parkBlocker() {
	s.j.object(func(key string) {
		switch key {
		case "object":
			s.lock(Parking, 0, s.j.value())
		case "owner":
			if n := len(s.locks); n > 0 {
				s.locks[n-1].Owner, _ = parseInt(s.j.value())
				return
			}
			s.j.skip()
		default:
			s.j.skip()
		}
	})
}

// monitors reads {"depth": 4, "locks": ["java.lang.Object@4957608d"]}.
func (s *jsonDump) monitors(t jsonToken) {
	if t != '{' {
		return
	}
	first, depth := len(s.locks), int64(0)
	s.j.members(func(key string) {
		switch key {
		case "depth":
			depth, _ = parseInt(s.j.value())
		case "locks":
			s.j.array(func(jsonToken) { s.lock(Locked, 0, s.j.text) })
		default:
			s.j.skip()
		}
	})
	for i := first; i < len(s.locks); i++ {
		s.locks[i].Depth = int(depth)
	}
}

// lock takes an identity string; an eliminated monitor's is null.
func (s *jsonDump) lock(op LockOp, depth int, object []byte) {
	s.boundThread(0, len(s.locks))
	l := Lock{Op: op, Depth: depth, Line: s.lineNo()}
	if class, hash, ok := cutIdentity(object); ok {
		l.Class, l.Address = s.in.string(class), hash
	} else {
		l.Op = Eliminated
	}
	s.locks = append(s.locks, l)
}

// linkCarriers sets what the carriers carry.
func (s *jsonDump) linkCarriers() {
	carriers := map[int64]int64{}
	for _, th := range s.d.Threads {
		if th.Carrier != 0 {
			carriers[th.Carrier] = th.ID
		}
	}
	for _, th := range s.d.Threads {
		th.Carrying = carriers[th.ID]
	}
}

const jsonText = `"threadDump"`
