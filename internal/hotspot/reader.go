package hotspot

import (
	"context"
	"debug/elf"
)

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

// neededFlags are the JVM's flags that change how it lays objects out.
var neededFlags = []string{
	"UseCompressedOops", "UseCompressedClassPointers", "UseCompactObjectHeaders", "UseZGC",
	"UseShenandoahGC", "ZGenerational", "UseSharedSpaces", "UseCompiler", "UseInterpreter",
}

func (r *vmReader) begin(ctx context.Context, j *vmJVM) {
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

// pointer reads a field that holds an address.
func (r *vmReader) pointer(object uint64, n number) uint64 { return uint64(n.of(r.view, object)) }
