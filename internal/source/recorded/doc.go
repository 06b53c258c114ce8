// Package recorded writes the readings of a source down and replays them.
package recorded

import (
	"github.com/jstall/jstall/internal/capture"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
)

// AskAfter is forwarded until its code is here.
const AskAfter = capture.AskAfter

// AskBefore is forwarded until its code is here.
const AskBefore = capture.AskBefore

// Lasting is forwarded until its code is here.
func Lasting(entries []recording.Entry) []recording.Entry { return capture.Lasting(entries) }

// ProcessOf is forwarded until its code is here.
func ProcessOf(t recording.Target) jvm.Process { return capture.ProcessOf(t) }

// ProfileSamples is forwarded until its code is here.
func ProfileSamples(j recording.JVM) int { return capture.ProfileSamples(j) }

// TargetOf is forwarded until its code is here.
func TargetOf(p jvm.Process) recording.Target { return capture.RecordedTarget(p) }

// Recorder is forwarded until its code is here.
type Recorder = capture.Recorder

// Redacted is forwarded until its code is here.
type Redacted = capture.Redacted

// Replay is forwarded until its code is here.
func Replay(r *recording.Recording, j recording.JVM) *capture.Recorded { return capture.Replay(r, j) }

// ReplayHistory is forwarded until its code is here.
func ReplayHistory(r *recording.Recording, j recording.JVM) *capture.Recorded {
	return capture.ReplayHistory(r, j)
}

// ReplayProfile is forwarded until its code is here.
func ReplayProfile(r *recording.Recording, j recording.JVM) *capture.Recorded {
	return capture.ReplayProfile(r, j)
}

// Save is forwarded until its code is here.
func Save(path string, m recording.Manifest, p jvm.Process, readings [][]recording.Entry,
	cost source.Cost, redacted map[string]int) error {
	return capture.SaveReadings(path, m, p, readings, cost, redacted)
}
