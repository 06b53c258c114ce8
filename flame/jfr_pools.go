package flame

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Names of the classes of what events refer to.
const (
	nameOfText   = "java.lang.String"
	nameOfHeader = "jdk.types.ChunkHeader"
	nameOfStack  = "jdk.types.StackTrace"
	nameOfMethod = "jdk.types.Method"
	nameOfClass  = "java.lang.Class"
	nameOfSymbol = "jdk.types.Symbol"
	nameOfThread = "java.lang.Thread"
	nameOfGroup  = "jdk.types.ThreadGroup"
	nameOfState  = "jdk.types.ThreadState"
	nameOfKind   = "jdk.types.FrameType"
)

// pools are the constants of a chunk, by the name of their class and their key: where in the
// chunk each is. A JVM writes them in several places, each with those that are new.
type pools struct {
	data  []byte
	kinds kinds
	at    map[string]*pool
	seen  map[int64]bool // the places
	// read are the bytes of the places, cost those that the entries take in memory.
	read, cost int
}

type pool struct {
	class *class
	at    map[uint64]int
}

// Pools claim how many entries they have, of which each takes about so much memory.
const (
	maxPools  = 64 << 20
	entrySize = 64
)

var errNoSuchKind = errors.New("a constant is of no known type")

// readPools finds the constants of a chunk.
func readPools(data []byte, kinds kinds) (*pools, error) {
	p := &pools{data: data, kinds: kinds, at: map[string]*pool{}, seen: map[int64]bool{}}
	for _, c := range kinds.named(nameOfStack, nameOfMethod, nameOfClass, nameOfSymbol, nameOfThread, nameOfGroup,
		nameOfState, nameOfKind) {
		p.at[c.name] = &pool{c, map[uint64]int{}}
	}
	if err := p.all(int64(binary.BigEndian.Uint64(data[16:]))); err != nil {
		return nil, fmt.Errorf("its constant pools: %w", err)
	}
	return p, nil
}

// all walks the places, each of which tells where the one before it is.
func (p *pools) all(at int64) error {
	for {
		if at <= 0 || at >= int64(len(p.data)) {
			return errCut
		}
		if p.seen[at] {
			return errForged
		}
		p.seen[at] = true
		in := eventReader{data: p.data, at: int(at), kinds: p.kinds}
		p.bound(&in)
		before := p.event(&in)
		if in.err != nil {
			return in.err
		}
		if before == 0 {
			return nil
		}
		at += before
	}
}

// bound reads how long a place is. Together they are no longer than the chunk: were they to lie
// over one another, each byte would be read for each of them.
func (p *pools) bound(in *eventReader) {
	begin := in.at
	size := in.number()
	if in.err != nil || size > uint64(len(p.data)-begin) {
		in.fail(errCut)
		return
	}
	in.data = p.data[:begin+int(size)]
	if p.read += int(size); p.read > len(p.data) {
		in.fail(errForged)
	}
}

// event reads the pools at one place, and tells how far away the next place is.
func (p *pools) event(in *eventReader) (before int64) {
	for range 3 { // type, start, duration
		in.number()
	}
	before = int64(in.number())
	in.number() // what kind of checkpoint
	for n := in.count(); n > 0 && in.err == nil; n-- {
		class := p.kinds[kindID(in.number())]
		switch {
		case class == nil:
			in.fail(errNoSuchKind)
		case class.name == nameOfHeader:
			in.take(chunkHeader)
		default:
			p.pool(in, class)
		}
	}
	return before
}

func (p *pools) pool(in *eventReader, class *class) {
	wanted := p.at[class.name]
	for n := in.count(); n > 0 && in.err == nil; n-- {
		key := in.number()
		if wanted != nil {
			p.enter(in, wanted.at, key)
		}
		if class.name == nameOfText {
			in.text()
			continue
		}
		in.object(class, nil)
	}
}

// enter keeps where a constant is. The places are read from the last to the first: the
// later word counts.
func (p *pools) enter(in *eventReader, at map[uint64]int, key uint64) {
	if _, known := at[key]; known {
		return
	}
	if p.cost += entrySize; p.cost > maxPools {
		in.fail(errForged)
		return
	}
	at[key] = in.at
}

// constant visits the fields of one, and tells whether there is one.
func (p *pools) constant(of string, key uint64, visit visitor) bool {
	pool := p.at[of]
	if pool == nil {
		return false
	}
	at, ok := pool.at[key]
	if !ok {
		return false
	}
	in := eventReader{data: p.data, at: at, kinds: p.kinds}
	in.object(pool.class, visit)
	return in.err == nil
}

// text is a field that holds a text.
func (p *pools) text(of string, key uint64, name string) (found string) {
	p.constant(of, key, func(_ int, f *field, _ uint64, text string) {
		if f.name == name {
			found = text
		}
	})
	return found
}

// number is a field that holds a number, or the key of a constant.
func (p *pools) number(of string, key uint64, name string) (found uint64) {
	p.constant(of, key, func(_ int, f *field, v uint64, _ string) {
		if f.name == name {
			found = v
		}
	})
	return found
}

func (p *pools) thread(key uint64) (t recordedThread) {
	var osName string
	var group uint64
	p.constant(nameOfThread, key, func(_ int, f *field, v uint64, text string) {
		switch f.name {
		case "javaName":
			t.name = text
		case "osName":
			osName = text
		case "osThreadId":
			t.nid = int64(v)
		case "virtual":
			t.virtual = v != 0
		case "group":
			group = v
		}
	})
	t.carrier = p.text(nameOfGroup, group, "name") == "CarrierThreads"
	if t.name == "" {
		t.name = osName
	}
	return t
}

// recordedFrame is a line of a method.
type recordedFrame struct {
	codeKey
	line int64
}

// codeKey is a method and the kind of its code, as keys of constants.
type codeKey struct{ method, kind uint64 }

// stack are the frames of a stack, the innermost first.
func (p *pools) stack(key uint64) (frames []recordedFrame) {
	p.constant(nameOfStack, key, func(depth int, f *field, v uint64, _ string) {
		switch {
		case depth != 2 || len(frames) > maxDepthRead:
		case f.name == "method":
			frames = append(frames, recordedFrame{codeKey: codeKey{method: v}})
		case f.name == "type" && len(frames) > 0:
			frames[len(frames)-1].kind = v
		case f.name == "lineNumber" && len(frames) > 0:
			frames[len(frames)-1].line = int64(v)
		}
	})
	return frames
}
