package stack

import (
	"encoding/binary"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// Nmethod is a compiled Java method (code/nmethod.hpp) with what describes its frames:
//
//	pcs     an array of PcDesc: for each place that a call returns to, where its scope is
//	scopes  the scopes: methods, bytecodes and monitors, those of inlined methods too
//	data    Method and Klass pointers that scopes name by number, from 1 on
//	oops    references that scopes name by number, from 1 on
//
// Up to JDK 22 all of them are in the blob. From JDK 23 on pcs and scopes are at _immutable_data. From JDK 25 on data
// is at _mutable_data, after the relocations. JDK 22 to 24 are not tested.
type Nmethod struct {
	Source     *Source
	Method     *Method
	MethodAt   uint64
	Native     bool
	Deopt      [2]uint64 // the two addresses that replace the return address of a deoptimised frame
	OriginalPC uint64    // where in a deoptimised frame its original return address is

	pcs, scopes, Data []byte
	oops              uint64
	// places maps a return address, as an offset into the code, to its scopes.
	places map[uint64][]scope
}

// maxDebugInfo bounds pcs, scopes and data, each in bytes.
const maxDebugInfo = 8 << 20

func (r *Reader) readNmethod(b *Blob) *Nmethod {
	l := &r.Nmethod
	n := &Nmethod{MethodAt: r.U64(b.at + l.Method), Native: b.name == "native nmethod"}
	n.Method = r.MethodAt(n.MethodAt)
	n.Source = r.note(b.at+l.CompileID.At, l.CompileID.Size) // no two compilations have the same number
	offset := func(of vm.Number) uint64 { return b.at + uint64(of.Of(r.View, b.at)) }
	n.Deopt = [2]uint64{r.Pointer(b.at, l.DeoptAddress), r.Pointer(b.at, l.DeoptMH)}
	if !l.DeoptAddress.Known {
		n.Deopt = [2]uint64{offset(l.DeoptOffset), offset(l.DeoptMHOff)}
	}
	n.OriginalPC = uint64(l.OriginalPC.Of(r.View, b.at))
	if l.ImmutableData.Known {
		r.readImmutable(n, b.at)
	} else {
		r.ReadInBlob(n, b.at)
	}
	r.ReadData(n, b.at)
	return n
}

func (r *Reader) readImmutable(n *Nmethod, at uint64) {
	l := &r.Nmethod
	base := r.Pointer(at, l.ImmutableData)
	pcs, scopes := uint64(l.PCsOffset.Of(r.View, at)), uint64(l.ScopesOffset.Of(r.View, at))
	n.pcs = r.Bytes(base+pcs, scopes-pcs, maxDebugInfo)
	n.scopes = r.Bytes(base+scopes, uint64(l.ImmutableSize.Of(r.View, at))-scopes, maxDebugInfo)
}

// ReadInBlob reads all parts of an nmethod before JDK 23. The blob has them in the order data, scopes, pcs,
// dependencies.
func (r *Reader) ReadInBlob(n *Nmethod, at uint64) {
	l := &r.Nmethod
	pcs, end := uint64(l.PCsOffset.Of(r.View, at)), uint64(l.DependenciesOffset.Of(r.View, at))
	scopes := uint64(l.ScopesOffset.Of(r.View, at))
	if l.ScopesAddress.Known {
		scopes = r.Pointer(at, l.ScopesAddress) - at
	}
	n.pcs = r.Bytes(at+pcs, end-pcs, maxDebugInfo)
	n.scopes = r.Bytes(at+scopes, pcs-scopes, maxDebugInfo)
	metadata := uint64(l.MetadataOffset.Of(r.View, at))
	n.Data = r.Bytes(at+metadata, scopes-metadata, maxDebugInfo)
	n.oops = at + uint64(l.OopsOffset.Of(r.View, at))
}

// ReadData reads data and finds the oops of an nmethod from JDK 23 on. It does nothing if ReadInBlob has read them.
func (r *Reader) ReadData(n *Nmethod, at uint64) {
	l := &r.Layout.Code
	if n.oops != 0 {
		return
	}
	n.oops = at + uint64(l.DataOffset.Of(r.View, at))
	if !l.MutableData.Known { // JDK 23 and 24: data follows the oops, and MetadataOffset is the size of the oops
		metadata := uint64(r.Nmethod.MetadataOffset.Of(r.View, at))
		size := uint64(l.Size.Of(r.View, at)) - uint64(l.DataOffset.Of(r.View, at)) - metadata
		n.Data = r.Bytes(n.oops+metadata, size, maxDebugInfo)
		return
	}
	relocation := uint64(l.Relocation.Of(r.View, at))
	size := uint64(l.MutableSize.Of(r.View, at)) - relocation
	n.Data = r.Bytes(r.Pointer(at, l.MutableData)+relocation, size, maxDebugInfo)
}

// scopeAt returns where the scope of a return address is in scopes, and where its objects are; ok is false without a
// scope. The PcDescs are sorted by address. The first and the last one have no scope.
func (r *Reader) scopeAt(n *Nmethod, offset uint64, p place) (scope, objects uint32, ok bool) {
	l := &r.Nmethod
	size := l.PCDescSize
	if size < max(l.PCOffset, l.PCScope, l.PCOops)+4 {
		return 0, 0, false
	}
	for b := n.pcs; uint64(len(b)) >= size; b = b[size:] {
		at := int64(int32(binary.LittleEndian.Uint32(b[l.PCOffset:])))
		here := binary.LittleEndian.Uint32(b[l.PCScope:])
		if at == int64(offset) && p == Exactly || p == nearest && here != 0 {
			scope, objects = here, binary.LittleEndian.Uint32(b[l.PCOops:])
			ok = true
		}
		if ok && at >= int64(offset) && (p == Exactly || at > int64(offset)) {
			break
		}
	}
	return scope, objects, ok
}

// datum is the address of the Method or Klass with a number in data, 0 without one.
func (n *Nmethod) datum(i uint32) uint64 {
	at := (uint64(i) - 1) * vm.WordSize
	if i == 0 || at+vm.WordSize > uint64(len(n.Data)) {
		return 0
	}
	return binary.LittleEndian.Uint64(n.Data[at:])
}
