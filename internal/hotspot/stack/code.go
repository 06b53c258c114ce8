package stack

import (
	"context"
	"fmt"

	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// CodeCache is where compiled code and the interpreter are.
//
// Code lies in heaps, each with a map of one byte for each segment: 0 begins a block, 0xff is
// free, any other number is how far to go back towards the beginning (code/codeCache.hpp,
// memory/heap.cpp, CodeHeap::find_start).
type CodeCache struct {
	Heaps []CodeHeap
	// callStub is the return address of code that Java was called from.
	callStub uint64
	// the interpreter's code is from interpreter to interpreterEnd.
	interpreter, interpreterEnd uint64
	Blobs                       map[uint64]*Blob
}

type CodeHeap struct {
	Low, High, segments uint64
	Shift               uint
}

// Reader reads methods and code, and what stacks are made of.
type Reader struct {
	object.Reader
	// Processor is where its frames have what.
	Processor frameLayout
	Code      CodeCache
	Methods   map[uint64]*Method
	// Sources are where code and methods were read, see recheck.
	Sources []*Source
	// wantsSelf reports whether the object is wanted of which a thread is inside a method.
	wantsSelf func(class, method string) bool
}

func (r *Reader) Begin(ctx context.Context, j *vm.JVM, wantsSelf func(class, method string) bool) error {
	r.Reader.Begin(ctx, j)
	r.wantsSelf = wantsSelf
	r.Methods, r.Processor = map[uint64]*Method{}, frameLayouts[j.Machine](r.Major)
	if err := r.ReadCode(); err != nil {
		return err
	}
	return r.Err
}

const (
	// maxHeaps bounds the heaps of code; HotSpot has three.
	maxHeaps = 16
	// MaxCodeName bounds the name of a piece of code, in bytes.
	MaxCodeName = 256
	freeSegment = 0xff
	// maxSegmentSteps bounds the steps back to the beginning of a block: 254 segments each, of
	// 64 bytes and more, are more than the largest code cache has (2 GB).
	maxSegmentSteps = 1 << 18
)

func (r *Reader) ReadCode() error {
	l := &r.Layout.Code
	r.Code.Blobs = map[uint64]*Blob{}
	r.Code.callStub = r.U64(r.Interpreter.CallStub)
	queue := r.U64(r.Interpreter.Code)
	r.Code.interpreter = r.U64(queue + r.Interpreter.Buffer)
	r.Code.interpreterEnd = r.Code.interpreter + uint64(r.U32(queue+r.Interpreter.Limit))
	heaps := []uint64{r.U64(l.Heap)}
	if l.Heap == 0 {
		array := r.U64(l.Heaps)
		count, data := r.U32(array+l.ArrayLength), r.U64(array+l.ArrayData)
		if count == 0 || count > maxHeaps {
			return fmt.Errorf("the JVM has %d heaps for code: it is not up yet, or its memory is damaged", count)
		}
		heaps = heaps[:0]
		for i := range uint64(count) {
			heaps = append(heaps, r.U64(data+i*vm.WordSize))
		}
	}
	for _, heap := range heaps {
		r.Code.Heaps = append(r.Code.Heaps, CodeHeap{
			Low: r.U64(heap + l.Memory + l.Low), High: r.U64(heap + l.Memory + l.High),
			segments: r.U64(heap + l.Segments + l.Low),
			Shift:    uint(r.U32(heap+l.Log2Segment) & 31),
		})
	}
	return nil
}

func (c *CodeCache) Interpreted(pc uint64) bool { return pc >= c.interpreter && pc < c.interpreterEnd }

func (c *CodeCache) heapOf(pc uint64) *CodeHeap {
	for i := range c.Heaps {
		if h := &c.Heaps[i]; pc >= h.Low && pc < h.High {
			return h
		}
	}
	return nil
}

// BlobAt is the piece of code that an address is in; nil if it is in none.
func (r *Reader) BlobAt(pc uint64) *Blob {
	h := r.Code.heapOf(pc)
	if h == nil {
		return nil
	}
	segment := (pc - h.Low) >> h.Shift
	for range maxSegmentSteps {
		switch back := uint64(r.U8(h.segments + segment)); {
		case back == freeSegment || back > segment:
			return nil
		case back == 0:
			return r.blob(h.Low + segment<<h.Shift + r.Layout.Code.BlockSize)
		default:
			segment -= back
		}
	}
	return nil
}

// Blob is a CodeBlob (code/codeBlob.hpp): a compiled method, or a stub.
type Blob struct {
	at, Begin, end uint64
	name           string
	// Frame is the size of its frames in bytes, return address included; 0 if it has none of one size.
	Frame uint64
	// complete is how many bytes of code come before the frame is set up.
	complete uint64
	// Nmethod is nil for a stub.
	Nmethod *Nmethod
}

func (r *Reader) blob(at uint64) *Blob {
	b, known := r.Code.Blobs[at]
	if !known {
		b = r.readBlob(at)
		r.Code.Blobs[at] = b
	}
	return b
}

func (r *Reader) readBlob(at uint64) *Blob {
	l := &r.Layout.Code
	name, err := r.CString(r.U64(at+l.Name), MaxCodeName)
	if err != nil {
		return nil
	}
	b := &Blob{at: at, name: name, end: at + uint64(l.Size.Of(r.View, at))}
	if b.Begin = at + uint64(l.CodeOffset.Of(r.View, at)); l.CodeBegin.Known {
		b.Begin = uint64(l.CodeBegin.Of(r.View, at))
	}
	if words := l.FrameSize.Of(r.View, at); words > 0 && words < maxFrame/vm.WordSize {
		b.Frame = uint64(words) * vm.WordSize
	}
	if l.FrameComplete.Known {
		b.complete = uint64(max(0, l.FrameComplete.Of(r.View, at)))
	}
	if name == "nmethod" || name == "native nmethod" {
		b.Nmethod = r.readNmethod(b)
	}
	return b
}

// has reports whether an address is in code that HotSpot has made.
func (c *CodeCache) has(pc uint64) bool {
	return pc == c.callStub || c.Interpreted(pc) || c.heapOf(pc) != nil
}
