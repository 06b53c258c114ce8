package virtual

import (
	"strings"
	"sync"

	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/vm"
	"github.com/jstall/jstall/internal/hotspot/vthread"
)

// BootClasses are the classes of the boot loader that package vthread needs: they are never unloaded. New classes come
// first in the loader's list, so that it is read only as far as it has grown.
type BootClasses struct {
	mu sync.Mutex
	// newest is the first class of the list when it was read, at are the addresses of classes by their names.
	newest uint64
	at     map[string]uint64
}

// jdkClasses reads the classes of the boot loader.
type jdkClasses struct {
	*object.Heap
	loaded *vm.LoadedLayout
	boot   *BootClasses
	// known are the classes that were described, nil those that are not loaded.
	known map[string]*vthread.Class
}

// named is a class of the boot loader by its name, nil if it is not loaded.
func (j *jdkClasses) named(name string) *vthread.Class {
	c, known := j.known[name]
	if known {
		return c
	}
	if j.known == nil {
		j.known = map[string]*vthread.Class{}
	}
	if klass := j.bootClass(name); klass != 0 {
		c = j.describeClass(klass)
	}
	j.known[name] = c
	return c
}

// nearThread is how many classes after java.lang.Thread the JVM's table has java.lang.VirtualThread, at most: it is the
// fifth (classfile/vmClassMacros.hpp).
const nearThread = 16

// bootClass is the address of a class of the boot loader. The JVM has java.lang.VirtualThread in a table: without it
// there is no virtual thread, and the list is not read.
func (j *jdkClasses) bootClass(name string) uint64 {
	if at := j.Layout.Class.ThreadClass; at != 0 && name == vthread.ThreadClass {
		for i := range uint64(nearThread) {
			klass := j.U64(at + i*vm.WordSize)
			if j.Symbol(j.U64(klass+j.Layout.Class.Name)) == strings.ReplaceAll(name, ".", "/") {
				return klass
			}
		}
	}
	b := j.boot
	b.mu.Lock()
	defer b.mu.Unlock()
	j.readBoot(b)
	return b.at[name]
}

// firstClass is the first class that a JVM loads: the last one of the list, but for arrays.
const firstClass = "java.lang.Object"

// mirrorClass is the class of the objects that stand for classes.
const mirrorClass = "java.lang.Class"

// readBoot reads the list of the boot loader as far as it has grown. The list counts as read only if its old end was
// reached: pages that were read earlier may lack the links of classes that are new.
func (j *jdkClasses) readBoot(b *BootClasses) {
	for range vm.Attempts {
		first := j.U64(j.bootLoader() + j.loaded.Classes)
		if first == b.newest {
			return
		}
		j.Forget()
		if j.readNewClasses(b, first) {
			b.newest = first
			return
		}
	}
}

// readNewClasses reads the list from its first class to the one that was first before.
func (j *jdkClasses) readNewClasses(b *BootClasses, first uint64) bool {
	wanted, lengths := map[string]string{}, map[uint16]bool{}
	for _, name := range append(vthread.ClassNames(), firstClass, mirrorClass) {
		internal := strings.ReplaceAll(name, ".", "/")
		wanted[internal], lengths[uint16(len(internal))] = name, true
	}
	if b.at == nil {
		b.at = map[string]uint64{}
	}
	k := first
	for n := 0; k != 0 && k != b.newest && n < vm.MaxClasses && j.Ctx.Err() == nil; n++ {
		j.keepSome()
		symbol := j.U64(k + j.Layout.Class.Name)
		if lengths[j.U16(symbol+j.Layout.Class.SymbolLength)] {
			if name, ok := wanted[j.Symbol(symbol)]; ok {
				b.at[name] = k
			}
		}
		k = j.U64(k + j.loaded.NextClass)
	}
	return k == b.newest && b.at[firstClass] != 0
}

// keepSome forgets all pages once there are very many.
func (j *jdkClasses) keepSome() {
	if len(j.Pages) > vm.MaxKept {
		j.Forget()
	}
}

// bootLoader is the ClassLoaderData of the boot loader, that of java.lang.Thread.
func (j *jdkClasses) bootLoader() uint64 {
	l := j.loaded
	if at := j.Layout.Class.ThreadClass; at != 0 {
		return j.U64(j.U64(at) + l.LoaderOfClass)
	}
	for data, n := j.U64(l.Head), 0; data != 0 && n < vm.MaxLoaders; data, n = j.U64(data+l.Next), n+1 {
		hidden := l.OwnHolder.Known && l.OwnHolder.Of(j.View, data) != 0
		if !hidden && j.Root(data+l.Loader, l.LoaderIsHandle) == 0 {
			return data
		}
	}
	return 0
}

// describeClass reads where a class has its fields, and those of its superclasses.
func (j *jdkClasses) describeClass(klass uint64) *vthread.Class {
	const sizeBits = ^uint32(vm.WordSize - 1) // the lowest bit of Klass::_layout_helper is a flag
	c := &vthread.Class{
		Address: klass, Size: uint64(j.U32(klass+j.Encoding.LayoutHelper) & sizeBits),
		Initialised: j.loaded.State.Of(j.View, klass) == j.loaded.Initialised,
		Fields:      map[string]uint64{}, Static: map[string]uint64{},
	}
	mirror := j.Root(klass+j.Layout.Class.Mirror, j.Layout.Class.MirrorIsHandle)
	for k, n := klass, 0; k != 0 && n < object.MaxSupers; k, n = j.U64(k+j.Layout.Class.Super), n+1 {
		for _, f := range j.AllFields(k) {
			_, known := c.Fields[f.Name]
			switch {
			case f.Static && k == klass && mirror != 0:
				c.Static[f.Name] = mirror + f.At
			case !f.Static && !known:
				c.Fields[f.Name] = f.At
			}
		}
	}
	return c
}
