package observe

import (
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/threaddump"
)

// moments are the observations while the JVM gave no answer: one for each sample, the last of them with the attempt.
func moments(entries []recording.Entry, failed timeline.Attempt) []timeline.Observation {
	var at [][]recording.Entry
	for _, e := range entries {
		if e.Kind == recording.ThreadDump || e.Kind == recording.Jcmd {
			continue
		}
		last := len(at) - 1
		if last < 0 || at[last][0].At != e.At {
			at = append(at, nil)
			last++
		}
		at[last] = append(at[last], e)
	}
	if len(at) == 0 {
		at = [][]recording.Entry{nil}
	}
	all := make([]timeline.Observation, 0, len(at))
	for i, m := range at {
		seen := moment(m)
		if i == len(at)-1 {
			seen.Attempt = &failed
		}
		all = append(all, seen)
	}
	return all
}

// moment makes the observation of one sample.
func moment(entries []recording.Entry) timeline.Observation {
	var seen timeline.Observation
	files := kernel.Files{}
	for _, e := range entries {
		seen.At = threaddump.Known(e.At)
		switch {
		case e.Err != nil:
		case e.Kind == recording.Kernel:
			files[e.Name] = e.Bytes
		case e.Kind == recording.Tasks:
			seen.Tasks = form.ParseAllTasks(e.Bytes)
		default:
			_ = addFacts(&seen, e) // of events of a flight recording only
			form.AddCollection(seen.Counters, e)
		}
	}
	if _, full := files["stat"]; full {
		seen.Machine = form.Machine(files)
	}
	if len(entries) > 0 {
		seen.Process = form.ProcessOf(entries)
	}
	return seen
}

// splitInstead splits the entries of a reading whose dump was read from memory as the JVM gave none. before are the
// entries until then, with the error of the JVM's dump, and rest are the others. For other readings all entries are the
// rest.
func splitInstead(entries []recording.Entry) (before, rest []recording.Entry, failed error) {
	for i, e := range entries {
		switch {
		case e.Kind != recording.ThreadDump:
		case e.Err == nil && failed != nil:
			return entries[:i], entries[i:], failed
		case e.Err != nil && form.IsAttach(e.Err):
			failed = e.Err
		}
	}
	return nil, entries, nil
}
