package hotspot

import (
	"context"
	"fmt"
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
	objectReader
	// processor is where its frames have what.
	processor frameLayout
	code      codeCache
	methods   map[uint64]*method
	// sources are where code and methods were read, see recheck.
	sources []*source
	// wantsSelf reports whether the object is wanted of which a thread is inside a method.
	wantsSelf func(class, method string) bool
}

func (r *codeReader) begin(ctx context.Context, j *vmJVM, wantsSelf func(class, method string) bool) error {
	r.objectReader.begin(ctx, j)
	r.wantsSelf = wantsSelf
	r.methods, r.processor = map[uint64]*method{}, frameLayouts[j.machine](r.major)
	if err := r.readCode(); err != nil {
		return err
	}
	return r.err
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
	l := &r.layout.code
	r.code.blobs = map[uint64]*blob{}
	r.code.callStub = r.u64(r.interpreter.callStub)
	queue := r.u64(r.interpreter.code)
	r.code.interpreter = r.u64(queue + r.interpreter.buffer)
	r.code.interpreterEnd = r.code.interpreter + uint64(r.u32(queue+r.interpreter.limit))
	heaps := []uint64{r.u64(l.heap)}
	if l.heap == 0 {
		array := r.u64(l.heaps)
		count, data := r.u32(array+l.arrayLength), r.u64(array+l.arrayData)
		if count == 0 || count > maxHeaps {
			return fmt.Errorf("the JVM has %d heaps for code: it is not up yet, or its memory is damaged", count)
		}
		heaps = heaps[:0]
		for i := range uint64(count) {
			heaps = append(heaps, r.u64(data+i*wordSize))
		}
	}
	for _, heap := range heaps {
		r.code.heaps = append(r.code.heaps, codeHeap{
			low: r.u64(heap + l.memory + l.low), high: r.u64(heap + l.memory + l.high),
			segments: r.u64(heap + l.segments + l.low),
			shift:    uint(r.u32(heap+l.log2Segment) & 31),
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
		switch back := uint64(r.u8(h.segments + segment)); {
		case back == freeSegment || back > segment:
			return nil
		case back == 0:
			return r.blob(h.low + segment<<h.shift + r.layout.code.blockSize)
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
	l := &r.layout.code
	name, err := r.cstring(r.u64(at+l.name), maxCodeName)
	if err != nil {
		return nil
	}
	b := &blob{at: at, name: name, end: at + uint64(l.size.of(r.view, at))}
	if b.begin = at + uint64(l.codeOffset.of(r.view, at)); l.codeBegin.known {
		b.begin = uint64(l.codeBegin.of(r.view, at))
	}
	if words := l.frameSize.of(r.view, at); words > 0 && words < maxFrame/wordSize {
		b.frame = uint64(words) * wordSize
	}
	if l.frameComplete.known {
		b.complete = uint64(max(0, l.frameComplete.of(r.view, at)))
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
