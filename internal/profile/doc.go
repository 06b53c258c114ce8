// Package profile takes the samples of a profile: its engines are perf events, the flight recorder, async-profiler and
// thread dumps.
package profile

import (
	"context"
	"io"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/capture"
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/file"
)

// AgentError is forwarded until its code is here.
type AgentError = capture.AgentError

// AsyncProfiled is forwarded until its code is here.
type AsyncProfiled = capture.AsyncProfiled

// AsyncProfiler is forwarded until its code is here.
type AsyncProfiler = capture.AsyncProfiler

// Budget is forwarded until its code is here.
type Budget = capture.Budget

// CountedBetween is forwarded until its code is here.
func CountedBetween(before *hotspot.ClassList, after *hotspot.ClassList,
	wanted []capture.MethodName) (calls []capture.MethodCalls) {
	return capture.CountedBetween(before, after, wanted)
}

// ErrNoAsyncProfiler is forwarded until its code is here.
var ErrNoAsyncProfiler = capture.ErrNoAsyncProfiler

// ErrNoRecorder is forwarded until its code is here.
var ErrNoRecorder = capture.ErrNoRecorder

// FirstMethodTimer is forwarded until its code is here.
const FirstMethodTimer = capture.FirstMethodTimer

// FlightRecorded is forwarded until its code is here.
type FlightRecorded = capture.FlightRecorded

// FlightRecorder is forwarded until its code is here.
type FlightRecorder = capture.FlightRecorder

// Fold is forwarded until its code is here.
type Fold = capture.Fold

// FoldInputs is forwarded until its code is here.
func FoldInputs(inputs []*file.Input) *capture.Fold { return capture.FoldInputs(inputs) }

// MethodCalls is forwarded until its code is here.
type MethodCalls = capture.MethodCalls

// MethodName is forwarded until its code is here.
type MethodName = capture.MethodName

// MethodTimingSettings is forwarded until its code is here.
func MethodTimingSettings(methods []capture.MethodName) string {
	return capture.MethodTimingSettings(methods)
}

// NoRoomError is forwarded until its code is here.
type NoRoomError = capture.NoRoomError

// PerfError is forwarded until its code is here.
type PerfError = capture.PerfError

// PerfProfiled is forwarded until its code is here.
type PerfProfiled = capture.PerfProfiled

// PerfProfiler is forwarded until its code is here.
type PerfProfiler = capture.PerfProfiler

// ReadMethodTiming is forwarded until its code is here.
func ReadMethodTiming(in io.Reader, wanted []capture.MethodName) (calls []capture.MethodCalls,
	length time.Duration, err error) {
	return capture.ReadMethodTiming(in, wanted)
}

// Sampled is forwarded until its code is here.
type Sampled = capture.Sampled

// Sampler is forwarded until its code is here.
type Sampler = capture.Sampler

// StoodError is forwarded until its code is here.
type StoodError = capture.StoodError

// PerfRight is forwarded until its code is here.
func PerfRight(pid int) attach.Check { return capture.PerfRight(pid) }

// TakeProfile is forwarded until its code is here.
func TakeProfile(ctx context.Context, l *capture.Live, long time.Duration, b Budget,
	keep func([]recording.Entry)) error {
	return capture.TakeProfile(ctx, l, long, b, keep)
}
