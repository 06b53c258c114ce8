package recorded

import (
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
)

// Save writes readings that a Follower has taken as a recording at path, which must not exist yet. redacted counts the
// secrets that were replaced in them, by kind; nil without redaction.
func Save(path string, m recording.Manifest, p jvm.Process, readings [][]recording.Entry, cost source.Cost,
	redacted map[string]int) error {
	w, err := recording.Create(path, m, false)
	if err != nil {
		return err
	}
	defer w.Abandon() // a closed recording stays
	r := &Recorder{Source: saved{cost: cost}, Into: w.JVM(TargetOf(p))}
	for _, entries := range readings {
		r.keep("", entries)
	}
	if err := r.Finish(nil, nil); err != nil {
		return err
	}
	if redacted != nil {
		w.Redacted(redacted)
	}
	return w.Close()
}

// saved is a source whose readings were taken before.
type saved struct {
	source.Source
	cost source.Cost
}

// Cost is the cost of the readings.
func (s saved) Cost() source.Cost { return s.cost }
