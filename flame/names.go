package flame

import (
	"strings"

	"github.com/google/pprof/profile"

	"jstall/analysis/stack"
	"jstall/threaddump"
)

// Names of sample types.
const (
	CPU     = "cpu"
	Wall    = "wall"
	Samples = "samples"
	Alloc   = "alloc_space"
	Lock    = "lock"
	// Unnamed is what the numbers of collapsed stacks are: the format tells no unit.
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

// Kind is whose code a function is.
type Kind string

// The kinds of functions.
const (
	Application Kind = "application"
	Framework   Kind = "framework"
	JDK         Kind = "jdk"
	JVM         Kind = "jvm"
)

// KindOf tells whose code a function is, by its name and module.
func KindOf(f *profile.Function) Kind {
	if strings.HasPrefix(f.Name, "[") && strings.HasSuffix(f.Name, "]") {
		return JVM
	}
	frame := threaddump.Frame{Class: f.Name}
	if i := strings.LastIndexByte(f.Name, '.'); i >= 0 {
		frame.Class, frame.Method = f.Name[:i], f.Name[i+1:]
	}
	if module, ok := strings.CutSuffix(f.SystemName, "/"+f.Name); ok {
		frame.Module = module
	}
	switch stack.OriginOf(&frame) {
	case stack.OfJDK:
		return JDK
	case stack.OfLibrary:
		return Framework
	}
	return Application
}
