package recorded

import (
	"github.com/jstall/jstall/internal/recording"
)

// Profile records the samples of a profile.
func (r *Recorder) Profile(entries []recording.Entry) { r.keep(AskProfile, entries) }

// ReplayProfile is Replay for the samples of the recorded profile, or for all other readings if there is no profile.
func ReplayProfile(r *recording.Recording, j recording.JVM) *Source {
	s := Replay(r, j)
	if ProfileSamples(j) > 0 {
		s.main = AskProfile
	}
	return s
}

// ProfileSamples counts the samples that were recorded for a profile.
func ProfileSamples(j recording.JVM) int {
	n := 0
	for _, sample := range j.Readings {
		if sample.Ask == AskProfile {
			n++
		}
	}
	return n
}
