package hotspot

import (
	"context"
	"fmt"

	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// codeCache is where compiled code and the interpreter are.
//
// Code lies in heaps, each with a map of one byte for each segment: 0 begins a block, 0xff is
// free, any other number is how far to go back towards the beginning (code/codeCache.hpp,
// memory/heap.cpp, CodeHeap::find_start).
type codeCache struct {
	heaps []codeHeap
	// callStub is the return address of code that Java was called from.
	callStub uint64
	// the interpreter's code is from interpreter to interpreterEnd.
	interpreter, interpreterEnd uint64
	blobs                       map[uint64]*blob
}

type codeHeap struct {
	low, high, segments uint64
	shift               uint
}

// codeReader reads methods and code, and what stacks are made of.
type codeReader struct {
	object.Reader
	// processor is where its frames have what.
	processor frameLayout
	code      codeCache
	methods   map[uint64]*method
	// sources are where code and methods were read, see recheck.
	sources []*source
	// wantsSelf reports whether the object is wanted of which a thread is inside a method.
	wantsSelf func(class, method string) bool
}

func (r *codeReader) begin(ctx context.Context, j *vm.JVM, wantsSelf func(class, method string) bool) error {
	r.Reader.Begin(ctx, j)
	r.wantsSelf = wantsSelf
	r.methods, r.processor = map[uint64]*method{}, frameLayouts[j.Machine](r.Major)
	if err := r.readCode(); err != nil {
		return err
	}
	return r.Err
}

const (
	// maxHeaps bounds the heaps of code; HotSpot has three.
	maxHeaps = 16
	// maxCodeName bounds the name of a piece of code, in bytes.
	maxCodeName = 256
	freeSegment = 0xff
	// maxSegmentSteps bounds the steps back to the beginning of a block: 254 segments each, of
	// 64 bytes and more, are more than the largest code cache has (2 GB).
	maxSegmentSteps = 1 << 18
)

func (r *codeReader) readCode() error {
	l := &r.Layout.Code
	r.code.blobs = map[uint64]*blob{}
	r.code.callStub = r.U64(r.Interpreter.CallStub)
	queue := r.U64(r.Interpreter.Code)
	r.code.interpreter = r.U64(queue + r.Interpreter.Buffer)
	r.code.interpreterEnd = r.code.interpreter + uint64(r.U32(queue+r.Interpreter.Limit))
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
		r.code.heaps = append(r.code.heaps, codeHeap{
			low: r.U64(heap + l.Memory + l.Low), high: r.U64(heap + l.Memory + l.High),
			segments: r.U64(heap + l.Segments + l.Low),
			shift:    uint(r.U32(heap+l.Log2Segment) & 31),
		})
	}
	return nil
}

func (c *codeCache) interpreted(pc uint64) bool { return pc >= c.interpreter && pc < c.interpreterEnd }

func (c *codeCache) heapOf(pc uint64) *codeHeap {
	for i := range c.heaps {
		if h := &c.heaps[i]; pc >= h.low && pc < h.high {
			return h
		}
	}
	return nil
}

// blobAt is the piece of code that an address is in; nil if it is in none.
func (r *codeReader) blobAt(pc uint64) *blob {
	h := r.code.heapOf(pc)
	if h == nil {
		return nil
	}
	segment := (pc - h.low) >> h.shift
	for range maxSegmentSteps {
		switch back := uint64(r.U8(h.segments + segment)); {
		case back == freeSegment || back > segment:
			return nil
		case back == 0:
			return r.blob(h.low + segment<<h.shift + r.Layout.Code.BlockSize)
		default:
			segment -= back
		}
	}
	return nil
}

// blob is a CodeBlob (code/codeBlob.hpp): a compiled method, or a stub.
type blob struct {
	at, begin, end uint64
	name           string
	// frame is the size of its frames in bytes, return address included; 0 if it has none of one size.
	frame uint64
	// complete is how many bytes of code come before the frame is set up.
	complete uint64
	// nmethod is nil for a stub.
	nmethod *nmethod
}

func (r *codeReader) blob(at uint64) *blob {
	b, known := r.code.blobs[at]
	if !known {
		b = r.readBlob(at)
		r.code.blobs[at] = b
	}
	return b
}

func (r *codeReader) readBlob(at uint64) *blob {
	l := &r.Layout.Code
	name, err := r.CString(r.U64(at+l.Name), maxCodeName)
	if err != nil {
		return nil
	}
	b := &blob{at: at, name: name, end: at + uint64(l.Size.Of(r.View, at))}
	if b.begin = at + uint64(l.CodeOffset.Of(r.View, at)); l.CodeBegin.Known {
		b.begin = uint64(l.CodeBegin.Of(r.View, at))
	}
	if words := l.FrameSize.Of(r.View, at); words > 0 && words < maxFrame/vm.WordSize {
		b.frame = uint64(words) * vm.WordSize
	}
	if l.FrameComplete.Known {
		b.complete = uint64(max(0, l.FrameComplete.Of(r.View, at)))
	}
	if name == "nmethod" || name == "native nmethod" {
		b.nmethod = r.readNmethod(b)
	}
	return b
}

// has tells whether an address is in code that HotSpot has made.
func (c *codeCache) has(pc uint64) bool {
	return pc == c.callStub || c.interpreted(pc) || c.heapOf(pc) != nil
}
