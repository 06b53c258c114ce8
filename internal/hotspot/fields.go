package hotspot

import (
	"context"

	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// field is the address of an instance field of an object.
func (r *objectReader) field(oop uint64, name string) (uint64, bool) {
	at, ok := r.fieldOf(r.classOf(oop), name)
	return oop + at, ok
}

// referenceField reads a field of an object that refers to another one; false if there is no such
// field, or it is null.
func (r *objectReader) referenceField(oop uint64, name string) (uint64, bool) {
	at, ok := r.field(oop, name)
	if !ok {
		return 0, false
	}
	to := r.reference(at)
	return to, to != 0
}

// runnableOf is what a java.lang.Thread runs: its field target up to 18, holder.task from 19 on.
func (r *objectReader) runnableOf(thread uint64) uint64 {
	if target, ok := r.referenceField(thread, "target"); ok {
		return target
	}
	holder, _ := r.referenceField(thread, "holder")
	task, _ := r.referenceField(holder, "task")
	return task
}

// declared is the address of a field that a class of this name declares, of an object of it or of a subclass.
func (r *objectReader) declared(oop uint64, class, name string) (uint64, bool) {
	c := r.classOf(oop)
	for range maxSupers {
		if c == nil {
			break
		}
		if c.name == class {
			if c.fields == nil {
				c.fields = r.instanceFields(c.klass)
			}
			at, ok := c.fields[name]
			return oop + at, ok
		}
		c = r.classAt(c.super)
	}
	return 0, false
}

// declaredInt reads a field of type int.
func (r *objectReader) declaredInt(oop uint64, class, name string) (int, bool) {
	at, ok := r.declared(oop, class, name)
	if !ok {
		return 0, false
	}
	return int(r.Objects.I32(at)), true
}

// declaredReference reads a field that refers to an object; false if there is none.
func (r *objectReader) declaredReference(oop uint64, class, name string) (uint64, bool) {
	at, ok := r.declared(oop, class, name)
	if !ok {
		return 0, false
	}
	to := r.reference(at)
	return to, to != 0
}

// declaredThread is the Java id of the thread that a field refers to, 0 if of none.
func (r *objectReader) declaredThread(oop uint64, class, name string) int64 {
	if thread, ok := r.declaredReference(oop, class, name); ok {
		return r.threadID(thread)
	}
	return 0
}

// isA tells whether an object is of a class of this name or of a subclass.
func (r *objectReader) isA(oop uint64, class string) bool {
	c := r.classOf(oop)
	for range maxSupers {
		if c == nil || c.name == class {
			break
		}
		c = r.classAt(c.super)
	}
	return c != nil
}

// threadID is the id of a java.lang.Thread, 0 if it cannot be read.
func (r *objectReader) threadID(thread uint64) int64 {
	at, ok := r.field(thread, "tid")
	if !ok {
		return 0
	}
	return int64(r.Objects.U64(at))
}

// objectReader reads the fields of objects by their names.
type objectReader struct{ heapReader }

func (r *objectReader) begin(ctx context.Context, j *vm.JVM) {
	r.Reader.Begin(ctx, j)
	r.classes = map[uint64]*class{}
	r.readEncoding()
}

// plainObject describes an object; without a class if there is none at the address.
func (r *objectReader) plainObject(oop uint64) Object {
	c := r.classOf(oop)
	if c == nil {
		return Object{}
	}
	return Object{Address: oop, Class: c.name}
}

// object is plainObject, and of a java.lang.Class tells which one.
func (r *objectReader) object(oop uint64) Object {
	o := r.plainObject(oop)
	if o.Class == "java.lang.Class" {
		if of := r.classOfMirror(oop); of != nil {
			o.Class += " for " + of.name
		}
	}
	return o
}

// synchronizerOwner is the Java id of the thread that owns an AbstractOwnableSynchronizer.
func (r *objectReader) synchronizerOwner(oop uint64) int64 {
	at, ok := r.field(oop, "exclusiveOwnerThread")
	if !ok {
		return 0
	}
	if owner := r.reference(at); owner != 0 {
		return r.threadID(owner)
	}
	return 0
}

// classOfMirror is the class that a java.lang.Class is for.
func (r *objectReader) classOfMirror(mirror uint64) *class {
	if mirror == 0 || r.Class.MirrorClass == 0 {
		return nil
	}
	return r.classAt(r.Objects.U64(mirror + uint64(r.U32(r.Class.MirrorClass))))
}

type (
	Object = object.ID
)
