package diagcmd

import (
	"strings"
)

// Flag is a flag of the JVM that differs from its default.
type Flag struct {
	Name string `json:"name"`
	// Value is as the JVM prints it: "true", "268435456", "balanced".
	Value string `json:"value"`
	// Origin is the source of the value: "command line", "ergonomic", "environment", "management", "attach" …; empty if
	// the JVM does not report it, as on 8.
	Origin string `json:"origin,omitempty"`
}

// FlagTable is the answer of VM.flags; with -all it also has the sources of the values.
//
//	VM.flags          -XX:CICompilerCount=2 -XX:+UseG1GC
//	VM.flags -all, 8  [Global flags]
//	                       uintx MaxHeapSize        := 268435456         {product}
//	         9 …           size_t MaxHeapSize        = 268435456         {product} {command line}
//
// Source: share/runtime/flags/jvmFlag.cpp.
type FlagTable struct {
	// Changed are the flags that differ from their default, in the answer's order.
	Changed []Flag
	// Values are all that the answer has, by name.
	Values map[string]string
}

// Recognised reports whether the text was an answer of VM.flags.
func (t FlagTable) Recognised() bool { return len(t.Values) > 0 }

// A value may be of several words, or none: "ccstr OnError   =    {product} {default}".
var (
	flagLine = onUse(`^\s*\w+ (\w+)\s+(:?=)\s(.*?)\s+\{([\w ]*)\}(?: \{([\w ,-]+)\})?\s*$`)
	flagWord = onUse(`-XX:(?:([+-])(\w+)|(\w+)=(\S*))`)
)

// ParseFlags reads both kinds of answer.
func ParseFlags(text string) FlagTable {
	t := FlagTable{Values: map[string]string{}}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := flagLine().FindStringSubmatch(line); m != nil {
			t.add(Flag{Name: m[1], Value: strings.TrimSpace(m[3]), Origin: m[5]},
				m[2] == ":=" || m[5] != "" && m[5] != "default")
			continue
		}
		if !strings.HasPrefix(line, "-XX:") {
			continue
		}
		for _, m := range flagWord().FindAllStringSubmatch(line, -1) {
			switch f := (Flag{Name: m[2] + m[3], Value: m[4]}); m[1] {
			case "+":
				f.Value = "true"
				t.add(f, true)
			case "-":
				f.Value = "false"
				t.add(f, true)
			default:
				t.add(f, true)
			}
		}
	}
	return t
}

func (t *FlagTable) add(f Flag, changed bool) {
	t.Values[f.Name] = f.Value
	if changed {
		t.Changed = append(t.Changed, f)
	}
}

// Number is the value of a flag that is a count or a size in bytes.
func (t FlagTable) Number(name string) Opt[int64] { return whole(t.Values[name]) }

// Origin is the source of the value of a flag, as in [Flag.Origin].
func (t FlagTable) Origin(name string) string {
	for _, f := range t.Changed {
		if f.Name == name {
			return f.Origin
		}
	}
	return ""
}
