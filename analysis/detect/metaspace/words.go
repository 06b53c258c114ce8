package metaspace

import (
	"fmt"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

func title(perSecond float64, now int64) string {
	return fmt.Sprintf("%.0f classes a second are loaded and not unloaded: %d now", perSecond, now)
}

const advice = "Find the code that creates classes or class loaders again and again (proxies, scripts, " +
	"redeployments) " +
	"and retains them."

func classesEvidence(then, now int64) finding.Evidence {
	return finding.Figure(fmt.Sprintf("classes loaded and not unloaded: %d, then %d", then, now))
}

func metaspaceEvidence(then, now int64) finding.Evidence {
	return finding.Figure(fmt.Sprintf("metaspace: %s, then %s", timeline.Megabytes(then), timeline.Megabytes(now)))
}

func loadersEvidence(l *timeline.ClassLoaders) finding.Evidence {
	return finding.Figure(fmt.Sprintf("%d class loaders of class %s, with %d classes; %d of them have equally many",
		l.Loaders, l.Class, l.Classes, l.Alike))
}
