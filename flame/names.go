package flame

// Names of sample types.
const (
	CPU     = "cpu"
	Wall    = "wall"
	Samples = "samples"
	Alloc   = "alloc_space"
	Lock    = "lock"
	Malloc  = "native_space"
	// Unnamed is what the numbers of collapsed stacks are: the format has no unit.
	Unnamed = "weight"
)

// Keys of labels.
const (
	LabelThread = "thread"
	LabelState  = "state"
	LabelPool   = "pool"
	// LabelBase marks, with the value "true", the samples of the base in a difference.
	LabelBase = "pprof::base"
)

// Frames that are no Java methods.
const (
	FrameGC      = "[GC]"
	FrameJIT     = "[JIT]"
	FrameVM      = "[VM]"
	FrameNoStack = "[no Java frames]"
	FrameRest    = "[ended or native threads]"
	FrameUnseen  = "[between samples]"
	FrameCut     = "[unknown callers]"
	// FrameNotSampled is of a thread that used too little CPU time for a sample.
	FrameNotSampled = "[not sampled]"
	FrameBeyond     = "[more stacks than can be held]"
)

// Files of native frames, which precede a "!" and the symbol.
const (
	fileOfKernel  = "[kernel]"
	fileOfJVM     = "libjvm.so"
	fileOfNothing = "[native]" // it is not known which
)
