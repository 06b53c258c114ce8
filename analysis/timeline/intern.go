package timeline

import (
	"hash/maphash"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// interner keeps one copy of every stack, thread and string of a series. Dumps of one JVM are almost equal, and 125
// dumps of 5,000 threads must cost only what differs between them.
type interner struct {
	seed   maphash.Seed
	stacks map[uint64][]*stack.Stack
	recent map[stackArray]*stack.Stack // by the parser's arrays, for the current dump
	// lastArray, lastStack and lastString cache the previous request: neighbours are mostly alike.
	lastArray  stackArray
	lastStack  *stack.Stack
	lastString string
	// threads are those of the current dump so far, before those of the dump before: most of them are the same in the
	// same order. known has all threads as last seen; it is nil until a dump has them in another order.
	threads, before []*Thread
	known           map[Key]*Thread
	slab            []Thread
	strings         map[string]string
}

// stackArray identifies a stack that the parser shares within one dump.
type stackArray struct {
	first *(*threaddump.Frame)
	len   int
}

// NewInterner returns an empty interner.
func NewInterner() *interner {
	return &interner{
		seed:    maphash.MakeSeed(),
		stacks:  map[uint64][]*stack.Stack{},
		recent:  map[stackArray]*stack.Stack{},
		strings: map[string]string{},
	}
}

// nextDump forgets the arrays of the dump before: once that is garbage-collected, a new array may have the same
// address. threads is the number of threads to come.
func (in *interner) nextDump(threads int) {
	clear(in.recent)
	in.lastArray = stackArray{}
	in.before, in.threads = in.threads, slices.Grow(in.before[:0], threads)
	if in.slab == nil {
		in.slab = make([]Thread, 0, threads)
	}
}

func (in *interner) stack(frames []*threaddump.Frame) *stack.Stack {
	if len(frames) == 0 {
		return in.byText(nil)
	}
	array := stackArray{&frames[0], len(frames)}
	if array == in.lastArray {
		return in.lastStack
	}
	s := in.recent[array]
	if s == nil {
		s = in.byText(frames)
		in.recent[array] = s
	}
	in.lastArray, in.lastStack = array, s
	return s
}

func (in *interner) byText(frames []*threaddump.Frame) *stack.Stack {
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
	s := stack.NewStack(frames, sum)
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
	known := in.findThread(&t)
	if known == nil {
		known = in.newThread(t)
	}
	in.threads = append(in.threads, known)
	return known
}

// findThread returns the known thread if it is equal to t, else nil.
func (in *interner) findThread(t *Thread) *Thread {
	if in.known == nil {
		i := len(in.threads)
		if i >= len(in.before) {
			return nil
		}
		if known := in.before[i]; *known == *t {
			return known
		}
		in.know(in.before, in.threads)
	}
	if known := in.known[t.Key()]; known != nil && *known == *t {
		return known
	}
	return nil
}

// know makes the threads available in any order.
func (in *interner) know(dumps ...[]*Thread) {
	in.known = make(map[Key]*Thread, len(in.before))
	for _, threads := range dumps {
		for _, t := range threads {
			in.known[t.Key()] = t
		}
	}
}

func (in *interner) newThread(t Thread) *Thread {
	if len(in.slab) == cap(in.slab) {
		in.slab = make([]Thread, 0, 64)
	}
	in.slab = append(in.slab, t)
	known := &in.slab[len(in.slab)-1]
	if in.known != nil {
		in.known[t.Key()] = known
	}
	return known
}

// string returns a copy that does not keep the dump's text in memory.
func (in *interner) string(s string) string {
	if s == in.lastString {
		return in.lastString
	}
	known, ok := in.strings[s]
	if !ok {
		known = strings.Clone(s)
		in.strings[known] = known
	}
	in.lastString = known
	return known
}
