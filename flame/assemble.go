package flame

import (
	"fmt"
	"strings"

	"github.com/google/pprof/profile"
)

// frame is one line of one function, as the profile identifies it.
type frame struct {
	name, system, file string
	line               int64
}

// line is one of a function.
type line struct {
	function *profile.Function
	number   int64
}

// labels are those of a sample; empty ones are absent.
type labels struct {
	thread, state, pool string
	base                bool
	// context is what events around the sample tell of it, nil for nothing.
	context *eventContext
}

// stackID identifies a stack of an assembler; noStack is the empty one.
type stackID int32

const noStack stackID = 0

// node is a stack: a frame under its caller's stack.
type node struct {
	caller   stackID
	location *profile.Location
}

type sampleKey struct {
	stack  stackID
	labels int32 // of labelSets
}

// labelSet is what the samples with the same labels share.
type labelSet struct {
	id int32
	// numbers and units have the same keys.
	text, units map[string][]string
	numbers     map[string][]int64
}

// Beyond so many different stacks, and samples of them, a profile is held together in
// one frame: it takes some 300 MB by then, and shows nothing more.
const (
	mostStacks  = 1 << 20
	mostSamples = 1 << 18
	// mostPaths bounds the frames of the stacks that have samples, mostText the bytes of names.
	mostPaths = 8 << 20
	mostText  = 48 << 20
)

// assembler makes a profile in which each function, line, stack and sample is
// there once, however often it is added.
type assembler struct {
	profile   *profile.Profile
	functions map[frame]*profile.Function // line left out
	locations map[line]*profile.Location
	nodes     []node
	children  map[node]stackID
	samples   map[sampleKey]*profile.Sample
	labelSets map[labels]labelSet
	// paths are the locations of the stacks that have samples: those of all threads share them.
	paths map[stackID][]*profile.Location
	// text is how many bytes the names of functions and files are.
	text int
	// frames are those of all paths.
	frames int
	// beyond is the stack of all for which there is no room, noStack while there is.
	beyond                  stackID
	mostStacks, mostSamples int
}

func newAssembler(types ...*profile.ValueType) *assembler {
	return &assembler{
		profile:   &profile.Profile{SampleType: types, DefaultSampleType: types[0].Type},
		functions: map[frame]*profile.Function{},
		locations: map[line]*profile.Location{},
		nodes:     []node{{}},
		children:  map[node]stackID{},
		samples:   map[sampleKey]*profile.Sample{},
		labelSets: map[labels]labelSet{},
		paths:     map[stackID][]*profile.Location{},

		mostStacks: mostStacks, mostSamples: mostSamples,
	}
}

// under is the stack of a frame called by another stack.
func (a *assembler) under(caller stackID, f frame) stackID {
	return a.underLine(caller, line{a.functionIfRoom(f), f.line})
}

func (a *assembler) underLine(caller stackID, l line) stackID {
	if a.full() && a.locations[l] == nil {
		return a.noRoom()
	}
	return a.underAt(caller, a.locationOf(l))
}

func (a *assembler) underAt(caller stackID, l *profile.Location) stackID {
	n := node{caller, l}
	id, ok := a.children[n]
	switch {
	case ok:
		return id
	case a.full():
		return a.noRoom()
	}
	return a.grow(n)
}

// full reports that no new stack has room. Nothing is ever under the one of those.
func (a *assembler) full() bool {
	return len(a.nodes) > a.mostStacks || a.frames > mostPaths || a.text > mostText
}

func (a *assembler) grow(n node) stackID {
	id := stackID(len(a.nodes))
	a.nodes = append(a.nodes, n)
	a.children[n] = id
	return id
}

// noRoom is the stack of what is beyond the bounds.
func (a *assembler) noRoom() stackID {
	if a.beyond == noStack {
		a.beyond = a.grow(node{noStack, a.location(special(FrameBeyond))})
	}
	return a.beyond
}

