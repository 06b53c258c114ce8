package vthread_test

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/hotspot/vm"
	"github.com/jstall/jstall/internal/hotspot/vthread"
)

// fakeJVM is a JVM of a few objects: its heap is one piece of memory, with a mark and a class at the beginning of each
// object and references of eight bytes. All of its memory can be read, if it is not bounded; what is not of the heap is
// what elsewhere gives.
type fakeJVM struct {
	// bounded: only the heap can be read.
	bounded   bool
	heap      []byte
	used      uint64
	classes   map[string]*vthread.Class
	byAddress map[uint64]string
	stopped   bool
	movement  vthread.Movement
	// read is how many bytes were read; reading fails after the most.
	read, most int
}

const (
	heapAt   = 0x10_0000
	heapSize = 1 << 16
	classAt  = 0x1000 // of the first class
	staticAt = heapAt // static fields are the first words of the heap
)

// Return addresses: the first frame of a stack, others, the last one.
const (
	yieldPC = 0x51_0001 + iota
	otherPC
	enterPC
	interpretedPC
)

const frameWords = 4

func le(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// newFake makes a JVM with threads that are parked, each with a chunk of three frames.
func newFake(threads int) *fakeJVM {
	j := &fakeJVM{
		heap: make([]byte, heapSize), used: 64, classes: map[string]*vthread.Class{}, byAddress: map[uint64]string{},
		stopped: true, most: 64 << 20,
	}
	field := func(names ...string) map[string]uint64 {
		fields := map[string]uint64{}
		for i, name := range names {
			fields[name] = 16 + 8*uint64(i)
		}
		return fields
	}
	classes := map[string]map[string]uint64{
		"java.lang.Thread": field("name"),
		"java.lang.VirtualThread": field("name", "tid", "state", "cont", "carrierThread", "parkBlocker",
			"headStackableScopes", "termination"),
		"java.lang.VirtualThread$VThreadContinuation$1": field("val$vthread"),
		"jdk.internal.vm.Continuation":                  field("tail", "mounted", "target"),
		"jdk.internal.vm.StackChunk": field("parent", "size", "sp", "bottom", "cont", "flags", "pc",
			"lockStackSize"),
		"java.lang.String": field("value", "coder"), "[B": field(), "[L": field(),
		"java.util.concurrent.ConcurrentHashMap":                               field("table"),
		"java.util.concurrent.ConcurrentHashMap$Node":                          field("key", "next"),
		"java.util.concurrent.ConcurrentHashMap$ForwardingNode":                field("key", "next", "nextTable"),
		"java.util.concurrent.ConcurrentHashMap$TreeBin":                       field("key", "next", "first"),
		"java.util.concurrent.ConcurrentHashMap$KeySetView":                    field("map"),
		"jdk.internal.vm.ThreadContainers":                                     field(),
		"jdk.internal.vm.ThreadContainers$RootContainer$TrackingRootContainer": field(),
	}
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		fields := classes[name]
		at := uint64(classAt + 64*len(j.classes))
		j.classes[name] = &vthread.Class{
			Address: at, Size: 16 + 8*uint64(len(fields)), Initialised: true, Fields: fields,
			Static: map[string]uint64{},
		}
		j.byAddress[at] = name
	}
	virtual := j.classes["java.lang.VirtualThread"]
	for i, name := range []string{"NEW", "STARTED", "RUNNING", "PARKING", "PARKED", "TERMINATED"} {
		virtual.Static[name] = uint64(i + 1) // the value itself: see Int
	}
	j.classes["jdk.internal.vm.ThreadContainers$RootContainer$TrackingRootContainer"].Static["VTHREADS"] = staticAt
	j.classes["jdk.internal.vm.ThreadContainers"].Static["CONTAINER_REGISTRY"] = staticAt + 8
	j.put(staticAt, j.set(j.threads(threads)))
	j.put(staticAt+8, j.set(nil))
	return j
}

func (j *fakeJVM) put(at, value uint64) { binary.LittleEndian.PutUint64(j.heap[at-heapAt:], value) }

// object makes an object with values in its fields, and more words behind them.
func (j *fakeJVM) object(class string, values map[string]uint64, more ...uint64) uint64 {
	c := j.classes[class]
	at := heapAt + j.used
	j.used += c.Size + 8*uint64(len(more))
	j.put(at, 1)
	j.put(at+8, c.Address)
	for name, value := range values {
		j.put(at+c.Fields[name], value)
	}
	for i, word := range more {
		j.put(at+c.Size+8*uint64(i), word)
	}
	return at
}

