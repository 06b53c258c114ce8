package hotspot

// moduleOf is the module of a class as a frame prints it, "java.base@21.0.1/". It is read from the
// class's java.lang.Class: HotSpot's own tables do not tell of modules.
func (r *objectReader) moduleOf(c *class) string {
	if c.module == nil {
		text := ""
		if r.Major > 8 {
			text = r.readModule(r.root(c.klass+r.Class.Mirror, r.Class.MirrorIsHandle))
		}
		c.module = &text
	}
	return *c.module
}

func (r *objectReader) readModule(mirror uint64) string {
	module, ok := r.referenceField(mirror, "module")
	if !ok {
		return ""
	}
	nameAt, _ := r.referenceField(module, "name")
	units, ok := r.javaString(nameAt)
	if !ok || len(units) == 0 {
		return ""
	}
	name := units.String()
	descriptor, _ := r.referenceField(module, "descriptor")
	version, _ := r.referenceField(descriptor, "version")
	text, ok := r.referenceField(version, "version")
	if !ok { // one that is no ModuleDescriptor.Version
		text, _ = r.referenceField(descriptor, "rawVersionString")
	}
	if version, ok := r.javaString(text); ok && len(version) > 0 {
		name += "@" + version.String()
	}
	return name + "/"
}