// comments say what was not distinguished.
func (a *assembler) comments() []string {
	if a.beyond == noStack {
		return nil
	}
	return []string{
		fmt.Sprintf(
			"Only %d different call paths and %d different stacks are kept apart: the rest is in one frame, %s.",
			a.mostStacks, a.mostSamples, FrameBeyond),
	}
}

func (a *assembler) location(f frame) *profile.Location {
	return a.locationOf(line{a.function(f), f.line})
}

func (a *assembler) locationOf(l line) *profile.Location {
	if known := a.locations[l]; known != nil {
		return known
	}
	location := &profile.Location{
		ID:   uint64(len(a.profile.Location) + 1),
		Line: []profile.Line{{Function: l.function, Line: l.number}},
	}
	a.profile.Location = append(a.profile.Location, location)
	a.locations[l] = location
	return location
}

// functionIfRoom is nil for a new function where there is no room for new stacks.
func (a *assembler) functionIfRoom(f frame) *profile.Function {
	f.line = 0
	if a.full() && a.functions[f] == nil {
		return nil
	}
	return a.function(f)
}

func (a *assembler) function(f frame) *profile.Function {
	f.line = 0
	if known := a.functions[f]; known != nil {
		return known
	}
	fn := &profile.Function{
		ID: uint64(len(a.profile.Function) + 1), Name: text(f.name), SystemName: text(f.system), Filename: text(f.file),
	}
	if fn.Name == "" {
		fn.Name = "?"
	}
	if fn.SystemName == "" {
		fn.SystemName = fn.Name
	}
	a.profile.Function = append(a.profile.Function, fn)
	a.functions[f] = fn
	a.text += len(f.name) + len(f.file)
	return fn
}

// text makes valid UTF-8 of a name: protobuf's strings must be.
func text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// add adds values to the sample of a stack, which it returns.
func (a *assembler) add(stack stackID, l labels, values ...int64) *profile.Sample {
	set, ok := a.labelSets[l]
	if !ok {
		set = l.write()
		set.id = int32(len(a.labelSets))
		a.labelSets[l] = set
	}
	key := sampleKey{stack, set.id}
	s := a.samples[key]
	if s == nil && (len(a.samples) >= a.mostSamples || a.frames > mostPaths) && stack != a.beyond {
		return a.add(a.noRoom(), labels{base: l.base}, values...)
	}
	if s == nil {
		s = &profile.Sample{
			Location: a.path(stack), Value: make([]int64, len(a.profile.SampleType)),
			Label: set.text, NumLabel: set.numbers, NumUnit: set.units,
		}
		a.samples[key] = s
		a.profile.Sample = append(a.profile.Sample, s)
	}
	for i, v := range values {
		s.Value[i] = plus(s.Value[i], v)
	}
	return s
}

// path is a stack's locations, innermost first.
func (a *assembler) path(id stackID) []*profile.Location {
	if known, ok := a.paths[id]; ok {
		return known
	}
	depth := 0
	for at := id; at != noStack; at = a.nodes[at].caller {
		depth++
	}
	path := make([]*profile.Location, 0, depth)
	for at := id; at != noStack; at = a.nodes[at].caller {
		path = append(path, a.nodes[at].location)
	}
	a.paths[id] = path
	a.frames += depth
	return path
}

func (l labels) write() labelSet {
	m := map[string][]string{}
	set := labelSet{text: m}
	for key, value := range map[string]string{LabelThread: l.thread, LabelState: l.state, LabelPool: l.pool} {
		if value != "" {
			m[key] = []string{text(value)}
		}
	}
	if l.base {
		m[LabelBase] = []string{"true"}
	}
	if l.context != nil {
		set.add(l.context.labels)
	}
	return set
}

// add adds labels that events gave.
func (s *labelSet) add(labels []contextLabel) {
	for _, c := range labels {
		if c.unit == "" {
			s.text[c.key] = []string{text(c.text)}
			continue
		}
		if s.numbers == nil {
			s.numbers, s.units = map[string][]int64{}, map[string][]string{}
		}
		s.numbers[c.key], s.units[c.key] = []int64{c.number}, []string{c.unit}
	}
}

func special(name string) frame { return frame{name: name, system: name} }
