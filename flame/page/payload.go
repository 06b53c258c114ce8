package page

import (
	"cmp"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame"
)

// payload is what the page's script reads. Columns stand for rows: they are smaller,
// and go into typed arrays as they are. Numbers refer to places in other columns.
type payload struct {
	Title     string    `json:"title"`
	Notes     []string  `json:"notes"`
	Weights   []weight  `json:"weights"`
	Weight    int       `json:"weight"` // shown first
	Functions functions `json:"functions"`
	Files     []string  `json:"files"`
	Nodes     nodes     `json:"nodes"`
	// Threads, Pools and States are the values of the labels; "" stands for none.
	Threads []string `json:"threads"`
	Pools   []string `json:"pools"`
	States  []string `json:"states"`
	Groups  groups   `json:"groups"`
	// Labels are the other labels.
	Labels  []label `json:"labels"`
	Samples samples `json:"samples"`
	Time    times   `json:"time"`
}

type weight struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

// functions are the methods in the order of their names; kind counts as the script's kinds do.
type functions struct {
	Name []string `json:"name"`
	File []int32  `json:"file"`
	Kind []int    `json:"kind"`
}

// nodes are the merged stacks as a tree, a caller before its callees. Node 0 is the
// whole. Up is how many nodes before this one its caller is.
type nodes struct {
	Up       []int32 `json:"up"`
	Function []int32 `json:"function"`
	// Line and LastLine are the first and last line that was seen there, 0 if unknown.
	Line     []int64 `json:"line"`
	LastLine []int64 `json:"lastLine"`
}

// groups are the distinct combinations of labels.
type groups struct {
	Thread []int32 `json:"thread"`
	Pool   []int32 `json:"pool"`
	State  []int32 `json:"state"`
}

// label is one with its values, of which "" stands for none, and the number of its value in each group.
type label struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	Group  []int32  `json:"group"`
}

// samples are the distinct pairs of node and group. Values and Base have a column
// for each weight; Base has none if the profile is no difference.
type samples struct {
	Node   []int32   `json:"node"`
	Group  []int32   `json:"group"`
	Values [][]int64 `json:"values"`
	Base   [][]int64 `json:"base"`
}

// times tell when the values of samples arose: the capture in Buckets of Width nanoseconds, 0 if it is not known. Of
// the cells, the first Count[0] are those of the first sample, and so on; each is in a bucket, and has a value for each
// weight.
type times struct {
	Buckets int       `json:"buckets"`
	Width   int64     `json:"width"`
	Count   []int32   `json:"count"`
	Bucket  []int32   `json:"bucket"`
	Values  [][]int64 `json:"values"`
}

func newPayload(p *profile.Profile, opts Options) payload {
	keys := slices.DeleteFunc(flame.LabelKeys(p), func(key string) bool {
		return slices.Contains([]string{flame.LabelThread, flame.LabelPool, flame.LabelState}, key)
	})
	b := newBuilder(len(p.SampleType), keys[:min(mostLabels, len(keys))], opts.Timeline)
	for _, s := range p.Sample {
		b.add(s)
	}
	out := b.payload()
	out.Title, out.Notes = heading(p.Comments, opts.Title)
	out.Weights = []weight{}
	for _, t := range p.SampleType {
		out.Weights = append(out.Weights, weight{visible(t.Type), visible(t.Unit)})
	}
	out.Weight = firstWeight(p, opts.Weight)
	return out
}

// heading takes the title from the first comment and leaves the others.
func heading(comments []string, title string) (string, []string) {
	notes := make([]string, 0, len(comments))
	for _, c := range comments {
		notes = append(notes, visible(c))
	}
	if title != "" {
		return visible(title), notes
	}
	if len(notes) > 0 {
		return notes[0], notes[1:]
	}
	return "Flame graph", notes
}

// firstWeight is the wanted sample type, or the profile's default, or as pprof has it
// the last.
func firstWeight(p *profile.Profile, wanted string) int {
	for _, name := range []string{wanted, p.DefaultSampleType} {
		if i := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool {
			return name != "" && t.Type == name
		}); i >= 0 {
			return i
		}
	}
	return max(0, len(p.SampleType)-1)
}

// sortFunctions numbers the functions in the order of their names.
func (p *payload) sortFunctions() {
	old := p.Functions
	order := make([]int32, len(old.Name))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(old.Name[a], old.Name[b]) })
	number := make([]int32, len(order))
	p.Functions = functions{make([]string, len(order)), make([]int32, len(order)), make([]int, len(order))}
	for n, was := range order {
		number[was] = int32(n)
		p.Functions.Name[n], p.Functions.File[n], p.Functions.Kind[n] = old.Name[was], old.File[was], old.Kind[was]
	}
	for i, was := range p.Nodes.Function {
		if was >= 0 {
			p.Nodes.Function[i] = number[was]
		}
	}
}
