package jfr

import "strings"

// Kind is what a value of a type is.
type Kind byte

// The kinds of types.
const (
	Object Kind = iota
	Boolean
	Byte
	Char
	Short
	Int
	Long
	Float
	Double
	String
)

// kindOf is the kind of a type by its name. An event has a name without a dot too, if its class is in no package.
func kindOf(name string) Kind {
	switch name {
	case "boolean":
		return Boolean
	case "byte":
		return Byte
	case "char":
		return Char
	case "short":
		return Short
	case "int":
		return Int
	case "long":
		return Long
	case "float":
		return Float
	case "double":
		return Double
	case NameOfText:
		return String
	}
	return Object
}

// Names of the types of what events refer to.
const (
	NameOfText   = "java.lang.String"
	NameOfHeader = "jdk.types.ChunkHeader"
	NameOfStack  = "jdk.types.StackTrace"
	NameOfFrame  = "jdk.types.StackFrame"
	NameOfMethod = "jdk.types.Method"
	NameOfClass  = "java.lang.Class"
	NameOfLoader = "jdk.types.ClassLoader"
	NameOfSymbol = "jdk.types.Symbol"
	NameOfThread = "java.lang.Thread"
	NameOfGroup  = "jdk.types.ThreadGroup"
	NameOfState  = "jdk.types.ThreadState"
	NameOfKind   = "jdk.types.FrameType"
)

// nameOfEvent is the super type of events, nameOfAnnotation that of annotations.
const (
	nameOfEvent      = "jdk.jfr.Event"
	nameOfAnnotation = "java.lang.annotation.Annotation"
)

// TypeID is a type within its chunk.
type TypeID uint64

// Types are those of a chunk.
type Types map[TypeID]*Type

// Named are the types with one of these names. Programs may have several events of the same name.
func (t Types) Named(names ...string) (found []*Type) {
	for _, c := range t {
		for _, name := range names {
			if c.Name == name {
				found = append(found, c)
			}
		}
	}
	return found
}

// Type is one of events, or of what events refer to, as a chunk describes it.
type Type struct {
	ID          TypeID
	Name        string // as "jdk.GCHeapSummary"
	Super       string // empty for none
	Kind        Kind
	Fields      []Field
	Annotations Annotations
}

// IsEvent reports whether the type is one of events.
func (t *Type) IsEvent() bool { return t.Super == nameOfEvent }

// isObject reports whether values of the type are written as their fields.
func (t *Type) isObject() bool { return t.Kind == Object && len(t.Fields) > 0 }

// Field is the field of that name, nil for none.
func (t *Type) Field(name string) *Field {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return &t.Fields[i]
		}
	}
	return nil
}

// Label is the name of the type for people: its label, else its name without the package.
func (t *Type) Label() string {
	if label := t.Annotations.Value("jdk.jfr.Label"); label != "" {
		return label
	}
	return t.Name[strings.LastIndexByte(t.Name, '.')+1:]
}

// Field is one of a type.
type Field struct {
	Name   string
	TypeID TypeID
	// Type is nil if the chunk does not describe it.
	Type *Type
	// Pooled is true if the field is the key of a constant.
	Pooled, Array bool
	Annotations   Annotations

	// content and unit are what its annotations say of its numbers.
	content Content
	unit    string
}

// Label is the name of the field for people: its label, else its name.
func (f *Field) Label() string {
	if label := f.Annotations.Value("jdk.jfr.Label"); label != "" {
		return label
	}
	return f.Name
}

// Content is what the number in a field means.
type Content string

// The contents of fields, each by the name of its annotation.
const (
	Timespan   Content = "jdk.jfr.Timespan"
	Timestamp  Content = "jdk.jfr.Timestamp"
	DataAmount Content = "jdk.jfr.DataAmount"
	Percentage Content = "jdk.jfr.Percentage"
	Frequency  Content = "jdk.jfr.Frequency"
	Address    Content = "jdk.jfr.MemoryAddress"
	Unsigned   Content = "jdk.jfr.Unsigned"
)

// Content is what the number in the field means, with its unit ("TICKS", "NANOSECONDS", "BYTES", …); both are empty if
// it is just a number.
func (f *Field) Content() (content Content, unit string) { return f.content, f.unit }

// settle takes from the annotations what the number in the field means.
func (f *Field) settle() {
	for _, c := range [...]Content{Timespan, Timestamp, DataAmount, Percentage, Address, Unsigned} {
		if _, ok := f.Annotations[string(c)]; ok {
			f.content, f.unit = c, f.Annotations.Value(string(c))
			return
		}
	}
}

// Has reports whether the field has an annotation, as "jdk.jfr.Frequency" with an amount of data.
func (f *Field) Has(annotation string) bool {
	_, ok := f.Annotations[annotation]
	return ok
}

// Annotations are the values of each annotation by the name of its type.
type Annotations map[string][]string

// Value is the first value of an annotation, empty for none.
func (a Annotations) Value(of string) string {
	if values := a[of]; len(values) > 0 {
		return values[0]
	}
	return ""
}
