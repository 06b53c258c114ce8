package virtual

import (
	"strings"

	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// initialised notes, of an unmounted thread that waits until another one has initialised a class (26 and newer), which
// class that is. It waits for an object without its own name, an int[] that the class's mirror refers to
// (java_lang_Class::init_lock, classfile/javaClasses.hpp).
func (a *assembler) initialised(t *Thread) {
	const lockClass = "[I"
	w := t.Waits
	if w == nil || w.Kind != thread.InWait || w.Object.Class != lockClass ||
		len(t.Frames) > 0 && strings.HasPrefix(t.Frames[0].Text, "java.lang.Object.wait") {
		return
	}
	if a.initLocks == nil {
		a.initLocks = a.readInitLocks()
	}
	if name := a.initLocks[w.Object.Address]; name != "" {
		t.Waits, t.Initialises = nil, name
	}
}

// readInitLocks looks through all classes for those that are initialised now.
func (a *assembler) readInitLocks() map[uint64]string {
	locks := map[uint64]string{}
	mirrors := a.Class(mirrorClass)
	if mirrors == nil {
		return locks
	}
	at, ok := mirrors.Fields["<init_lock>"]
	if !ok {
		return locks
	}
	a.eachClass(func(klass uint64) {
		if a.jvm.Loaded.State.Of(a.View, klass) != a.jvm.Loaded.Initialising {
			return
		}
		mirror := a.Root(klass+a.Layout.Class.Mirror, a.Layout.Class.MirrorIsHandle)
		if lock := a.Reader.Reference(mirror + at); lock != 0 {
			if c := a.ClassAt(klass); c != nil {
				locks[lock] = c.Name
			}
		}
	})
	return locks
}

// eachClass calls see for each class of each loader. Arrays have no state; what is read in its place is not used.
func (a *assembler) eachClass(see func(klass uint64)) {
	l := a.jvm.Loaded
	for data, n := a.U64(l.Head), 0; data != 0 && n < vm.MaxLoaders; data, n = a.U64(data+l.Next), n+1 {
		for k, m := a.U64(data+l.Classes), 0; k != 0 && m < vm.MaxClasses; k, m = a.U64(k+l.NextClass), m+1 {
			a.KeepFew()
			see(k)
		}
	}
}
