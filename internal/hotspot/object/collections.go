package object

import (
	"slices"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// Collections reads the elements of the JDK's collections.
type Collections struct {
	*Reader
	// left is how many elements of arrays and lists are still read: many objects may lead to the same ones.
	left int
}

// NewCollections reads at most a bounded number of elements.
func NewCollections(r *Reader) Collections { return Collections{r, maxElements} }

// References are the elements of an array of references, at most limit of them; nil if there is no array.
func (c *Collections) References(array uint64, limit int) []uint64 {
	class := c.ClassOf(array)
	if class == nil || len(class.Name) < 2 || class.Name[0] != '[' || class.Name[1] != 'L' && class.Name[1] != '[' {
		return nil
	}
	helper := c.U32(c.klassOf(array) + c.Encoding.LayoutHelper)
	at, step := array+uint64(helper>>16&0xff), uint64(vm.WordSize)
	if c.Form.CompressedOops {
		step = vm.WordSize / 2
	}
	all := make([]uint64, min(int(c.Objects.U32(array+c.LengthOffset())), limit, c.left))
	c.left -= len(all)
	for i := range all {
		all[i] = c.Reference(at + uint64(i)*step)
	}
	return all
}

// HashSet are the elements of a java.util.HashSet.
func (c *Collections) HashSet(set uint64, limit int) ([]uint64, bool) {
	const hashMap = "java.util.HashMap"
	inner, ok := c.DeclaredReference(set, "java.util.HashSet", "map")
	size, ok2 := c.DeclaredInt(inner, hashMap, "size")
	if !ok || !ok2 || size < 0 || size > limit {
		return nil, false
	}
	table, _ := c.DeclaredReference(inner, hashMap, "table")
	var elements []uint64
	for _, node := range c.References(table, 4*limit) {
		for ; node != 0 && len(elements) <= size && c.left > 0; c.left-- {
			if key, ok := c.DeclaredReference(node, hashMap+"$Node", "key"); ok {
				elements = append(elements, key)
			}
			node, _ = c.DeclaredReference(node, hashMap+"$Node", "next")
		}
	}
	return elements, len(elements) == size
}

func (c *Collections) Linked(node uint64, class string, limit int) []uint64 {
	var elements []uint64
	for ; node != 0 && len(elements) < limit && c.left > 0; c.left-- {
		item, ok := c.DeclaredReference(node, class, "item")
		if !ok {
			break
		}
		elements = append(elements, item)
		node, _ = c.DeclaredReference(node, class, "next")
	}
	return elements
}

func Present(elements []uint64) []uint64 {
	return slices.DeleteFunc(elements, func(at uint64) bool { return at == 0 })
}

// maxElements bounds the elements of arrays and lists of one reading.
const maxElements = 1 << 22