// array has its length in a word behind the header.
func (j *fakeJVM) array(class string, words ...uint64) uint64 {
	return j.object(class, nil, append([]uint64{uint64(len(words))}, words...)...)
}

func (j *fakeJVM) set(keys []uint64) uint64 {
	var bins []uint64
	for _, key := range keys {
		bins = append(bins, j.object("java.util.concurrent.ConcurrentHashMap$Node", map[string]uint64{"key": key}))
	}
	table := j.array("[L", bins...)
	m := j.object("java.util.concurrent.ConcurrentHashMap", map[string]uint64{"table": table})
	return j.object("java.util.concurrent.ConcurrentHashMap$KeySetView", map[string]uint64{"map": m})
}

func (j *fakeJVM) threads(n int) []uint64 {
	var all []uint64
	for i := range n {
		text := j.object("[B", nil, 1, uint64('a'+i)) // the length, and one character
		name := j.object("java.lang.String", map[string]uint64{"value": text})
		thread := j.object("java.lang.VirtualThread", map[string]uint64{
			"name": name, "tid": uint64(100 + i), "state": 5,
		})
		task := j.object("java.lang.VirtualThread$VThreadContinuation$1", map[string]uint64{"val$vthread": thread})
		cont := j.object("jdk.internal.vm.Continuation", map[string]uint64{"target": task})
		const size, sp = 20, 6
		words := make([]uint64, size)
		words[sp+frameWords-1], words[sp+2*frameWords-1] = otherPC, enterPC
		chunk := j.object("jdk.internal.vm.StackChunk", map[string]uint64{
			"size": size, "sp": sp, "bottom": sp + 3*frameWords, "cont": cont, "pc": yieldPC,
		}, words...)
		j.put(cont+j.classes["jdk.internal.vm.Continuation"].Fields["tail"], chunk)
		j.put(thread+j.classes["java.lang.VirtualThread"].Fields["cont"], cont)
		all = append(all, thread)
	}
	return all
}

func (j *fakeJVM) Major() int    { return 26 }
func (j *fakeJVM) Stopped() bool { return j.stopped }
func (j *fakeJVM) Err() error {
	if j.read > j.most {
		return errors.New("too much was read")
	}
	return nil
}

// Read gives the heap, and words that are the address of a word of the heap elsewhere: there every list goes on.
func (j *fakeJVM) Read(pieces []vm.Piece) {
	for i := range pieces {
		p := &pieces[i]
		j.read += len(p.Bytes)
		if j.Err() != nil {
			return
		}
		if end := p.At + uint64(len(p.Bytes)); p.At >= heapAt && end <= heapAt+heapSize && end >= p.At {
			copy(p.Bytes, j.heap[p.At-heapAt:])
		} else if j.bounded {
			continue
		} else {
			for n := 0; n+8 <= len(p.Bytes); n += 8 {
				binary.LittleEndian.PutUint64(p.Bytes[n:], heapAt+uint64(n)*64%heapSize&^7)
			}
		}
		p.OK = true
	}
}

func (j *fakeJVM) word(at uint64) uint64 {
	b := make([]byte, 8)
	j.Read([]vm.Piece{{At: at, Bytes: b}})
	return le(b)
}

