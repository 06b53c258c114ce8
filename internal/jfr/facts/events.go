package facts

// handler adds an event to the sums.
type handler func(s *sums, e *event)

const threadDump = "jdk.ThreadDump"

// handlerOf are the events that are read in addition to the thread dumps.
var handlerOf = map[string]handler{
	"jdk.ActiveSetting":                 (*sums).setting,
	"jdk.JVMInformation":                (*sums).jvm,
	"jdk.CPUInformation":                (*sums).cpus,
	"jdk.JavaMonitorEnter":              (*sums).monitor,
	"jdk.ThreadPark":                    (*sums).park,
	"jdk.VirtualThreadPinned":           (*sums).pin,
	"jdk.SocketRead":                    (*sums).socketRead,
	"jdk.FileRead":                      (*sums).fileRead,
	"jdk.GarbageCollection":             (*sums).collection,
	"jdk.GCHeapSummary":                 (*sums).heapSummary,
	"jdk.GCHeapConfiguration":           (*sums).heapConfiguration,
	"jdk.SafepointStateSynchronization": (*sums).synchronization,
	"jdk.SafepointBegin":                (*sums).safepoint,
	"jdk.CPULoad":                       (*sums).load,
	"jdk.ContainerCPUThrottling":        (*sums).throttling,
	"jdk.ExecutionSample":               (*sums).sample,
	"jdk.CPUTimeSample":                 (*sums).sample,
	"jdk.ExceptionStatistics":           (*sums).statistics,
	"jdk.JavaExceptionThrow":            (*sums).throw,
	"jdk.JavaErrorThrow":                (*sums).throw,
	"jdk.JavaThreadStatistics":          (*sums).threadCount,
}
