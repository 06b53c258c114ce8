package vthread

import (
	"slices"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

const (
	// mostElements bounds the table of a map.
	mostElements = 1 << 26
	// mostTables bounds how often the table of a map that grows leads to the next one.
	mostTables = 4
	// longestBin bounds the nodes of one bin.
	longestBin = 1 << 16
	// arrayPiece is how many bytes of an array are read at a time.
	arrayPiece = 8 << 20
)

// setKeys are the elements of a set made by ConcurrentHashMap.newKeySet().
func (r *listReader) setKeys(set uint64) []uint64 {
	m := r.field(set, "map")
	if m == 0 {
		r.lost = true
		return nil
	}
	return r.tableKeys(r.field(m, "table"), 0) // null: nothing was ever added
}

// tableKeys are the keys of a table of a ConcurrentHashMap. Nodes are read level by level: the first ones of all bins
// at once. A bin that is being moved leads to the next table, a tree to its first node.
func (r *listReader) tableKeys(table uint64, depth int) []uint64 {
	if table == 0 || depth > mostTables {
		return nil
	}
	var keys, next []uint64
	level := r.elements(table)
	for range longestBin {
		if len(level) == 0 || r.over() {
			break
		}
		slices.Sort(level) // neighbours are read at once
		var following []uint64
		for some := range slices.Chunk(level, largeBatch) {
			found, links, tables := r.nodes(some)
			keys, following, next = append(keys, found...), append(following, links...), append(next, tables...)
		}
		level = following
	}
	slices.Sort(next)
	for _, t := range slices.Compact(next) {
		if r.over() {
			break
		}
		keys = append(keys, r.tableKeys(t, depth+1)...)
	}
	return keys
}

// nodes reads nodes: their keys, the nodes that follow, and the tables that bins were moved to.
func (r *listReader) nodes(level []uint64) (keys, following, tables []uint64) {
	l := r.layout
	r.reuse()
	nodes := r.objects(level, l.nodeSize)
	for i := range level {
		b, class := nodes.of(i), uint64(0)
		if nodes.ok[i] {
			class = r.jvm.ClassIn(b)
		}
		switch class {
		case 0:
			r.lost = true
		case l.forwarding:
			tables = append(tables, r.reference(b, l.moved))
		case l.treeBin:
			following = appendKnown(following, r.reference(b, l.first))
		case l.node, l.treeNode:
			keys = appendKnown(keys, r.reference(b, l.key))
			following = appendKnown(following, r.reference(b, l.next))
		default:
			r.lost = true
		}
	}
	return keys, following, tables
}

func appendKnown(all []uint64, object uint64) []uint64 {
	if object == 0 {
		return all
	}
	return append(all, object)
}

// elements are the references in an array that are not null.
func (r *listReader) elements(array uint64) []uint64 {
	array = r.jvm.Current(array)
	head := make([]byte, r.jvm.ArrayLength()+4)
	pieces := []vm.Piece{{At: array, Bytes: head}}
	if r.read(pieces); !pieces[0].OK {
		r.lost = true
		return nil
	}
	length, step := uint64(uint32(intIn(head, r.jvm.ArrayLength()))), r.jvm.ReferenceSize()
	if length > mostElements || !r.affords(int(length*step)) {
		r.lost = true
		return nil
	}
	b := make([]byte, length*step)
	first := array + r.jvm.FirstElement(r.jvm.ClassIn(head))
	pieces = pieces[:0]
	for from := 0; from < len(b); from += arrayPiece {
		pieces = append(pieces, vm.Piece{At: first + uint64(from), Bytes: b[from:min(len(b), from+arrayPiece)]})
	}
	r.read(pieces)
	all := make([]uint64, 0, length)
	for at := uint64(0); at < uint64(len(b)); at += step {
		all = appendKnown(all, r.reference(b, at))
	}
	for _, p := range pieces {
		r.lost = r.lost || !p.OK
	}
	return all
}
