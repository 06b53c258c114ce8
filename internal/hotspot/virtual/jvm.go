package virtual

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/vm"
	"github.com/jstall/jstall/internal/hotspot/vthread"
)

// JVM gives package vthread what it needs of this JVM.
type JVM struct {
	*thread.Reader
	jvm *vm.JVM
	jdk jdkClasses
	// registers may be sampled, nil: none.
	registers stack.Registers
	// platform are the threads that were read.
	platform []*thread.Thread
	// waits are what threads are parked for, by the address of that object; nil once objects may have moved.
	waits map[uint64]*thread.Wait
	// uses are, for each stack in the order in which they were resolved, where its methods and code were read.
	uses [][]*stack.Source
	// keepsSelf are those stacks that have a method whose object is wanted, see selfClasses.
	keepsSelf []bool
	// bulk reads many pieces at once, nil until it is needed; ordered are those of the last reading.
	bulk    vm.BulkReader
	ordered []*vm.Piece
}

func NewJVM(r *thread.Reader, j *vm.JVM, boot *BootClasses) *JVM {
	return &JVM{Reader: r, jvm: j, jdk: jdkClasses{Heap: &r.Heap, loaded: j.Loaded, boot: boot}}
}

// Class implements vthread.Classes.
func (v *JVM) Class(name string) *vthread.Class { return v.jdk.named(name) }

// Major implements vthread.JVM.
func (v *JVM) Major() int { return v.Reader.Major }

// Stopped implements vthread.JVM.
func (v *JVM) Stopped() bool { return v.jvm.Stopped() }

// Err implements vthread.JVM.
func (v *JVM) Err() error { return cmp.Or(v.Ctx.Err(), v.View.Err, v.Objects.Err) }

// Read implements vthread.Memory. Pieces are read in the order of their addresses, which is faster.
func (v *JVM) Read(pieces []vm.Piece) {
	if v.Err() != nil {
		return
	}
	ordered, size := v.ordered[:0], 0
	for i := range pieces {
		p := &pieces[i]
		if n := uint64(len(p.Bytes)); n > 0 && p.At >= vm.LowestAddress && p.At+n > p.At {
			ordered = append(ordered, p)
			size += len(p.Bytes)
		}
	}
	v.ordered = ordered
	if v.jvm.Progress != nil {
		v.jvm.Progress.Add(int64(size))
	}
	slices.SortFunc(ordered, func(a, b *vm.Piece) int { return cmp.Compare(a.At, b.At) })
	if m, ok := v.Source.(vm.BulkMemory); ok {
		if v.bulk == nil {
			v.bulk = m.Bulk()
		}
		v.bulk.ReadPieces(ordered)
		return
	}
	for _, p := range ordered {
		p.OK = v.Source.ReadAt(p.At, p.Bytes) == nil
	}
}

// Readable implements vthread.Memory.
func (v *JVM) Readable(low, high uint64) [][2]uint64 {
	if m, ok := v.Source.(vm.MappedMemory); ok {
		return m.Readable(low, high)
	}
	return nil
}

// Movement implements vthread.Heap.
func (v *JVM) Movement() vthread.Movement {
	switch {
	case v.Form.Z != nil:
		return vthread.AnytimeColoured
	case v.Form.Concurrent:
		return vthread.Anytime
	}
	return vthread.InPauses
}

// Epoch implements vthread.Heap.
func (v *JVM) Epoch() vthread.Epoch {
	e := v.Reader.Epoch()
	return vthread.Epoch{Collections: e.Collections, Active: e.Active}
}

// Refresh implements vthread.Heap.
func (v *JVM) Refresh() {
	v.waits = nil
	v.Objects.Forget()
	v.BeginObjects()
}

// ClassIn implements vthread.Heap.
func (v *JVM) ClassIn(header []byte) uint64 {
	h := &v.Form
	switch {
	case h.Compact:
		return h.ClassBase + binary.LittleEndian.Uint64(header)>>h.MarkKlassShift<<h.ClassShift
	case h.CompressedClasses:
		return h.ClassBase + uint64(binary.LittleEndian.Uint32(header[v.Encoding.Klass:]))<<h.ClassShift
	}
	return binary.LittleEndian.Uint64(header[v.Encoding.Klass:])
}

