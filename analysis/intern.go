package analysis

import (
	"hash/maphash"
	"strings"

	"jstall/threaddump"
)

// interner keeps one copy of every stack, thread and string of a series. Dumps of
// one JVM repeat themselves almost wholly, and 125 dumps of 5,000 threads must
// not cost more than what is different in them.
type interner struct {
	seed    maphash.Seed
	stacks  map[uint64][]*Stack
	recent  map[stackArray]*Stack // by the parser's arrays, of the dump in hand
	threads map[key]*Thread       // as last seen
	slab    []Thread
	strings map[string]string
}

// stackArray identifies a stack that the parser shares within one dump.
type stackArray struct {
	first *(*threaddump.Frame)
	len   int
}

func newInterner() *interner {
	return &interner{
		seed:    maphash.MakeSeed(),
		stacks:  map[uint64][]*Stack{},
		recent:  map[stackArray]*Stack{},
		threads: map[key]*Thread{},
		strings: map[string]string{},
	}
}

// nextDump forgets the arrays of the dump before: once that is collected, a new
// one may stand at the same address. threads is how many come.
func (in *interner) nextDump(threads int) {
	clear(in.recent)
	if len(in.threads) == 0 {
		in.threads = make(map[key]*Thread, threads)
		in.slab = make([]Thread, 0, threads)
	}
}

func (in *interner) stack(frames []*threaddump.Frame) *Stack {
	if len(frames) == 0 {
		return in.byText(nil)
	}
	array := stackArray{&frames[0], len(frames)}
	s := in.recent[array]
	if s == nil {
		s = in.byText(frames)
		in.recent[array] = s
	}
	return s
}

func (in *interner) byText(frames []*threaddump.Frame) *Stack {
	var h maphash.Hash
	h.SetSeed(in.seed)
	for _, f := range frames {
		h.WriteString(f.Text)
		h.WriteByte('\n')
	}
	sum := h.Sum64()
	for _, s := range in.stacks[sum] {
		if sameFrames(s.Frames, frames) {
			return s
		}
	}
	s := newStack(frames, sum)
	in.stacks[sum] = append(in.stacks[sum], s)
	return s
}

func sameFrames(a, b []*threaddump.Frame) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && a[i].Text != b[i].Text {
			return false
		}
	}
	return true
}

func (in *interner) thread(t Thread) *Thread {
	k := t.key()
	if known := in.threads[k]; known != nil && *known == t {
		return known
	}
	t.Name = strings.Clone(t.Name)
	if len(in.slab) == cap(in.slab) {
		in.slab = make([]Thread, 0, 64)
	}
	in.slab = append(in.slab, t)
	known := &in.slab[len(in.slab)-1]
	in.threads[k] = known
	return known
}

// string returns a copy that does not hold the dump's text in memory.
func (in *interner) string(s string) string {
	if known, ok := in.strings[s]; ok {
		return known
	}
	s = strings.Clone(s)
	in.strings[s] = s
	return s
}
