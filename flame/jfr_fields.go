package flame

import "github.com/jstall/jstall/internal/jfr"

// fields are the whole-number fields of an event, references included, by name.
type fields map[string]uint64

// keep is a visitor that leaves out the fields of fields.
func (e fields) keep(depth int, f *jfr.Field, v jfr.Item) {
	if depth == 1 && v.Text == "" {
		e[f.Name] = v.Bits
	}
}

// Names of events.
const (
	cpuTimeSample   = "jdk.CPUTimeSample"
	executionSample = "jdk.ExecutionSample"
	nativeSample    = "jdk.NativeMethodSample"
	wallClockSample = "profiler.WallClockSample"
	allocSample     = "jdk.ObjectAllocationSample"
	allocInTLAB     = "jdk.ObjectAllocationInNewTLAB"
	allocOutside    = "jdk.ObjectAllocationOutsideTLAB"
	monitorEnter    = "jdk.JavaMonitorEnter"
	monitorWait     = "jdk.JavaMonitorWait"
	threadPark      = "jdk.ThreadPark"
	threadSleep     = "jdk.ThreadSleep"
	activeSetting   = "jdk.ActiveSetting"
	activeRecording = "jdk.ActiveRecording"
	nativeMalloc    = "profiler.Malloc"
	threadStart     = "jdk.ThreadStart"
	allocStatistics = "jdk.ThreadAllocationStatistics"
)
