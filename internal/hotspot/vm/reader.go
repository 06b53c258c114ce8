package vm

import (
	"context"
	"debug/elf"
)

// Reader reads the memory of a JVM by its tables.
type Reader struct {
	*Layout
	*View
	// Objects reads the heap, whose pages are read again once objects may have moved.
	Objects *View
	// Major is the feature release: 8, 11, 17.
	Major   int
	Machine elf.Machine
	Flags   map[string]bool
}

// neededFlags are the JVM's flags that change how it lays objects out.
var neededFlags = []string{
	"UseCompressedOops", "UseCompressedClassPointers", "UseCompactObjectHeaders", "UseZGC",
	"UseShenandoahGC", "ZGenerational", "UseSharedSpaces", "UseCompiler", "UseInterpreter",
}

func (r *Reader) Begin(ctx context.Context, j *JVM) {
	*r = Reader{
		Layout: j.layout, View: newView(ctx, j.memory), Objects: newView(ctx, j.memory), Major: 8, Machine: j.Machine,
	}
	if !r.VM.isEight {
		r.Major = int(r.U32(r.VM.major))
	}
	r.Flags = r.readFlags()
}

// maxFlags bounds the table of flags; JDK 26 has 1,500.
const maxFlags = 10_000

// readFlags reads boolean flags by name: an array of JVMFlag (Flag on 8).
func (r *Reader) readFlags() map[string]bool {
	flags := map[string]bool{}
	for _, name := range neededFlags {
		flags[name] = false
	}
	at, count := r.U64(r.VM.flags), r.U64(r.VM.flagCount)
	found := 0
	for i := uint64(0); i < min(count, maxFlags) && found < len(neededFlags); i++ {
		flag := at + i*r.VM.flagSize
		name, err := r.CString(r.U64(flag+r.VM.flagName), maxTypeName)
		if _, needed := flags[name]; err == nil && needed {
			flags[name] = r.U8(r.U64(flag+r.VM.flagAddress)) != 0
			found++
		}
	}
	return flags
}

// Pointer reads a field that holds an address.
func (r *Reader) Pointer(object uint64, n Number) uint64 { return uint64(n.Of(r.View, object)) }