func (j *fakeJVM) Readable(low, high uint64) [][2]uint64 { return [][2]uint64{{low, high}} }
func (j *fakeJVM) Movement() vthread.Movement            { return j.movement }
func (j *fakeJVM) Epoch() vthread.Epoch                  { return vthread.Epoch{} }
func (j *fakeJVM) Refresh()                              {}
func (j *fakeJVM) ClassIn(header []byte) uint64          { return le(header[8:]) }
func (j *fakeJVM) Forwarded(mark uint64) uint64 {
	if mark&3 == 3 {
		return mark &^ 3
	}
	return 0
}
func (j *fakeJVM) Reference(field []byte) uint64    { return le(field) }
func (j *fakeJVM) Null(field []byte) bool           { return le(field) == 0 }
func (j *fakeJVM) OnStack(word uint64) uint64       { return word }
func (j *fakeJVM) Current(object uint64) uint64     { return object }
func (j *fakeJVM) ReferenceSize() uint64            { return 8 }
func (j *fakeJVM) ArrayLength() uint64              { return 16 }
func (j *fakeJVM) FirstElement(uint64) uint64       { return 24 }
func (j *fakeJVM) Reserved() (low, high uint64)     { return heapAt, heapAt + heapSize }
func (j *fakeJVM) Scannable() bool                  { return true }
func (j *fakeJVM) Class(name string) *vthread.Class { return j.classes[name] }
func (j *fakeJVM) Int(at uint64) int                { return int(at) }
func (j *fakeJVM) Static(at uint64) (uint64, bool)  { return j.word(at), true }
func (j *fakeJVM) ClassName(object uint64) string   { return j.byAddress[j.word(object+8)] }
func (j *fakeJVM) Text(uint64) string               { return "" }
func (j *fakeJVM) ThreadID(uint64) int64            { return 0 }
func (j *fakeJVM) PlatformThreads() []uint64        { return nil }
func (j *fakeJVM) Waits([]*vthread.Thread)          {}
func (j *fakeJVM) Renew()                           {}
func (j *fakeJVM) Interpreted() vthread.InterpretedFrame {
	return vthread.InterpretedFrame{Method: -3, Bytecode: -8, Locals: -7, SenderSP: -1, LastSP: -2}
}

func (j *fakeJVM) Field(object uint64, name string) (uint64, bool) {
	c := j.classes[j.ClassName(object)]
	if c == nil {
		return 0, object == 0
	}
	at, ok := c.Fields[name]
	if !ok {
		return 0, true
	}
	return j.word(object + at), true
}

func (j *fakeJVM) FrameOf(pc uint64) vthread.CodeFrame {
	switch {
	case pc == interpretedPC:
		return vthread.CodeFrame{Interpreted: true}
	case pc >= yieldPC && pc <= enterPC:
		return vthread.CodeFrame{Words: frameWords}
	}
	return vthread.CodeFrame{}
}

func (j *fakeJVM) Resolve(keys []vthread.Key) []vthread.Line {
	roles := map[uint64]vthread.Role{yieldPC: vthread.Yield, enterPC: vthread.Enter}
	var lines []vthread.Line
	for _, k := range keys {
		lines = append(lines, vthread.Line{Text: "f", Role: roles[k.PC]})
	}
	return lines
}

// limit is more than any reading here takes.
var limit = vthread.Limit{Base: time.Second, PerThread: time.Millisecond}

// TestFakeJVM reads the threads as they are.
func TestFakeJVM(t *testing.T) {
	for _, stopped := range []bool{true, false} {
		j := newFake(5)
		j.stopped = stopped
		read, err := vthread.Read(j, limit)
		if err != nil || read.Missing != "" || len(read.Threads) != 5 {
			t.Fatalf("%+v, %v", read, err)
		}
		for i, thread := range read.Threads {
			if thread.ID != int64(100+i) || thread.Name != string(rune('a'+i)) || thread.State != "PARKED" ||
				thread.Why != vthread.Known || len(read.Stacks[thread.Stack]) != 3 {
				t.Errorf("%+v", thread)
			}
		}
	}
}

// TestNamesNextToMemoryThatIsNotMapped: a name is read up to the last byte of the heap, as where Shenandoah has given
// the next region back. One that cannot be read is said to be unread.
func TestNamesNextToMemoryThatIsNotMapped(t *testing.T) {
	j := newFake(4)
	j.bounded = true
	read, err := vthread.Read(j, limit)
	if err != nil {
		t.Fatal(err)
	}
	value := func(i int) uint64 {
		name := j.word(read.Threads[i].Object + j.classes["java.lang.VirtualThread"].Fields["name"])
		return name + j.classes["java.lang.String"].Fields["value"]
	}
	j.used = heapSize - 32
	j.put(value(1), j.object("[B", nil, 1, 'z'))
	j.put(value(2), heapAt+heapSize)
	j.put(value(3), heapAt+heapSize-16) // its length is behind the end
	read, err = vthread.Read(j, limit)
	if err != nil || len(read.Threads) != 4 {
		t.Fatalf("%+v, %v", read, err)
	}
	for i, want := range []string{"a", "z", "", ""} {
		if thread := read.Threads[i]; thread.Name != want || thread.Unnamed != (want == "") {
			t.Errorf("%+v, not %q", thread, want)
		}
	}
}

