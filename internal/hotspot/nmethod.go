package hotspot

import (
	"encoding/binary"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// nmethod is a compiled Java method (code/nmethod.hpp) with what tells of its frames:
//
//	pcs     an array of PcDesc: for each place that a call returns to, where its scope is
//	scopes  the scopes: methods, bytecodes and monitors, those of inlined methods too
//	data    Method and Klass pointers that scopes name by number, from 1 on
//	oops    references that scopes name by number, from 1 on
//
// Up to 22 all of them are in the blob. From 23 on pcs and scopes are at _immutable_data, and from
// 25 on the data at _mutable_data behind the relocations. 22 to 24 were not tried.
type nmethod struct {
	source     *source
	method     *method
	methodAt   uint64
	native     bool
	deopt      [2]uint64 // the addresses that the return address of a deoptimised frame is replaced by
	originalPC uint64    // where in the frame the return address is kept then

	pcs, scopes, data []byte
	oops              uint64
	// places are scopes by return address, as an offset into the code.
	places map[uint64][]scope
}

// maxDebugInfo bounds each of the parts, in bytes.
const maxDebugInfo = 8 << 20

func (r *codeReader) readNmethod(b *blob) *nmethod {
	l := &r.Nmethod
	n := &nmethod{methodAt: r.U64(b.at + l.Method), native: b.name == "native nmethod"}
	n.method = r.methodAt(n.methodAt)
	n.source = r.note(b.at+l.CompileID.At, l.CompileID.Size) // no two compilations have the same number
	offset := func(of vm.Number) uint64 { return b.at + uint64(of.Of(r.View, b.at)) }
	n.deopt = [2]uint64{r.Pointer(b.at, l.DeoptAddress), r.Pointer(b.at, l.DeoptMH)}
	if !l.DeoptAddress.Known {
		n.deopt = [2]uint64{offset(l.DeoptOffset), offset(l.DeoptMHOff)}
	}
	n.originalPC = uint64(l.OriginalPC.Of(r.View, b.at))
	if l.ImmutableData.Known {
		r.readImmutable(n, b.at)
	} else {
		r.readInBlob(n, b.at)
	}
	r.readData(n, b.at)
	return n
}

func (r *codeReader) readImmutable(n *nmethod, at uint64) {
	l := &r.Nmethod
	base := r.Pointer(at, l.ImmutableData)
	pcs, scopes := uint64(l.PCsOffset.Of(r.View, at)), uint64(l.ScopesOffset.Of(r.View, at))
	n.pcs = r.Bytes(base+pcs, scopes-pcs, maxDebugInfo)
	n.scopes = r.Bytes(base+scopes, uint64(l.ImmutableSize.Of(r.View, at))-scopes, maxDebugInfo)
}

// readInBlob: the parts stand in the order metadata, scopes, pcs, dependencies.
func (r *codeReader) readInBlob(n *nmethod, at uint64) {
	l := &r.Nmethod
	pcs, end := uint64(l.PCsOffset.Of(r.View, at)), uint64(l.DependenciesOffset.Of(r.View, at))
	scopes := uint64(l.ScopesOffset.Of(r.View, at))
	if l.ScopesAddress.Known {
		scopes = r.Pointer(at, l.ScopesAddress) - at
	}
	n.pcs = r.Bytes(at+pcs, end-pcs, maxDebugInfo)
	n.scopes = r.Bytes(at+scopes, pcs-scopes, maxDebugInfo)
	metadata := uint64(l.MetadataOffset.Of(r.View, at))
	n.data = r.Bytes(at+metadata, scopes-metadata, maxDebugInfo)
	n.oops = at + uint64(l.OopsOffset.Of(r.View, at))
}

// readData reads what is elsewhere from 23 on.
func (r *codeReader) readData(n *nmethod, at uint64) {
	l := &r.Layout.Code
	if n.oops != 0 {
		return
	}
	n.oops = at + uint64(l.DataOffset.Of(r.View, at))
	if !l.MutableData.Known { // 23 and 24: behind the oops, whose size the offset is
		metadata := uint64(r.Nmethod.MetadataOffset.Of(r.View, at))
		size := uint64(l.Size.Of(r.View, at)) - uint64(l.DataOffset.Of(r.View, at)) - metadata
		n.data = r.Bytes(n.oops+metadata, size, maxDebugInfo)
		return
	}
	relocation := uint64(l.Relocation.Of(r.View, at))
	size := uint64(l.MutableSize.Of(r.View, at)) - relocation
	n.data = r.Bytes(r.Pointer(at, l.MutableData)+relocation, size, maxDebugInfo)
}

// scopeAt is where the scope of a place is, and its objects; false if it has none. The places are in
// order; the first and the last one have no scope.
func (r *codeReader) scopeAt(n *nmethod, offset uint64, p place) (scope, objects uint32, ok bool) {
	l := &r.Nmethod
	size := l.PCDescSize
	if size < max(l.PCOffset, l.PCScope, l.PCOops)+4 {
		return 0, 0, false
	}
	for b := n.pcs; uint64(len(b)) >= size; b = b[size:] {
		at := int64(int32(binary.LittleEndian.Uint32(b[l.PCOffset:])))
		here := binary.LittleEndian.Uint32(b[l.PCScope:])
		if at == int64(offset) && p == exactly || p == nearest && here != 0 {
			scope, objects = here, binary.LittleEndian.Uint32(b[l.PCOops:])
			ok = true
		}
		if ok && at >= int64(offset) && (p == exactly || at > int64(offset)) {
			break
		}
	}
	return scope, objects, ok
}

// datum is the Method or Klass that scopes name by a number.
func (n *nmethod) datum(i uint32) uint64 {
	at := (uint64(i) - 1) * vm.WordSize
	if i == 0 || at+vm.WordSize > uint64(len(n.data)) {
		return 0
	}
	return binary.LittleEndian.Uint64(n.data[at:])
}
