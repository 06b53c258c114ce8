package classes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/vm"
	"github.com/jstall/jstall/internal/order"
)

// List is what a JVM has loaded: the classes of files and of programs that define some. Classes of arrays and
// hidden classes, which no other class can name, are counted only.
type List struct {
	// Loaders are those of Classes, by name and class.
	Loaders []Loader
	// Classes are in the order of their names.
	Classes []Class
	// Arrays counts classes of arrays; Hidden hidden classes and, on 11, anonymous ones; Lambdas those of them that
	// lambdas are made of. 8 lists none of them: CountsUnknown.
	Arrays, Hidden, Lambdas int
	CountsUnknown           bool
	// CallsUnknown reports that this JVM counts no calls, as with -Xint.
	CallsUnknown bool
	// Moved reports that the list changed each time it was read: classes may be missing.
	Moved bool
}

// Loader is a class loader.
type Loader struct {
	// Name is "boot", "platform", "app", or what the program gave it; empty without a name.
	Name string
	// Class is empty for the boot loader, and where it could not be read.
	Class string
}

// Class is a loaded class or interface.
type Class struct {
	// Name is as in Java: java.util.HashMap$Node.
	Name string
	// Loader is an index of ClassList.Loaders.
	Loader    int
	State     ClassState
	Interface bool
	// Implemented reports, of an interface, that an initialised class implements it. Interfaces are not initialised
	// with their classes.
	Implemented bool
	// Called reports that a method other than the static initialiser was called.
	Called bool
	// Uncalled are methods that were never called, if they were asked for.
	Uncalled []Method
	// Redefined reports that its code was replaced (by an agent, a debugger or the flight recorder) and that nothing
	// proves a call since: the JVM counts the calls of the new code only, so those before are not known.
	Redefined bool
	// Counts are how often its methods were called, if that was asked for.
	Counts []MethodCount

	key classKey
}

// Unused reports that neither the class nor, of an interface, an implementation was initialised.
func (c *Class) Unused() bool { return c.State == Loaded && !c.Implemented }

// ClassState is how far the initialisation of a class has come.
type ClassState uint8

const (
	// Loaded is not initialised, whether linked or not.
	Loaded ClassState = iota
	// Initialising has begun and not ended.
	Initialising
	// Initialised is complete.
	Initialised
	// Failed ended with an exception.
	Failed
)

func (s ClassState) String() string {
	return [...]string{"loaded", "initialising", "initialised", "failed"}[s]
}

// Method is a method that was never called.
type Method struct {
	Name, Descriptor string
	// Unsure reports that it may have run without a call: as a part of another one's compiled code, or by code that the
	// JVM has in its place.
	Unsure bool

	at, pool  uint64
	size      uint16
	reference reference
}

// Options say what is read of classes.
type Options struct {
	// Methods asks for methods that were never called, of classes whose name Wanted accepts.
	Methods bool
	// Counts asks for the JVM's counters of the methods of these classes.
	Counts bool
	Wanted func(name string) bool
}

const (
	// maxBuckets bounds the table of 8, which has 20,011 at most.
	maxBuckets = 1 << 20
	// maxNames bounds the names of all classes and methods, in bytes: 100,000 classes have 6 MB.
	maxNames = 128 << 20
)

// classKey is where a class is, and what distinguishes it from another one that is there later.
type classKey struct {
	klass, loader uint64
	name          string
}

// Read reads what is loaded. Lists are read twice: a class counts that is in both.
func Read(r *stack.Reader, l *vm.LoadedLayout, o Options) (*List, error) {
	c := &reader{Reader: r, l: l, options: o}
	list := c.read()
	switch {
	case r.Err != nil:
		return nil, fmt.Errorf("the list of classes is not complete: %w", r.Err)
	case r.Objects.Err != nil:
		return nil, fmt.Errorf("the list of classes is not complete: %w", r.Objects.Err)
	}
	return list, nil
}

// reader reads the lists of one JVM.
type reader struct {
	*stack.Reader
	l       *vm.LoadedLayout
	options Options
	names   int // bytes of names so far
	// calls reports that some method has a count, or code that calls have led to.
	calls    bool
	compiled compiledCode
}

