package hotspot

import (
	"slices"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// collectionReader reads the elements of the JDK's collections.
type collectionReader struct {
	*objectReader
	// left is how many elements of arrays and lists are still read: many objects may lead to the same ones.
	left int
}

// references are the elements of an array of references, at most limit of them; nil if there is no array.
func (c *collectionReader) references(array uint64, limit int) []uint64 {
	class := c.classOf(array)
	if class == nil || len(class.name) < 2 || class.name[0] != '[' || class.name[1] != 'L' && class.name[1] != '[' {
		return nil
	}
	helper := c.U32(c.klassOf(array) + c.Encoding.LayoutHelper)
	at, step := array+uint64(helper>>16&0xff), uint64(vm.WordSize)
	if c.heap.compressedOops {
		step = vm.WordSize / 2
	}
	all := make([]uint64, min(int(c.Objects.U32(array+c.lengthOffset())), limit, c.left))
	c.left -= len(all)
	for i := range all {
		all[i] = c.reference(at + uint64(i)*step)
	}
	return all
}

// hashSet are the elements of a java.util.HashSet.
func (c *collectionReader) hashSet(set uint64, limit int) ([]uint64, bool) {
	const hashMap = "java.util.HashMap"
	inner, ok := c.declaredReference(set, "java.util.HashSet", "map")
	size, ok2 := c.declaredInt(inner, hashMap, "size")
	if !ok || !ok2 || size < 0 || size > limit {
		return nil, false
	}
	table, _ := c.declaredReference(inner, hashMap, "table")
	var elements []uint64
	for _, node := range c.references(table, 4*limit) {
		for ; node != 0 && len(elements) <= size && c.left > 0; c.left-- {
			if key, ok := c.declaredReference(node, hashMap+"$Node", "key"); ok {
				elements = append(elements, key)
			}
			node, _ = c.declaredReference(node, hashMap+"$Node", "next")
		}
	}
	return elements, len(elements) == size
}

func (c *collectionReader) linked(node uint64, class string, limit int) []uint64 {
	var elements []uint64
	for ; node != 0 && len(elements) < limit && c.left > 0; c.left-- {
		item, ok := c.declaredReference(node, class, "item")
		if !ok {
			break
		}
		elements = append(elements, item)
		node, _ = c.declaredReference(node, class, "next")
	}
	return elements
}

func present(elements []uint64) []uint64 {
	return slices.DeleteFunc(elements, func(at uint64) bool { return at == 0 })
}

// maxElements bounds the elements of arrays and lists of one reading.
const maxElements = 1 << 22
