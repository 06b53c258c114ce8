package flame

import "github.com/google/pprof/profile"

// Event is what a profile from a flight recording counts.
type Event string

// The events of recordings: CPU time, wall time, bytes allocated in the Java heap, time blocked on
// locks, bytes allocated by malloc. The last is recorded by async-profiler alone.
const (
	EventCPU   Event = "cpu"
	EventWall  Event = "wall"
	EventAlloc Event = "alloc"
	EventLock  Event = "lock"

	EventNativeMem Event = "nativemem"
)

// types are the sample types of a profile of the event.
func (e Event) types() []*profile.ValueType {
	first := map[Event]*profile.ValueType{
		EventCPU: {Type: CPU, Unit: "nanoseconds"}, EventWall: {Type: Wall, Unit: "nanoseconds"},
		EventAlloc: {Type: Alloc, Unit: "bytes"}, EventLock: {Type: Lock, Unit: "nanoseconds"},
		EventNativeMem: {Type: Malloc, Unit: "bytes"},
	}[e]
	return []*profile.ValueType{first, {Type: Samples, Unit: "count"}}
}
