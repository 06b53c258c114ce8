package observe

import (
	"encoding/json"
	"fmt"

	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/threaddump"
)

// addFacts adds the facts of an entry that is not a dump. The error says why it could not be read.
func addFacts(to *timeline.Observation, e recording.Entry) (err error) {
	if e.Err != nil {
		return nil
	}
	switch e.Kind {
	case recording.Tasks:
		to.Tasks = form.ParseTasks(e.Bytes)
	case recording.Jcmd:
		switch e.Name {
		case form.CodeCacheCommand:
			to.CodeCache = form.CodeCache(e.Bytes)
		case form.LoadersCommand:
			to.Loaders = form.MostLoaders(e.Bytes)
		}
	case recording.Flight:
		to.Flight, err = flightOf(e)
	case recording.Objects:
		to.Objects = form.ParseObjects(e.Bytes)
	case recording.Process:
		if stat, err := kernel.ParseStat(e.Bytes); err == nil {
			to.ProcessCPU = threaddump.Known(stat.CPU())
			to.StartTime = stat.StartTime
		}
	case recording.Counters:
		if data, err := jvm.ParsePerfData(e.Bytes); err == nil {
			to.Counters = form.Counters(data)
		}
	}
	return err
}

// flightOf reads the sums of the events of a flight recording.
func flightOf(e recording.Entry) (*flight.Recording, error) {
	var r flight.Recording
	if err := json.Unmarshal(e.Bytes, &r); err != nil {
		return nil, fmt.Errorf("what its events tell cannot be read: %v", err)
	}
	return &r, nil
}