// TestEndsAreThoseOfTheThreadsThatWereRead: a thread that others wait for has a latch. One of which the object is
// another thread's by now is left out, and one of which it is no thread's.
func TestEndsAreThoseOfTheThreadsThatWereRead(t *testing.T) {
	j := newFake(4)
	read, err := vthread.Read(j, limit)
	if err != nil {
		t.Fatal(err)
	}
	const latch = heapAt + heapSize/2
	fields := j.classes["java.lang.VirtualThread"].Fields
	for i, thread := range read.Threads[:3] {
		j.put(thread.Object+fields["termination"], latch+uint64(8*i))
	}
	j.put(read.Threads[1].Object+fields["tid"], 7)
	j.put(read.Threads[2].Object+8, j.classes["java.lang.String"].Address)
	want := map[uint64]int64{latch: read.Threads[0].ID}
	if ends := read.Ends(); !maps.Equal(ends, want) {
		t.Errorf("%v, not %v", ends, want)
	}
}

// TestSmallObjects: a class whose objects are too small for its fields is refused, and named.
func TestSmallObjects(t *testing.T) {
	for name, field := range map[string]string{
		"java.lang.VirtualThread": "parkBlocker", "jdk.internal.vm.Continuation": "target",
		"jdk.internal.vm.StackChunk": "pc", "java.lang.String": "coder",
		"java.util.concurrent.ConcurrentHashMap$Node": "next",
	} {
		for _, size := range []uint64{0, 8, 24, 1 << 40} {
			j := newFake(3)
			j.classes[name].Size = size
			if _, err := vthread.Read(j, limit); err == nil {
				t.Errorf("%s of %d bytes is read", name, size)
			}
		}
		for _, at := range []uint64{4093, 1 << 32, ^uint64(0)} {
			j := newFake(3)
			j.classes[name].Fields[field] = at
			if _, err := vthread.Read(j, limit); err == nil {
				t.Errorf("%s.%s at %d is read", name, field, at)
			}
		}
	}
}

// TestCompactHeaders: where a header has eight bytes an object without fields is no larger. Of the class that has the
// containers no object is read.
func TestCompactHeaders(t *testing.T) {
	j := newFake(3)
	j.classes["jdk.internal.vm.ThreadContainers"].Size = 8
	if read, err := vthread.Read(j, limit); err != nil || len(read.Threads) != 3 {
		t.Errorf("%+v, %v", read, err)
	}
}

// FuzzObjects changes words of the heap: reading ends in time, without a panic, and without a thread that is listed
// twice. Each change is the number of a word in two bytes, and one that chooses the value.
func FuzzObjects(f *testing.F) {
	f.Add(uint8(0), []byte{})
	for mode := range uint8(6) {
		for value := range byte(20) {
			f.Add(mode, []byte{40, 0, value, 60, 0, value, 77, 0, value})
		}
	}
	f.Fuzz(func(t *testing.T, mode uint8, changes []byte) {
		j := newFake(4)
		j.stopped, j.movement = mode&1 == 0, vthread.Movement(mode>>1%3)
		for part := range slices.Chunk(changes, 3) {
			if len(part) == 3 {
				at := uint64(binary.LittleEndian.Uint16(part)) % (j.used / 8)
				j.put(heapAt+8*at, j.value(part[2], at))
			}
		}
		began := time.Now()
		read, err := vthread.Read(j, vthread.Limit{Base: 5 * time.Millisecond})
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("took %v", took)
		}
		if err == nil {
			ids := map[int64]bool{}
			for _, thread := range read.Threads {
				if ids[thread.ID] {
					t.Errorf("#%d is listed twice", thread.ID)
				}
				ids[thread.ID] = true
				_ = read.Reread(thread)
				_, _ = read.Rest(thread)
			}
			_ = read.Ends()
		}
	})
}

// value is one that is bad for what may be at a word.
func (j *fakeJVM) value(choice byte, at uint64) uint64 {
	bad := []uint64{
		0, 1, 2, 1 << 20, 1<<20 - 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1<<48 - 8, 1<<63 - 1, 1 << 63, ^uint64(0),
		heapAt + 8*at, interpretedPC, enterPC, yieldPC, heapAt + 3, 0xffffffff_00000010, heapAt + j.used - 8,
	}
	if int(choice) < len(bad) {
		return bad[choice]
	}
	return heapAt + uint64(choice)*j.used/256&^7
}
