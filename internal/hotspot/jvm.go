package hotspot

import (
	"context"
	"debug/elf"
	"fmt"
	"sync/atomic"
)

// JVM is a HotSpot JVM whose tables were read.
type JVM struct {
	memory  Memory
	layout  *layout
	machine elf.Machine
	// loaded is nil where the tables lack what a list of classes needs, and loadedErr names it.
	loaded    *loadedLayout
	loadedErr error
	// registers are those of its threads; nil: unknown, as in a core file.
	registers Registers
	// carriersAlone has no other threads sampled than carriers of virtual threads.
	carriersAlone bool
	// clock is System.nanoTime() of the process; nil: unknown, as in a core file.
	clock func() (now int64, ok bool)
	// isStopped reports that no thread of the process can run; nil: none can, as in a core file.
	isStopped func() bool
	// progress, if set, counts the bytes of virtual threads that were read: there may be a million of them.
	progress *atomic.Int64
	boot     *bootClasses
}

// CountProgress has the bytes counted that are read of virtual threads, for those who wait for a reading.
func (j *JVM) CountProgress(counter *atomic.Int64) { j.progress = counter }

// maxLibraries bounds how many mappings of a file libjvm.so are tried: tools map it a second time.
const maxLibraries = 8

// Open reads the tables of a JVM whose libjvm.so begins at an address. An error names each entry
// that this package needs and the tables lack.
func Open(ctx context.Context, memory Memory, libjvm uint64) (*JVM, error) {
	v := newView(ctx, memory)
	lib, err := openLibrary(v, libjvm)
	if err != nil {
		return nil, err
	}
	if _, ok := frameLayouts[lib.machine]; !ok {
		return nil, fmt.Errorf("stacks of %v are not known, those of x86-64 and aarch64 are", lib.machine)
	}
	types, err := readTypes(v, lib)
	if err != nil {
		return nil, err
	}
	layout, err := bind(types)
	if err != nil {
		return nil, err
	}
	j := &JVM{memory: memory, layout: layout, machine: lib.machine, boot: &bootClasses{}}
	j.loaded, j.loadedErr = bindLoaded(types)
	return j, nil
}

// Untested is the processor of a JVM which no test reads, as "aarch64": its frames are known from HotSpot's sources
// alone. Empty for x86-64.
func (j *JVM) Untested() string {
	if j.machine == elf.EM_AARCH64 {
		return "aarch64"
	}
	return ""
}

// vmReader reads the memory of a JVM by its tables.
type vmReader struct {
	*layout
	*view
	// objects reads the heap, whose pages are read again once objects may have moved.
	objects *view
	// major is the feature release: 8, 11, 17.
	major   int
	machine elf.Machine
	flags   map[string]bool
}

// reader reads the threads of one dump: what it keeps of classes, methods and code is right for as long as that
// takes, since what is on a stack is not unloaded.
type reader struct{ codeReader }

// neededFlags are the JVM's flags that change how it lays objects out.
var neededFlags = []string{
	"UseCompressedOops", "UseCompressedClassPointers", "UseCompactObjectHeaders", "UseZGC",
	"UseShenandoahGC", "ZGenerational", "UseSharedSpaces", "UseCompiler", "UseInterpreter",
}

func (j *JVM) reader(ctx context.Context) (*reader, error) {
	r := &reader{}
	if err := r.begin(ctx, j, keepsSelf); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *vmReader) begin(ctx context.Context, j *JVM) {
	*r = vmReader{
		layout: j.layout, view: newView(ctx, j.memory), objects: newView(ctx, j.memory), major: 8, machine: j.machine,
	}
	if !r.vm.isEight {
		r.major = int(r.u32(r.vm.major))
	}
	r.flags = r.readFlags()
}

// maxFlags bounds the table of flags; JDK 26 has 1,500.
const maxFlags = 10_000

// readFlags reads boolean flags by name: an array of JVMFlag (Flag on 8).
func (r *vmReader) readFlags() map[string]bool {
	flags := map[string]bool{}
	for _, name := range neededFlags {
		flags[name] = false
	}
	at, count := r.u64(r.vm.flags), r.u64(r.vm.flagCount)
	found := 0
	for i := uint64(0); i < min(count, maxFlags) && found < len(neededFlags); i++ {
		flag := at + i*r.vm.flagSize
		name, err := r.cstring(r.u64(flag+r.vm.flagName), maxTypeName)
		if _, needed := flags[name]; err == nil && needed {
			flags[name] = r.u8(r.u64(flag+r.vm.flagAddress)) != 0
			found++
		}
	}
	return flags
}
