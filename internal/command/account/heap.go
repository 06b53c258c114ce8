package account

import (
	"time"

	"github.com/jstall/jstall/internal/diagcmd"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/render"
)

func gcHeapInfo() view {
	return view{
		name: "gc-heap-info", usage: "heap use by part, its change, and the number of collections",
		about: `Shows GC.heap_info of every collector: the memory used, committed and reserved, by
generation, space and region; the change from the first answer to the last; and the
collections that the JVM's counters count. Used memory includes dead objects that are
not collected yet.`,
		price: "no pause; under 1 ms of work for each answer.",
		examples: "   jstall gc-heap-info 4711\n   jstall gc-heap-info 4711 -n 2 -i 30s\n" +
			"   jstall gc-heap-info night.zip\n   jcmd 4711 GC.heap_info | jstall gc-heap-info -",
		commands: [][]string{{"GC.heap_info"}}, count: 2,
		facts: heapFacts,
	}
}

func heapFacts(s *seen) render.Facts {
	all := answers(s, diagcmd.ParseHeapInfo, "GC.heap_info")
	if len(all) == 0 {
		return nil
	}
	first, last := all[0].value, all[len(all)-1].value
	f := render.HeapFacts{Heap: last, Collections: collections(s.counters())}
	if last.Collector == "Shenandoah" && len(f.Collections) > 0 {
		s.warnings = append(s.warnings, "Shenandoah's counters do not count its concurrent cycles")
	}
	if len(all) > 1 {
		f.Change = &render.HeapChange{
			Seconds: between(all), UsedBytes: last.Used.Value - first.Used.Value,
			CommittedBytes: gain(first.Committed, last.Committed),
		}
	}
	return f
}

// gain is the difference of two values, nil if one is unknown.
func gain(first, last diagcmd.Opt[int64]) *int64 {
	if !first.Known || !last.Known {
		return nil
	}
	n := last.Value - first.Value
	return &n
}

// collections are the GCs by the last counters, with the change since the first.
func collections(all []timed[*jvm.PerfData]) []render.Collections {
	if len(all) == 0 {
		return nil
	}
	before := map[string]jvm.Collector{}
	if len(all) > 1 {
		for _, c := range all[0].value.Collectors() {
			before[c.Name] = c
		}
	}
	var out []render.Collections
	for _, c := range all[len(all)-1].value.Collectors() {
		if !c.Invocations.Known {
			continue
		}
		row := render.Collections{Name: c.Name, Count: c.Invocations.Value, PauseSeconds: seconds(c.Time)}
		if was, ok := before[c.Name]; ok && was.Invocations.Known {
			n := c.Invocations.Value - was.Invocations.Value
			row.CountChange = &n
			if was.Time.Known && c.Time.Known {
				row.PauseSecondsChange = seconds(jvm.Opt[time.Duration]{Value: c.Time.Value - was.Time.Value,
					Known: true})
			}
		}
		out = append(out, row)
	}
	return out
}

func seconds(d jvm.Opt[time.Duration]) *float64 {
	if !d.Known {
		return nil
	}
	s := d.Value.Seconds()
	return &s
}
