package flame

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"github.com/google/pprof/profile"
)

// treeNode is a frame under its callers.
type treeNode struct {
	function  *profile.Function // nil for the root
	now, base int64             // with all below it
	children  map[string]*treeNode
}

// treeOf merges the stacks of a profile from the outermost frame on.
func treeOf(p *profile.Profile, index int) *treeNode {
	root := &treeNode{}
	for _, s := range p.Sample {
		v := s.Value[index]
		if v == 0 {
			continue
		}
		n := root
		n.add(v, isBase(s))
		for _, f := range functions(s) {
			n = n.child(f)
			n.add(v, isBase(s))
		}
	}
	return root
}

func (n *treeNode) add(v int64, base bool) {
	if base {
		n.base -= v
	} else {
		n.now += v
	}
}

func (n *treeNode) child(f *profile.Function) *treeNode {
	if c := n.children[f.Name]; c != nil {
		return c
	}
	if n.children == nil {
		n.children = map[string]*treeNode{}
	}
	c := &treeNode{function: f}
	n.children[f.Name] = c
	return c
}

// heaviestFirst are the children, those of equal weight by name.
func (n *treeNode) heaviestFirst() []*treeNode {
	all := make([]*treeNode, 0, len(n.children))
	for _, c := range n.children {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *treeNode) int {
		return cmp.Or(cmp.Compare(b.now, a.now), cmp.Compare(a.function.Name, b.function.Name))
	})
	return all
}

// Tree writes the JSON of d3-flame-graph: {"name", "value", "children"}, the value of a
// frame with all below it; in a difference also "delta", its growth over the base.
func Tree(w io.Writer, p *profile.Profile, index int) error {
	out := bufio.NewWriter(w)
	t := treeWriter{out: out, diff: IsDiff(p)}
	t.write(treeOf(p, index))
	t.put("\n")
	return out.Flush()
}

// treeWriter writes node by node: encoding/json would keep the whole text.
type treeWriter struct {
	out  *bufio.Writer
	diff bool
}

// put writes text. A failure stays with the buffer and is the error of Flush.
func (t treeWriter) put(text string) { _, _ = t.out.WriteString(text) }

func (t treeWriter) write(n *treeNode) {
	name := "all"
	if n.function != nil {
		name = n.function.Name
	}
	quoted, _ := json.Marshal(name) // a string always can be
	t.put(`{"name":`)
	t.put(string(quoted))
	t.put(`,"value":` + strconv.FormatInt(n.now, 10))
	if t.diff {
		t.put(`,"delta":` + strconv.FormatInt(n.now-n.base, 10))
	}
	t.put(`,"children":[`)
	for i, c := range n.heaviestFirst() {
		if i > 0 {
			t.put(",")
		}
		t.write(c)
	}
	t.put("]}")
}
