package memory

import (
	"time"

	"jstall/analysis/timeline"
)

// startup is how long after its start a JVM may load classes without end in sight.
const startup = time.Minute

// Starting reports that the JVM is young, or that its age is not known.
func Starting(f *timeline.Timeline) bool {
	age := Age(f)
	return !age.Known || age.Value < startup
}

// Age is how long ago the JVM started: that of its oldest thread, or what the
// counters say.
func Age(f *timeline.Timeline) timeline.Opt[time.Duration] {
	oldest := int64(timeline.Unknown)
	for i := range f.Last().Samples {
		oldest = max(oldest, f.Last().Samples[i].Age)
	}
	if c := f.Last().Counters; oldest == timeline.Unknown && c != nil {
		return c.Uptime
	}
	return timeline.Duration(oldest)
}
