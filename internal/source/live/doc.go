// Package live is the source that asks a running JVM.
package live

import (
	"context"
	"time"

	"github.com/jstall/jstall/internal/capture"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
)

// Await is forwarded until its code is here.
func Await(ctx context.Context, k *kernel.Reader, pid int, timeout time.Duration) (jvm.Process, error) {
	return capture.Await(ctx, k, pid, timeout)
}

// Checkup is forwarded until its code is here.
type Checkup = capture.Checkup

// Follow is forwarded until its code is here.
func Follow(ctx context.Context, live *capture.Live, wrap func(source.Source) source.Source) *capture.Follower {
	return capture.Follow(ctx, live, wrap)
}

// Follower is forwarded until its code is here.
type Follower = capture.Follower

// HistogramAll is forwarded until its code is here.
const HistogramAll = capture.HistogramAll

// HistogramCommand is forwarded until its code is here.
const HistogramCommand = capture.HistogramCommand

// HistogramWalk is forwarded until its code is here.
func HistogramWalk(command string) *capture.HeapWalk { return capture.HistogramWalk(command) }

// Inquiry is forwarded until its code is here.
type Inquiry = capture.Inquiry

// IsUnknownCommand is forwarded until its code is here.
func IsUnknownCommand(err error) bool { return capture.IsUnknownCommand(err) }

// IsVendorCommand is forwarded until its code is here.
func IsVendorCommand(name string) bool { return capture.IsVendorCommand(name) }

// Source is forwarded until its code is here.
type Source = capture.Live

// PauseError is forwarded until its code is here.
type PauseError = capture.PauseError

// Reading is forwarded until its code is here.
type Reading = capture.Reading

// ReleaseFile is forwarded until its code is here.
const ReleaseFile = capture.ReleaseFile

// TooShortError is forwarded until its code is here.
type TooShortError = capture.TooShortError

// Unanswered is forwarded until its code is here.
func Unanswered(entries []recording.Entry) error { return capture.Unanswered(entries) }

// VitalsCommand is forwarded until its code is here.
const VitalsCommand = capture.VitalsCommand

// WalkTimeout is forwarded until its code is here.
func WalkTimeout(maxPause time.Duration) time.Duration { return capture.WalkTimeout(maxPause) }
