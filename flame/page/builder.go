package page

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame"
)

// kindNumbers follow the order of kinds in profile.js.
var kindNumbers = map[flame.Kind]int{
	flame.Application: 0, flame.Framework: 1, flame.JDK: 2, flame.JVM: 3, flame.Native: 4, flame.Kernel: 5,
}

// interner gives each of its values a number, counted from 0.
type interner[K comparable] struct {
	numbers map[K]int32
	values  []K
}

func newInterner[K comparable]() *interner[K] { return &interner[K]{map[K]int32{}, []K{}} }

func (in *interner[K]) number(value K) (number int32, fresh bool) {
	if n, ok := in.numbers[value]; ok {
		return n, false
	}
	n := int32(len(in.values))
	in.numbers[value] = n
	in.values = append(in.values, value)
	return n, true
}

// sampleKey is a stack in a group.
type sampleKey struct{ node, group int32 }

// mostLabels is by how many labels a page filters in addition to thread, pool and state.
const mostLabels = 6

// group is a combination of labels, as numbers.
type group struct {
	thread, pool, state int32
	labels              [mostLabels]int32
}

// edge is a call: a function under a node.
type edge struct{ caller, function int32 }

// builder gathers samples. It holds each name, node and pair of node and group once,
// however many samples there are.
type builder struct {
	functions              *interner[string]
	files                  *interner[string]
	threads, pools, states *interner[string]
	// keys are the other labels, values their values.
	keys         []string
	labels       []*interner[string]
	groups       *interner[group]
	samples      *interner[sampleKey]
	nodes        *interner[edge]
	columns      functions
	lines        nodes
	values, base [][]int64
	isDifference bool
	timeline     *flame.Timeline
	// cells are those of each sample.
	cells [][]cell
}

// cell is what a sample has in a bucket of the timeline, by weight.
type cell struct {
	bucket int32
	values []int64
}

func newBuilder(weights int, keys []string, timeline *flame.Timeline) *builder {
	b := &builder{
		functions: newInterner[string](), files: newInterner[string](),
		threads: newInterner[string](), pools: newInterner[string](), states: newInterner[string](),
		groups: newInterner[group](), samples: newInterner[sampleKey](), nodes: newInterner[edge](),
		columns: functions{File: []int32{}, Kind: []int{}},
		values:  make([][]int64, weights), base: make([][]int64, weights), keys: keys, timeline: timeline,
	}
	for range keys {
		b.labels = append(b.labels, newInterner[string]())
	}
	for w := range weights {
		b.values[w], b.base[w] = []int64{}, []int64{}
	}
	b.node(edge{0, -1}, 0)
	return b
}

// add counts a sample. What is below zero, or marked as pprof marks it, is what the
// profile is compared with.
func (b *builder) add(s *profile.Sample) {
	key := sampleKey{b.stack(s.Location), b.group(s)}
	n, fresh := b.samples.number(key)
	if fresh {
		b.cells = append(b.cells, nil)
	}
	b.timeline.Of(s, func(bucket int, values []int64) {
		b.cells[n] = append(b.cells[n], cell{int32(bucket), slices.Clone(values)})
	})
	for w, value := range s.Value {
		if fresh {
			b.values[w] = append(b.values[w], 0)
			b.base[w] = append(b.base[w], 0)
		}
		if value < 0 {
			b.isDifference = true
			b.base[w][n] -= value
		} else {
			b.values[w][n] += value
		}
	}
}

// stack is the node of a stack, which pprof gives innermost first.
func (b *builder) stack(locations []*profile.Location) int32 {
	at := int32(0)
	for _, location := range slices.Backward(locations) {
		if len(location.Line) == 0 {
			at = b.node(edge{at, b.named(addressName(location), "", flame.Native)}, 0)
		}
		for _, line := range slices.Backward(location.Line) {
			at = b.node(edge{at, b.function(line.Function)}, line.Line)
		}
	}
	return at
}

