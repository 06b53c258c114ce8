package hotspot

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// readCalls tells which methods of a class were called: the interpreter has counted calls, in the method's counters or
// in its profile, or there is compiled code. The static initialiser does not count, the state of the class tells of it.
func (c *classReader) readCalls(found *Class) {
	keep := c.options.Methods && (c.options.Wanted == nil || c.options.Wanted(found.Name))
	for _, at := range c.pointers(c.u64(found.key.klass + c.l.methods)) {
		m, ok := c.readUncalled(at, found.key.klass)
		switch {
		case !ok:
		case c.wasCalled(at):
			found.Called, c.calls = true, true
			if !keep {
				return
			}
		case keep && !c.isBridge(at):
			m.Name, m.Descriptor = c.signature(at)
			c.names += len(m.Name) + len(m.Descriptor)
			found.Uncalled = append(found.Uncalled, m)
		}
	}
	slices.SortFunc(found.Uncalled, func(a, b Method) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Descriptor, b.Descriptor))
	})
}

const (
	accessAbstract = 0x400
	accessBridge   = 0x40
)

// readUncalled reads a method that has code; false if it has none, is the static initialiser, or none of the class.
func (c *classReader) readUncalled(at, klass uint64) (Method, bool) {
	if at < lowestAddress || at&7 != 0 || c.u16(at+c.method.accessFlags)&accessAbstract != 0 {
		return Method{}, false
	}
	constMethod := c.u64(at + c.method.constMethod)
	pool := c.u64(constMethod + c.method.constants)
	if c.u64(pool+c.class.poolHolder) != klass {
		return Method{}, false
	}
	if c.poolSymbol(pool, c.u16(constMethod+c.method.nameIndex)) == "<clinit>" {
		return Method{}, false
	}
	return Method{at: at, Unsure: c.l.intrinsic.of(c.view, at) != 0 || c.u64(at+c.l.profile) != 0}, true
}

func (c *classReader) isBridge(at uint64) bool {
	return c.u16(at+c.method.accessFlags)&accessBridge != 0
}

func (c *classReader) signature(at uint64) (name, descriptor string) {
	constMethod := c.u64(at + c.method.constMethod)
	pool := c.u64(constMethod + c.method.constants)
	return c.poolSymbol(pool, c.u16(constMethod+c.method.nameIndex)),
		c.poolSymbol(pool, c.u16(constMethod+c.l.signatureIndex))
}

func (c *classReader) wasCalled(at uint64) bool {
	if c.u64(at+c.l.code) != 0 {
		return true
	}
	if counters := c.u64(at + c.l.counters); counters != 0 && c.counted(counters+c.l.invocations) {
		return true
	}
	profile := c.u64(at + c.l.profile)
	return profile != 0 && c.l.profileInvocations.known && c.counted(profile+c.l.profileInvocations.at)
}

// counted tells whether an InvocationCounter has counted. The bit below the count tells that it was full.
func (c *classReader) counted(at uint64) bool {
	return c.u32(at)>>(c.l.countShift-min(c.l.countShift, 1)) != 0
}

// markUnsure marks methods that compiled code of other methods names: they may be part of it.
func (c *classReader) markUnsure(classes []Class) {
	named := c.namedByCode()
	for i := range classes {
		for m := range classes[i].Uncalled {
			uncalled := &classes[i].Uncalled[m]
			uncalled.Unsure = uncalled.Unsure || named[uncalled.at]
		}
	}
}

// namedByCode are the addresses in the debug information of all compiled methods: those of methods that are inlined,
// and others.
func (c *classReader) namedByCode() map[uint64]bool {
	named := map[uint64]bool{}
	for i := range c.code.heaps {
		c.eachBlock(&c.code.heaps[i], func(at uint64) {
			for _, word := range c.metadata(at) {
				named[word] = true
			}
		})
	}
	return named
}

// eachBlock calls see with each block of a heap of code that is used (memory/heap.hpp, HeapBlock): its header tells
// how many segments it has.
func (c *classReader) eachBlock(h *codeHeap, see func(blob uint64)) {
	const maxBlocks = 1 << 20 // more than compiled methods that fit in the largest code cache
	at := h.low
	for n := 0; at < h.high && n < maxBlocks && c.ctx.Err() == nil; n++ {
		if len(c.pages) > maxKept {
			c.forget()
		}
		length := uint64(c.l.blockLength.of(c.view, at)) << h.shift
		if length == 0 || length > h.high-at {
			return
		}
		if c.l.blockIsUsed.of(c.view, at) != 0 {
			see(at + c.layout.code.blockSize)
		}
		at += length
	}
}

// metadata are the words that the code at an address names by number; none if it is no compiled method.
func (c *classReader) metadata(at uint64) []uint64 {
	name, err := c.cstring(c.u64(at+c.layout.code.name), maxCodeName)
	if err != nil || name != "nmethod" {
		return nil
	}
	n := &nmethod{}
	if !c.nmethod.immutableData.known {
		c.readInBlob(n, at)
	}
	c.readData(n, at)
	return words(n.data)
}

func words(b []byte) []uint64 {
	all := make([]uint64, 0, len(b)/wordSize)
	for ; len(b) >= wordSize; b = b[wordSize:] {
		all = append(all, binary.LittleEndian.Uint64(b))
	}
	return all
}
