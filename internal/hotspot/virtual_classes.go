package hotspot

import (
	"strings"
	"sync"

	"github.com/jstall/jstall/internal/hotspot/vthread"
)

// bootClasses are the classes of the boot loader that package vthread needs: they are never unloaded. New classes come
// first in the loader's list, so that it is read only as far as it has grown.
type bootClasses struct {
	mu sync.Mutex
	// newest is the first class of the list when it was read, at are the addresses of classes by their names.
	newest uint64
	at     map[string]uint64
}

// Class implements vthread.Classes.
func (v *virtualVM) Class(name string) *vthread.Class {
	c, known := v.known[name]
	if known {
		return c
	}
	if v.known == nil {
		v.known = map[string]*vthread.Class{}
	}
	if klass := v.bootClass(name); klass != 0 {
		c = v.describeClass(klass)
	}
	v.known[name] = c
	return c
}

// nearThread is how many classes after java.lang.Thread the JVM's table has java.lang.VirtualThread, at most: it is the
// fifth (classfile/vmClassMacros.hpp).
const nearThread = 16

// bootClass is the address of a class of the boot loader. The JVM has java.lang.VirtualThread in a table: without it
// there is no virtual thread, and the list is not read.
func (v *virtualVM) bootClass(name string) uint64 {
	if at := v.class.threadClass; at != 0 && name == vthread.ThreadClass {
		for i := range uint64(nearThread) {
			if k := v.u64(at + i*wordSize); v.symbol(v.u64(k+v.class.name)) == strings.ReplaceAll(name, ".", "/") {
				return k
			}
		}
	}
	b := v.jvm.boot
	b.mu.Lock()
	defer b.mu.Unlock()
	v.readBoot(b)
	return b.at[name]
}

// firstClass is the first class that a JVM loads: the last one of the list, but for arrays.
const firstClass = "java.lang.Object"

// mirrorClass is the class of the objects that stand for classes.
const mirrorClass = "java.lang.Class"

// readBoot reads the list of the boot loader as far as it has grown. The list counts as read only if its old end was
// reached: pages that were read earlier may lack the links of classes that are new.
func (v *virtualVM) readBoot(b *bootClasses) {
	for range attempts {
		first := v.u64(v.bootLoader() + v.jvm.loaded.classes)
		if first == b.newest {
			return
		}
		v.forget()
		if v.readNewClasses(b, first) {
			b.newest = first
			return
		}
	}
}

// readNewClasses reads the list from its first class to the one that was first before.
func (v *virtualVM) readNewClasses(b *bootClasses, first uint64) bool {
	wanted, lengths := map[string]string{}, map[uint16]bool{}
	for _, name := range append(vthread.ClassNames(), firstClass, mirrorClass) {
		internal := strings.ReplaceAll(name, ".", "/")
		wanted[internal], lengths[uint16(len(internal))] = name, true
	}
	if b.at == nil {
		b.at = map[string]uint64{}
	}
	k := first
	for n := 0; k != 0 && k != b.newest && n < maxClasses; n++ {
		v.keepSome()
		symbol := v.u64(k + v.class.name)
		if lengths[v.u16(symbol+v.class.symbolLength)] {
			if name, ok := wanted[v.symbol(symbol)]; ok {
				b.at[name] = k
			}
		}
		k = v.u64(k + v.jvm.loaded.nextClass)
	}
	return k == b.newest && b.at[firstClass] != 0
}

// keepSome forgets all pages once there are very many.
func (v *virtualVM) keepSome() {
	if len(v.pages) > maxKept {
		v.forget()
	}
}

// bootLoader is the ClassLoaderData of the boot loader, that of java.lang.Thread.
func (v *virtualVM) bootLoader() uint64 {
	l := v.jvm.loaded
	if at := v.class.threadClass; at != 0 {
		return v.u64(v.u64(at) + l.loaderOfClass)
	}
	for data, n := v.u64(l.head), 0; data != 0 && n < maxLoaders; data, n = v.u64(data+l.next), n+1 {
		hidden := l.ownHolder.known && l.ownHolder.of(v.view, data) != 0
		if !hidden && v.root(data+l.loader, l.loaderIsHandle) == 0 {
			return data
		}
	}
	return 0
}

// describeClass reads where a class has its fields, and those of its superclasses.
func (v *virtualVM) describeClass(klass uint64) *vthread.Class {
	const sizeBits = ^uint32(wordSize - 1) // the lowest bit of Klass::_layout_helper is a flag
	c := &vthread.Class{
		Address: klass, Size: uint64(v.u32(klass+v.encoding.layoutHelper) & sizeBits),
		Initialised: v.jvm.loaded.state.of(v.view, klass) == v.jvm.loaded.initialised,
		Fields:      map[string]uint64{}, Static: map[string]uint64{},
	}
	mirror := v.root(klass+v.class.mirror, v.class.mirrorIsHandle)
	for k, n := klass, 0; k != 0 && n < maxSupers; k, n = v.u64(k+v.class.super), n+1 {
		for _, f := range v.allFields(k) {
			_, known := c.Fields[f.name]
			switch {
			case f.static && k == klass && mirror != 0:
				c.Static[f.name] = mirror + f.at
			case !f.static && !known:
				c.Fields[f.name] = f.at
			}
		}
	}
	return c
}