// Forwarded implements vthread.Heap. With compact headers these bits may mean that an object stays where it is.
func (v *JVM) Forwarded(mark uint64) uint64 {
	const forwarded = 3
	if mark&forwarded != forwarded || mark < vm.LowestAddress || v.Form.Compact {
		return 0
	}
	return mark &^ forwarded
}

// Reference implements vthread.Heap.
func (v *JVM) Reference(field []byte) uint64 {
	if v.Form.CompressedOops {
		narrow := binary.LittleEndian.Uint32(field)
		if narrow == 0 {
			return 0
		}
		return v.Form.OopBase + uint64(narrow)<<v.Form.OopShift
	}
	raw := binary.LittleEndian.Uint64(field)
	if v.Form.Z != nil {
		return v.ZLoad(raw)
	}
	return raw
}

// Null implements vthread.Heap.
func (v *JVM) Null(field []byte) bool {
	if v.Form.CompressedOops {
		return binary.LittleEndian.Uint32(field) == 0
	}
	return v.null(binary.LittleEndian.Uint64(field))
}

// null reports a reference of 64 bits to nothing, which may have a colour.
func (v *JVM) null(raw uint64) bool {
	z := v.Form.Z
	return raw == 0 || z != nil && z.L.Generational && z.Plain(raw) == 0
}

// OnStack implements vthread.Heap.
func (v *JVM) OnStack(word uint64) uint64 { return v.Reader.OnStack(word) }

// Current implements vthread.Heap.
func (v *JVM) Current(object uint64) uint64 {
	if v.Form.Z != nil {
		return object
	}
	return v.Moved(object)
}

// ReferenceSize implements vthread.Heap.
func (v *JVM) ReferenceSize() uint64 {
	if v.Form.CompressedOops {
		return vm.WordSize / 2
	}
	return vm.WordSize
}

// ArrayLength implements vthread.Heap.
func (v *JVM) ArrayLength() uint64 { return v.LengthOffset() }

// FirstElement implements vthread.Heap.
func (v *JVM) FirstElement(class uint64) uint64 {
	return uint64(v.U32(class+v.Encoding.LayoutHelper) >> 16 & 0xff)
}

// Reserved implements vthread.Heap.
func (v *JVM) Reserved() (low, high uint64) {
	l := &v.Encoding
	heap := v.CollectedHeap()
	low = v.Pointer(heap, l.ReservedStart)
	return low, low + v.Pointer(heap, l.ReservedWords)*vm.WordSize
}

// Scannable implements vthread.Heap: ZGC maps memory that it does not use.
func (v *JVM) Scannable() bool {
	_, mapped := v.Source.(vm.MappedMemory)
	return mapped && v.Form.Z == nil && v.Encoding.ReservedStart.Known
}

// Int implements vthread.Classes.
func (v *JVM) Int(at uint64) int { return int(v.Objects.I32(at)) }

// Static implements vthread.Classes.
func (v *JVM) Static(at uint64) (uint64, bool) { return v.referenceAt(at) }

// referenceAt is what a field at an address refers to; false if it cannot be read.
func (v *JVM) referenceAt(at uint64) (uint64, bool) {
	to := v.Reader.Reference(at)
	if to != 0 {
		return to, true
	}
	raw := make([]byte, v.ReferenceSize())
	return 0, v.Objects.Read(at, raw) && v.Null(raw)
}

// Field implements vthread.Classes.
func (v *JVM) Field(object uint64, name string) (uint64, bool) {
	v.Objects.KeepFew()
	c := v.ClassOf(object)
	if c == nil {
		return 0, object == 0
	}
	at, ok := v.FieldOf(c, name)
	if !ok {
		return 0, true
	}
	return v.referenceAt(object + at)
}

// ClassName implements vthread.Classes.
func (v *JVM) ClassName(object uint64) string { return v.PlainObject(object).Class }

