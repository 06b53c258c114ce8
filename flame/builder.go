package flame

import "github.com/google/pprof/profile"

// dumpTypes are the sample types of a profile from thread dumps.
func dumpTypes() []*profile.ValueType {
	return []*profile.ValueType{{Type: CPU, Unit: "nanoseconds"}, {Type: Wall, Unit: "nanoseconds"}, {Type: Samples, Unit: "count"}}
}
