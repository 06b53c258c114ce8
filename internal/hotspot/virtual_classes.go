package hotspot

import (
	"strings"

	"jstall/internal/hotspot/vthread"
)

// Class implements vthread.Classes.
func (v *virtualVM) Class(name string) *vthread.Class {
	if v.boot == nil {
		v.readBoot()
	}
	return v.boot[name]
}

// readBoot looks for the classes of the boot loader that package vthread wants.
func (v *virtualVM) readBoot() {
	v.boot = map[string]*vthread.Class{}
	wanted, lengths := map[string]string{}, map[uint16]bool{}
	for _, name := range append(vthread.ClassNames(), "java.lang.Class") {
		internal := strings.ReplaceAll(name, ".", "/")
		wanted[internal], lengths[uint16(len(internal))] = name, true
	}
	l := v.jvm.loaded
	for data, n := v.u64(l.head), 0; data != 0 && n < maxLoaders; data, n = v.u64(data+l.next), n+1 {
		if v.root(data+l.loader, l.loaderIsHandle) != 0 || l.ownHolder.known && l.ownHolder.of(v.view, data) != 0 {
			continue
		}
		for k, m := v.u64(data+l.classes), 0; k != 0 && m < maxClasses; k, m = v.u64(k+l.nextClass), m+1 {
			symbol := v.u64(k + v.class.name)
			if !lengths[v.u16(symbol+v.class.symbolLength)] {
				continue
			}
			if name, ok := wanted[v.symbol(symbol)]; ok {
				v.boot[name] = v.describeClass(k)
			}
		}
	}
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