// Text implements vthread.Classes.
func (v *JVM) Text(object uint64) string {
	text, _ := v.JavaString(object)
	return text.String()
}

// ThreadID implements vthread.Classes.
func (v *JVM) ThreadID(object uint64) int64 {
	if object == 0 {
		return 0
	}
	return v.Reader.ThreadID(object)
}

// PlatformThreads implements vthread.Classes.
func (v *JVM) PlatformThreads() []uint64 {
	var all []uint64
	for _, t := range v.platform {
		v.KeepFew()
		if object := v.Root(t.Address+v.Thread.Object, v.Thread.ObjectIsHandle); object != 0 {
			all = append(all, object)
		}
	}
	return all
}

// FrameOf implements vthread.Code.
func (v *JVM) FrameOf(pc uint64) vthread.CodeFrame {
	pc &= v.Processor.CodeAddress
	if v.Code.Interpreted(pc) {
		return vthread.CodeFrame{Interpreted: true}
	}
	b := v.BlobAt(pc)
	if b == nil {
		return vthread.CodeFrame{}
	}
	f := vthread.CodeFrame{Words: int(b.Frame / vm.WordSize)}
	if n := b.Nmethod; n != nil {
		f.Deoptimised, f.OriginalWord = n.Deopt, int(n.OriginalPC/vm.WordSize)
	}
	return f
}

// Renew implements vthread.Code. What is known of code and methods stays: whether it is still there is checked at last.
func (v *JVM) Renew() {
	v.Forget()
	maps.DeleteFunc(v.Code.Blobs, func(_ uint64, b *stack.Blob) bool { return b == nil })
	maps.DeleteFunc(v.Methods, func(_ uint64, m *stack.Method) bool { return m == nil })
	maps.DeleteFunc(v.Classes, func(_ uint64, c *object.Class) bool { return c == nil })
}

// Interpreted implements vthread.Code.
func (v *JVM) Interpreted() vthread.InterpretedFrame {
	f := &v.Processor
	return vthread.InterpretedFrame{
		Method: int(f.Method), Bytecode: int(f.BCP), Locals: int(f.Locals), SenderSP: int(f.SenderSP),
		LastSP: int(f.LastSP),
	}
}

// Resolve implements vthread.Code.
func (v *JVM) Resolve(keys []vthread.Key) []vthread.Line {
	var lines []vthread.Line
	var uses []*stack.Source
	self := false
	add := func(m *stack.Method, bci int) {
		if m == nil {
			lines = append(lines, vthread.Line{Role: vthread.Unknown})
			return
		}
		uses, self = append(uses, m.Source), self || m.KeepsSelf
		lines = append(lines, vthread.Line{Text: v.Frame(m, bci), Role: roleOf(m), Hidden: m.Hidden})
	}
	for _, k := range keys {
		if k.Method != 0 {
			m := v.MethodAt(k.Method)
			bci := 0
			if m != nil {
				bci = m.BCIOf(k.PC)
			}
			add(m, bci)
			continue
		}
		b := v.BlobAt(k.PC & v.Processor.CodeAddress)
		switch {
		case b == nil:
			add(nil, 0)
		case b.Nmethod == nil: // a stub
		case b.Nmethod.Native:
			uses = append(uses, b.Nmethod.Source)
			add(b.Nmethod.Method, 0)
		default:
			uses = append(uses, b.Nmethod.Source)
			scopes, ok := v.ScopesAt(b.Nmethod, k.PC&v.Processor.CodeAddress-b.Begin, stack.Exactly)
			if !ok {
				add(nil, 0)
			}
			for _, s := range scopes {
				add(s.Method, s.BCI)
			}
		}
	}
	v.uses, v.keepsSelf = append(v.uses, uses), append(v.keepsSelf, self)
	return lines
}

// roleOf finds the methods that every stack of a virtual thread has.
func roleOf(m *stack.Method) vthread.Role {
	switch {
	case m.Class.Name != "jdk.internal.vm.Continuation":
	case strings.HasPrefix(m.Name, "yield"):
		return vthread.Yield
	case m.Name == "enter":
		return vthread.Enter
	}
	return vthread.Other
}
