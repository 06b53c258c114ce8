package classes

import (
	"encoding/binary"

	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// compiledCode is what all compiled methods are made of. A method that is part of another one's code runs there
// without being called, and leaves a trace only where that code may stop: in its debug information. A small method
// leaves none. It counts as a possible part if it is referred to by the class of a method with compiled code.
type compiledCode struct {
	// methods have compiled code, or had: also code that is no longer entered.
	methods map[uint64]bool
	// named are the words that code names by number: methods that it contains, and others.
	named map[uint64]bool
	// referred are the methods that constant pools of such methods refer to, with the class and with 0 in its place: a
	// reference may name a subclass or a superclass.
	referred map[reference]bool
	pools    map[uint64]bool
}

// reference is the name of a class, and the name and the descriptor of a method, by the addresses of their symbols. The
// JVM has each symbol once.
type reference struct{ class, name, descriptor uint64 }

const (
	// maxInlined is the size in bytecodes up to which a compiler takes a method into its caller whatever was counted
	// (MaxInlineSize, C1MaxInlineSize).
	maxInlined = 35
	// maxReferred bounds the references of all pools. With more, each small method is unsure.
	maxReferred = 1 << 21
	// maxBlocks bounds the pieces of code of a heap: more than fit in the largest code cache.
	maxBlocks = 1 << 20
	// maxWords bounds the words that code names.
	maxWords = 1 << 22
)

// readCompiled reads all heaps of code; of what the code names only if methods are asked for.
func (c *reader) readCompiled() {
	c.compiled = compiledCode{
		methods: map[uint64]bool{}, named: map[uint64]bool{}, referred: map[reference]bool{}, pools: map[uint64]bool{},
	}
	for i := range c.Code.Heaps {
		c.eachBlock(&c.Code.Heaps[i], c.readCompiledMethod)
	}
	if !c.options.Methods {
		return
	}
	for at := range c.compiled.methods {
		c.refer(c.poolOf(at))
	}
	for at := range c.compiled.named {
		c.refer(c.poolOf(at))
	}
}

// eachBlock calls see with each block of a heap of code that is used (memory/heap.hpp, HeapBlock): its header has
// how many segments it has.
func (c *reader) eachBlock(h *stack.CodeHeap, see func(blob uint64)) {
	at := h.Low
	for n := 0; at < h.High && n < maxBlocks && c.mayGoOn(); n++ {
		length := uint64(c.l.BlockLength.Of(c.View, at)) << h.Shift
		if length == 0 || length > h.High-at {
			return
		}
		if c.l.BlockIsUsed.Of(c.View, at) != 0 {
			see(at + c.Layout.Code.BlockSize)
		}
		at += length
	}
}

func (c *reader) readCompiledMethod(at uint64) {
	name, err := c.CString(c.U64(at+c.Layout.Code.Name), stack.MaxCodeName)
	if err != nil || name != "nmethod" {
		return
	}
	c.compiled.methods[c.U64(at+c.Nmethod.Method)] = true
	if !c.options.Methods || len(c.compiled.named) > maxWords {
		return
	}
	n := &stack.Nmethod{}
	if !c.Nmethod.ImmutableData.Known {
		c.ReadInBlob(n, at)
	}
	c.ReadData(n, at)
	for _, word := range words(n.Data) {
		c.compiled.named[word] = true
	}
}

// poolOf is the constant pool of a method, 0 if there is no method at the address.
func (c *reader) poolOf(at uint64) uint64 {
	if at < vm.LowestAddress || at&7 != 0 {
		return 0
	}
	failed := c.Failed
	pool := c.U64(c.U64(at+c.Method.ConstMethod) + c.Method.Constants)
	holder := c.U64(pool + c.Class.PoolHolder)
	if c.Failed != failed || c.U64(holder+c.Class.Constants) != pool {
		return 0
	}
	return pool
}

// refer notes the methods that a constant pool refers to; false if that was done.
func (c *reader) refer(pool uint64) bool {
	const methodReference, interfaceMethodReference = 10, 11 // classfile/constantTag.hpp
	if pool == 0 || c.compiled.pools[pool] || !c.mayGoOn() {
		return false
	}
	c.compiled.pools[pool] = true
	tags := c.U64(pool + c.l.PoolTags)
	for i, tag := range c.Bytes(tags+arrayOfBytes, uint64(c.U32(tags)), 1<<16) {
		if tag != methodReference && tag != interfaceMethodReference || len(c.compiled.referred) >= maxReferred {
			continue
		}
		class, nameAndType := c.poolIndices(pool, uint16(i))
		name, descriptor := c.poolIndices(pool, nameAndType)
		r := reference{c.poolClass(pool, class), c.poolPointer(pool, name), c.poolPointer(pool, descriptor)}
		c.compiled.referred[r] = true
		r.class = 0
		c.compiled.referred[r] = true
	}
	return true
}

// poolIndices are the two halves of an entry of a constant pool.
func (c *reader) poolIndices(pool uint64, index uint16) (low, high uint16) {
	entry := c.U32(pool + c.Class.PoolSize + uint64(index)*vm.WordSize)
	return uint16(entry), uint16(entry >> 16)
}

// poolClass is the name of a class that a pool refers to. 9 and newer have the index of the name in the upper half
// (CPKlassSlot); 8 has the class, or its name with the lowest bit set (CPSlot).
func (c *reader) poolClass(pool uint64, index uint16) uint64 {
	if c.Major > 8 {
		_, name := c.poolIndices(pool, index)
		return c.poolPointer(pool, name)
	}
	entry := c.U64(pool + c.Class.PoolSize + uint64(index)*vm.WordSize)
	if entry&1 != 0 {
		return entry &^ 1
	}
	return c.U64(entry + c.Class.Name)
}

// arrayOfBytes is where an Array<u1> begins, behind its length.
const arrayOfBytes = 4

// markUnsure marks methods that may be part of compiled code. What such a method refers to may be part of it too.
func (c *reader) markUnsure(classes []Class) {
	for more := true; more && c.mayGoOn(); {
		more = false
		for i := range classes {
			for m := range classes[i].Uncalled {
				uncalled := &classes[i].Uncalled[m]
				if classes[i].State == Loaded || uncalled.Unsure || !c.mayBeInlined(uncalled) {
					continue
				}
				uncalled.Unsure = true
				more = c.refer(uncalled.pool) || more
			}
		}
	}
}

func (c *reader) mayBeInlined(m *Method) bool {
	referred := c.compiled.referred[m.reference] || len(c.compiled.referred) >= maxReferred
	return c.compiled.named[m.at] || referred && m.size <= maxInlined
}

func words(b []byte) []uint64 {
	all := make([]uint64, 0, len(b)/vm.WordSize)
	for ; len(b) >= vm.WordSize; b = b[vm.WordSize:] {
		all = append(all, binary.LittleEndian.Uint64(b))
	}
	return all
}