func (c *reader) read() *List {
	list := &List{}
	c.readCompiled()
	var found *foundClasses
	for range vm.Attempts {
		found = c.walk(true)
		again := c.walk(false)
		if c.Err != nil {
			return list
		}
		found.keep(again)
		if list.Moved = found.torn || again.torn; !list.Moved {
			break
		}
	}
	list.Arrays, list.Hidden, list.Lambdas = found.arrays, found.hidden, found.lambdas
	list.CountsUnknown, list.CallsUnknown = c.l.Dictionary.At != 0, !c.calls
	list.Classes = slices.Collect(maps.Values(found.classes))
	order.Sort(list.Classes, func(a, b Class) int {
		if byName := strings.Compare(a.Name, b.Name); byName != 0 {
			return byName
		}
		return int(int64(a.key.loader>>1) - int64(b.key.loader>>1))
	})
	found.markImplemented(list.Classes)
	if c.options.Methods {
		c.markUnsure(list.Classes)
	}
	c.nameLoaders(list)
	return list
}

// foundClasses are those of one walk.
type foundClasses struct {
	classes map[classIn]Class
	// implemented are the addresses of interfaces that initialised classes implement.
	implemented             map[uint64]bool
	arrays, hidden, lambdas int
	// torn reports that a list led to what is no class of it.
	torn bool
}

// classIn is a name within a loader. A class that is being redefined is listed twice.
type classIn struct {
	loader uint64
	name   string
}

// keep leaves out classes that another walk has not found.
func (f *foundClasses) keep(again *foundClasses) {
	maps.DeleteFunc(f.classes, func(at classIn, c Class) bool { return again.classes[at].key != c.key })
}

func (f *foundClasses) markImplemented(classes []Class) {
	for i := range classes {
		classes[i].Implemented = classes[i].Interface && f.implemented[classes[i].key.klass]
	}
}

// walk reads all lists anew.
func (c *reader) walk(details bool) *foundClasses {
	c.Forget()
	f := &foundClasses{classes: map[classIn]Class{}, implemented: map[uint64]bool{}}
	see := func(klass, loader uint64) bool { return c.see(f, klass, loader, details) }
	if c.l.Dictionary.At != 0 {
		c.walkDictionary(f, see)
	} else {
		c.walkLoaders(f, see)
	}
	return f
}

// walkLoaders follows the list of loaders, newest first, and the list of classes of each.
func (c *reader) walkLoaders(f *foundClasses, see func(klass, loader uint64) bool) {
	seen := map[uint64]bool{}
	for data := c.U64(c.l.Head); data != 0 && c.goesOn(f); data = c.U64(data + c.l.Next) {
		if seen[data] || len(seen) >= vm.MaxLoaders {
			f.torn = true
			return
		}
		seen[data] = true
		inLoader := map[uint64]bool{}
		for klass := c.U64(data + c.l.Classes); klass != 0 && c.goesOn(f); klass = c.U64(klass + c.l.NextClass) {
			if inLoader[klass] || !see(klass, data) {
				f.torn = true
				break
			}
			inLoader[klass] = true
		}
	}
}

// walkDictionary reads the table of 8. It has an entry for each loader that was asked for a class: the one that
// defined it counts. The lowest bit of a link reports whether its entry is in the archive of classes.
func (c *reader) walkDictionary(f *foundClasses, see func(klass, loader uint64) bool) {
	l := &c.l.Dictionary
	table := c.U64(l.At)
	buckets, size := c.U64(table+l.Buckets), c.U32(table+l.Size)
	if size > maxBuckets {
		f.torn = true
		return
	}
	seen := map[uint64]bool{}
	for i := range uint64(size) {
		entry := c.U64(buckets+i*vm.WordSize+l.Entry) &^ 1
		for entry != 0 && c.goesOn(f) {
			if seen[entry] || len(seen) > 4*vm.MaxClasses {
				f.torn = true
				return
			}
			seen[entry] = true
			klass, loader := c.U64(entry+l.Literal), c.U64(entry+l.Loader)
			if klass < vm.LowestAddress || klass&7 != 0 {
				f.torn = true
				break
			}
			if c.U64(klass+c.l.LoaderOfClass) == loader && !see(klass, loader) {
				f.torn = true
			}
			entry = c.U64(entry+l.Next) &^ 1
		}
	}
}

