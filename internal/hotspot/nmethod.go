package hotspot

import "encoding/binary"

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
	l := &r.nmethod
	n := &nmethod{methodAt: r.u64(b.at + l.method), native: b.name == "native nmethod"}
	n.method = r.methodAt(n.methodAt)
	n.source = r.note(b.at+l.compileID.at, l.compileID.size) // no two compilations have the same number
	offset := func(of number) uint64 { return b.at + uint64(of.of(r.view, b.at)) }
	n.deopt = [2]uint64{r.pointer(b.at, l.deoptAddress), r.pointer(b.at, l.deoptMH)}
	if !l.deoptAddress.known {
		n.deopt = [2]uint64{offset(l.deoptOffset), offset(l.deoptMHOff)}
	}
	n.originalPC = uint64(l.originalPC.of(r.view, b.at))
	if l.immutableData.known {
		r.readImmutable(n, b.at)
	} else {
		r.readInBlob(n, b.at)
	}
	r.readData(n, b.at)
	return n
}

func (r *codeReader) readImmutable(n *nmethod, at uint64) {
	l := &r.nmethod
	base := r.pointer(at, l.immutableData)
	pcs, scopes := uint64(l.pcsOffset.of(r.view, at)), uint64(l.scopesOffset.of(r.view, at))
	n.pcs = r.bytes(base+pcs, scopes-pcs, maxDebugInfo)
	n.scopes = r.bytes(base+scopes, uint64(l.immutableSize.of(r.view, at))-scopes, maxDebugInfo)
}

// readInBlob: the parts stand in the order metadata, scopes, pcs, dependencies.
func (r *codeReader) readInBlob(n *nmethod, at uint64) {
	l := &r.nmethod
	pcs, end := uint64(l.pcsOffset.of(r.view, at)), uint64(l.dependenciesOffset.of(r.view, at))
	scopes := uint64(l.scopesOffset.of(r.view, at))
	if l.scopesAddress.known {
		scopes = r.pointer(at, l.scopesAddress) - at
	}
	n.pcs = r.bytes(at+pcs, end-pcs, maxDebugInfo)
	n.scopes = r.bytes(at+scopes, pcs-scopes, maxDebugInfo)
	metadata := uint64(l.metadataOffset.of(r.view, at))
	n.data = r.bytes(at+metadata, scopes-metadata, maxDebugInfo)
	n.oops = at + uint64(l.oopsOffset.of(r.view, at))
}

// readData reads what is elsewhere from 23 on.
func (r *codeReader) readData(n *nmethod, at uint64) {
	l := &r.layout.code
	if n.oops != 0 {
		return
	}
	n.oops = at + uint64(l.dataOffset.of(r.view, at))
	if !l.mutableData.known { // 23 and 24: behind the oops, whose size the offset is
		metadata := uint64(r.nmethod.metadataOffset.of(r.view, at))
		size := uint64(l.size.of(r.view, at)) - uint64(l.dataOffset.of(r.view, at)) - metadata
		n.data = r.bytes(n.oops+metadata, size, maxDebugInfo)
		return
	}
	relocation := uint64(l.relocation.of(r.view, at))
	size := uint64(l.mutableSize.of(r.view, at)) - relocation
	n.data = r.bytes(r.pointer(at, l.mutableData)+relocation, size, maxDebugInfo)
}

// scopeAt is where the scope of a place is, and its objects; false if it has none. The places are in
// order; the first and the last one have no scope.
func (r *codeReader) scopeAt(n *nmethod, offset uint64, p place) (scope, objects uint32, ok bool) {
	l := &r.nmethod
	size := l.pcDescSize
	if size < max(l.pcOffset, l.pcScope, l.pcOops)+4 {
		return 0, 0, false
	}
	for b := n.pcs; uint64(len(b)) >= size; b = b[size:] {
		at := int64(int32(binary.LittleEndian.Uint32(b[l.pcOffset:])))
		here := binary.LittleEndian.Uint32(b[l.pcScope:])
		if at == int64(offset) && p == exactly || p == nearest && here != 0 {
			scope, objects = here, binary.LittleEndian.Uint32(b[l.pcOops:])
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
	at := (uint64(i) - 1) * wordSize
	if i == 0 || at+wordSize > uint64(len(n.data)) {
		return 0
	}
	return binary.LittleEndian.Uint64(n.data[at:])
}
