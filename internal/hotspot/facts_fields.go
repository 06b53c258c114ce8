package hotspot

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
	return int(r.objects.i32(at)), true
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

// references are the elements of an array of references, at most limit of them; nil if there is no array.
func (f *factReader) references(array uint64, limit int) []uint64 {
	c := f.classOf(array)
	if c == nil || len(c.name) < 2 || c.name[0] != '[' || c.name[1] != 'L' && c.name[1] != '[' {
		return nil
	}
	helper := f.u32(f.klassOf(array) + f.encoding.layoutHelper)
	at, step := array+uint64(helper>>16&0xff), uint64(wordSize)
	if f.heap.compressedOops {
		step = wordSize / 2
	}
	all := make([]uint64, min(int(f.objects.u32(array+f.lengthOffset())), limit, f.left))
	f.left -= len(all)
	for i := range all {
		all[i] = f.reference(at + uint64(i)*step)
	}
	return all
}