// addressName stands for the name of code without a name.
func addressName(location *profile.Location) string {
	if location.Mapping != nil && location.Mapping.File != "" {
		return fmt.Sprintf("[%s+%#x]", location.Mapping.File, location.Address-location.Mapping.Start)
	}
	return fmt.Sprintf("[%#x]", location.Address)
}

func (b *builder) node(e edge, line int64) int32 {
	n, fresh := b.nodes.number(e)
	if fresh {
		b.lines.Up = append(b.lines.Up, n-e.caller)
		b.lines.Function = append(b.lines.Function, e.function)
		b.lines.Line = append(b.lines.Line, line)
		b.lines.LastLine = append(b.lines.LastLine, line)
		return n
	}
	if line > 0 {
		first := &b.lines.Line[n]
		*first = min(cmp.Or(*first, line), line)
		b.lines.LastLine[n] = max(b.lines.LastLine[n], line)
	}
	return n
}

func (b *builder) function(f *profile.Function) int32 {
	if f == nil {
		f = &profile.Function{}
	}
	return b.named(f.Name, f.Filename, flame.KindOf(f))
}

func (b *builder) named(name, file string, kind flame.Kind) int32 {
	n, fresh := b.functions.number(cmp.Or(visible(name), "?"))
	if fresh {
		file, _ := b.files.number(visible(file))
		b.columns.File = append(b.columns.File, file)
		b.columns.Kind = append(b.columns.Kind, kindNumbers[kind])
	}
	return n
}

func (b *builder) group(s *profile.Sample) int32 {
	value := func(in *interner[string], key string) int32 {
		n, _ := in.number(visible(flame.LabelValue(s, key)))
		return n
	}
	g := group{
		thread: value(b.threads, flame.LabelThread), pool: value(b.pools, flame.LabelPool),
		state: value(b.states, flame.LabelState),
	}
	for i, key := range b.keys {
		g.labels[i] = value(b.labels[i], key)
	}
	n, _ := b.groups.number(g)
	return n
}

func (b *builder) payload() payload {
	out := payload{
		Functions: b.columns, Files: b.files.values, Nodes: b.lines,
		Threads: b.threads.values, Pools: b.pools.values, States: b.states.values,
		Groups: groups{
			Thread: column(b.groups.values, func(g group) int32 { return g.thread }),
			Pool:   column(b.groups.values, func(g group) int32 { return g.pool }),
			State:  column(b.groups.values, func(g group) int32 { return g.state }),
		},
		Labels: []label{},
		Samples: samples{
			Node:   column(b.samples.values, func(s sampleKey) int32 { return s.node }),
			Group:  column(b.samples.values, func(s sampleKey) int32 { return s.group }),
			Values: b.values, Base: [][]int64{},
		},
	}
	for i, key := range b.keys {
		out.Labels = append(out.Labels, label{
			Name: visible(key), Values: b.labels[i].values,
			Group: column(b.groups.values, func(g group) int32 { return g.labels[i] }),
		})
	}
	out.Functions.Name = b.functions.values
	out.Time = b.times()
	out.sortFunctions()
	if b.isDifference {
		out.Samples.Base = b.base
	}
	return out
}

// times are those of the samples; a difference has none.
func (b *builder) times() times {
	out := times{Count: []int32{}, Bucket: []int32{}, Values: make([][]int64, len(b.values))}
	for w := range out.Values {
		out.Values[w] = []int64{}
	}
	if b.timeline.Buckets() == 0 || b.isDifference {
		return out
	}
	out.Buckets, out.Width = b.timeline.Buckets(), b.timeline.Width().Nanoseconds()
	for _, cells := range b.cells {
		out.Count = append(out.Count, int32(len(cells)))
		for _, c := range cells {
			out.Bucket = append(out.Bucket, c.bucket)
			for w := range out.Values {
				out.Values[w] = append(out.Values[w], c.values[w])
			}
		}
	}
	return out
}

// column is one field of all rows.
func column[T any](rows []T, field func(T) int32) []int32 {
	values := make([]int32, len(rows))
	for i, row := range rows {
		values[i] = field(row)
	}
	return values
}
