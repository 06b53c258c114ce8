package object

// ModuleOf is the module of a class as a frame prints it, "java.base@21.0.1/". It is read from the
// class's java.lang.Class: HotSpot's own tables do not tell of modules.
func (r *Reader) ModuleOf(c *Class) string {
	if c.module != nil || r.Major <= 8 {
		return c.knownModule()
	}
	text, ok := "", false
	for range 2 {
		text, ok = r.readModule(r.Root(c.Klass+r.Class.Mirror, r.Class.MirrorIsHandle))
		if c.moduleReads++; ok {
			break
		}
	}
	if ok || c.moduleReads >= mostModuleReads {
		c.module = &text
	}
	return text
}

// mostModuleReads is how often the module of a class is read: its objects may move meanwhile, and are found the next
// time.
const mostModuleReads = 10

func (c *Class) knownModule() string {
	if c.module == nil {
		return ""
	}
	return *c.module
}

// readModule is false if what it read is not a whole module. The unnamed module has no text.
func (r *Reader) readModule(mirror uint64) (string, bool) {
	module, ok := r.ReferenceField(mirror, "module")
	if !ok {
		return "", false
	}
	nameAt, ok := r.ReferenceField(module, "name")
	if !ok {
		c := r.ClassOf(module) // memory that the collector has cleared has no name either
		return "", c != nil && c.Name == "java.lang.Module"
	}
	units, ok := r.JavaString(nameAt)
	if !ok || len(units) == 0 {
		return "", false
	}
	name := units.String()
	descriptor, ok := r.ReferenceField(module, "descriptor")
	version, _ := r.ReferenceField(descriptor, "version")
	text, isVersion := r.ReferenceField(version, "version")
	if !isVersion { // one that is no ModuleDescriptor.Version
		text, _ = r.ReferenceField(descriptor, "rawVersionString")
	}
	if version, isText := r.JavaString(text); isText && len(version) > 0 {
		name += "@" + version.String()
	}
	return name + "/", ok
}
