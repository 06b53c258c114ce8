package object

// ModuleOf is the module of a class as a frame prints it, "java.base@21.0.1/". It is read from the
// class's java.lang.Class: HotSpot's own tables do not tell of modules.
func (r *Reader) ModuleOf(c *Class) string {
	if c.module == nil {
		text := ""
		if r.Major > 8 {
			text = r.readModule(r.Root(c.Klass+r.Class.Mirror, r.Class.MirrorIsHandle))
		}
		c.module = &text
	}
	return *c.module
}

func (r *Reader) readModule(mirror uint64) string {
	module, ok := r.ReferenceField(mirror, "module")
	if !ok {
		return ""
	}
	nameAt, _ := r.ReferenceField(module, "name")
	units, ok := r.JavaString(nameAt)
	if !ok || len(units) == 0 {
		return ""
	}
	name := units.String()
	descriptor, _ := r.ReferenceField(module, "descriptor")
	version, _ := r.ReferenceField(descriptor, "version")
	text, ok := r.ReferenceField(version, "version")
	if !ok { // one that is no ModuleDescriptor.Version
		text, _ = r.ReferenceField(descriptor, "rawVersionString")
	}
	if version, ok := r.JavaString(text); ok && len(version) > 0 {
		name += "@" + version.String()
	}
	return name + "/"
}