// errTooManyClasses is why a list is not read that has more than any JVM has.
var errTooManyClasses = fmt.Errorf("more than %d classes, or %d MB of names", vm.MaxClasses, maxNames>>20)

// goesOn bounds a walk in memory and in time, also where all that it reads was read before.
func (c *reader) goesOn(f *foundClasses) bool {
	if c.mayGoOn() && (len(f.classes)+f.arrays+f.hidden > vm.MaxClasses || c.names > maxNames) {
		c.Err = errTooManyClasses
	}
	return c.Err == nil
}

// mayGoOn bounds the pages that are kept, and ends with the context.
func (c *reader) mayGoOn() bool {
	if len(c.Pages) > vm.MaxKept {
		c.Forget()
	}
	if c.Err == nil {
		c.Err = c.Ctx.Err()
	}
	return c.Err == nil
}

// see notes a class; false if there is no class of this loader at the address.
func (c *reader) see(f *foundClasses, klass, loader uint64, details bool) bool {
	if klass < vm.LowestAddress || klass&7 != 0 || c.U64(klass+c.l.LoaderOfClass) != loader {
		return false
	}
	name := c.Symbol(c.U64(klass + c.Class.Name))
	if !isListedName(name) {
		return false
	}
	if int32(c.U32(klass+c.Encoding.LayoutHelper)) < 0 {
		f.arrays++
		return true
	}
	state := c.l.State.Of(c.View, klass)
	const allocated = 0 // InstanceKlass::ClassState: it is being read, or the reading failed
	switch {
	case state == allocated:
		return true
	case c.isHidden(klass, loader, name):
		f.hidden++
		if strings.Contains(name, "$$Lambda") {
			f.lambdas++
		}
		return true
	}
	name = strings.ReplaceAll(name, "/", ".")
	at := classIn{loader, name}
	found := Class{Name: name, State: c.stateOf(state), key: classKey{klass, loader, name}}
	if other, twice := f.classes[at]; twice && other.State >= found.State {
		return true
	}
	c.names += len(name)
	if details {
		c.detail(f, &found)
	}
	f.classes[at] = found
	return true
}

// isListedName keeps what cannot be the name of a class from passing for one. A class of a list may have any character
// in its name that the class file format allows (JVMS 4.2.1), also control characters.
func isListedName(name string) bool { return name != "" && !strings.ContainsAny(name, ".\x00") }

func (c *reader) stateOf(state int64) ClassState {
	switch state {
	case c.l.Initialising:
		return Initialising
	case c.l.Initialised:
		return Initialised
	case c.l.Failed:
		return Failed
	}
	return Loaded
}

// isHidden recognises a class that no other one can name: its symbol ends in an address (15 and newer), or it is
// anonymous and has separate data (up to 16).
func (c *reader) isHidden(klass, loader uint64, name string) bool {
	if i := strings.LastIndexByte(name, '+'); i > 0 && strings.HasPrefix(name[i:], "+0x") {
		return true
	}
	if c.l.OwnHolder.Known && c.l.OwnHolder.Of(c.View, loader) != 0 {
		return true
	}
	return c.Class.AnonymousFlag != 0 && c.Class.Flags.Known &&
		uint64(c.Class.Flags.Of(c.View, klass))&c.Class.AnonymousFlag != 0
}

// detail reads what the class implements and which methods were called.
func (c *reader) detail(f *foundClasses, found *Class) {
	const accessInterface = 0x200
	klass := found.key.klass
	found.Interface = c.U16(klass+c.l.Access)&accessInterface != 0
	if found.State != Loaded && !found.Interface {
		for _, at := range c.pointers(c.U64(klass + c.l.Interfaces)) {
			f.implemented[at] = true
		}
	}
	c.readCalls(found)
	if c.options.Counts && c.options.Wanted != nil && c.options.Wanted(found.Name) {
		c.readCounts(found)
	}
}

// pointers are the elements of an Array of pointers: 4 bytes of length, and the elements from 8 on.
func (c *reader) pointers(array uint64) []uint64 {
	const maxElements = 1<<16 - 1 // a class file has no more methods or interfaces
	count := uint64(c.U32(array))
	if array < vm.LowestAddress || count > maxElements {
		return nil
	}
	return words(c.Bytes(array+c.l.MethodsData, count*vm.WordSize, maxElements*vm.WordSize))
}
