package object

import (
	"context"

	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// Reader reads the fields of objects by their names.
type Reader struct{ Heap }

func (r *Reader) Begin(ctx context.Context, j *vm.JVM) {
	r.Reader.Begin(ctx, j)
	r.Classes = map[uint64]*Class{}
	r.readEncoding()
}

// Field is the address of an instance field of an object.
func (r *Reader) Field(oop uint64, name string) (uint64, bool) {
	at, ok := r.FieldOf(r.ClassOf(oop), name)
	return oop + at, ok
}

// ReferenceField reads a field of an object that refers to another one; false if there is no such
// field, or it is null.
func (r *Reader) ReferenceField(oop uint64, name string) (uint64, bool) {
	at, ok := r.Field(oop, name)
	if !ok {
		return 0, false
	}
	to := r.Reference(at)
	return to, to != 0
}

// RunnableOf is what a java.lang.Thread runs: its field target up to 18, holder.task from 19 on.
func (r *Reader) RunnableOf(thread uint64) uint64 {
	if target, ok := r.ReferenceField(thread, "target"); ok {
		return target
	}
	holder, _ := r.ReferenceField(thread, "holder")
	task, _ := r.ReferenceField(holder, "task")
	return task
}

// Declared is the address of a field that a class of this name declares, of an object of it or of a subclass.
func (r *Reader) Declared(oop uint64, class, name string) (uint64, bool) {
	c := r.ClassOf(oop)
	for range MaxSupers {
		if c == nil {
			break
		}
		if c.Name == class {
			if c.fields == nil {
				c.fields = r.instanceFields(c.Klass)
			}
			at, ok := c.fields[name]
			return oop + at, ok
		}
		c = r.ClassAt(c.super)
	}
	return 0, false
}

// DeclaredInt reads a field of type int.
func (r *Reader) DeclaredInt(oop uint64, class, name string) (int, bool) {
	at, ok := r.Declared(oop, class, name)
	if !ok {
		return 0, false
	}
	return int(r.Objects.I32(at)), true
}

// DeclaredReference reads a field that refers to an object; false if it refers to no object.
func (r *Reader) DeclaredReference(oop uint64, class, name string) (uint64, bool) {
	at, ok := r.Declared(oop, class, name)
	if !ok {
		return 0, false
	}
	to := r.Reference(at)
	return to, to != 0
}

// DeclaredThread is the Java id of the thread that a field refers to, 0 if of none.
func (r *Reader) DeclaredThread(oop uint64, class, name string) int64 {
	if thread, ok := r.DeclaredReference(oop, class, name); ok {
		return r.ThreadID(thread)
	}
	return 0
}

// IsA reports whether an object is of a class of this name or of a subclass.
func (r *Reader) IsA(oop uint64, class string) bool {
	c := r.ClassOf(oop)
	for range MaxSupers {
		if c == nil || c.Name == class {
			break
		}
		c = r.ClassAt(c.super)
	}
	return c != nil
}

// ThreadID is the id of a java.lang.Thread, 0 if it cannot be read.
func (r *Reader) ThreadID(thread uint64) int64 {
	at, ok := r.Field(thread, "tid")
	if !ok {
		return 0
	}
	return int64(r.Objects.U64(at))
}

// PlainObject describes an object; without a class if there is no object at the address.
func (r *Reader) PlainObject(oop uint64) ID {
	c := r.ClassOf(oop)
	if c == nil {
		return ID{}
	}
	return ID{Address: oop, Class: c.Name}
}

// Object is PlainObject; of a java.lang.Class it adds which class that is.
func (r *Reader) Object(oop uint64) ID {
	o := r.PlainObject(oop)
	if o.Class == "java.lang.Class" {
		if of := r.ClassOfMirror(oop); of != nil {
			o.Class += " for " + of.Name
		}
	}
	return o
}

// SynchronizerOwner is the Java id of the thread that owns an AbstractOwnableSynchronizer.
func (r *Reader) SynchronizerOwner(oop uint64) int64 {
	at, ok := r.Field(oop, "exclusiveOwnerThread")
	if !ok {
		return 0
	}
	if owner := r.Reference(at); owner != 0 {
		return r.ThreadID(owner)
	}
	return 0
}

// ClassOfMirror is the class that a java.lang.Class is for.
func (r *Reader) ClassOfMirror(mirror uint64) *Class {
	if mirror == 0 || r.Class.MirrorClass == 0 {
		return nil
	}
	return r.ClassAt(r.Objects.U64(mirror + uint64(r.U32(r.Class.MirrorClass))))
}

type (
	ID = object.ID
)
