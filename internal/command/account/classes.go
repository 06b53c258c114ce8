package account

import (
	"cmp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/diagcmd"
	"github.com/jstall/jstall/internal/order"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/live"
)

func vmMetaspace() view {
	return view{
		name: "vm-metaspace", usage: "the memory that classes use (metaspace), by kind, and its limits",
		about: `Shows VM.metaspace: the memory used, committed and reserved for classes and their
metadata, and the limits. JDK 8 lacks VM.metaspace; for JDK 8 the metaspace lines of
GC.heap_info are shown.`,
		price: "a pause of 0.3 ms, and of 1 to 3 ms more for every 1,000 class loaders.",
		examples: "   jstall vm-metaspace 4711\n   jstall vm-metaspace 4711 -n 2 -i 1m    what grew in a minute\n" +
			"   jstall vm-metaspace night.zip",
		commands: [][]string{{"VM.metaspace", "GC.heap_info"}}, count: 1,
		facts: metaspaceFacts,
	}
}

func metaspaceFacts(s *seen) render.Facts {
	all := answers(s, diagcmd.ParseMetaspace, "VM.metaspace")
	if len(all) == 0 && len(s.unread) == 0 {
		all = answers(s, func(text string) diagcmd.Metaspace {
			return diagcmd.MetaspaceOf(diagcmd.ParseHeapInfo(text))
		}, "GC.heap_info")
	}
	if len(all) == 0 {
		return nil
	}
	first, last := all[0].value, all[len(all)-1].value
	f := render.MetaspaceFacts{Metaspace: last}
	if len(all) > 1 {
		f.Change = &render.MetaspaceChange{
			Seconds: between(all), Classes: gain(first.Classes, last.Classes),
			Loaders:   gain(first.Loaders, last.Loaders),
			UsedBytes: gain(first.Areas[len(first.Areas)-1].Used, last.Areas[len(last.Areas)-1].Used),
		}
	}
	return f
}

func vmClassloaderStats() view {
	return view{
		name: "vm-classloader-stats", usage: "class loaders by class: their number, their classes, their metaspace",
		about: `Shows VM.classloader_stats, grouped by the class of the loader. Many loaders of one
class with the same number of classes are a leak; see also the finding metaspace-growth.`,
		price: "a pause of 0.3 ms, and of 1 to 3 ms more for every 1,000 class loaders.",
		examples: "   jstall vm-classloader-stats 4711\n   jstall vm-classloader-stats 4711 -n 2 -i 1m --json\n" +
			"   jstall vm-classloader-stats night.zip",
		commands: [][]string{{"VM.classloader_stats"}}, count: 1,
		facts: loaderFacts,
	}
}

func loaderFacts(s *seen) render.Facts {
	all := answers(s, diagcmd.ParseLoaderTable, "VM.classloader_stats")
	if len(all) == 0 {
		return nil
	}
	f := render.LoaderFacts{LoaderTable: all[len(all)-1].value, Kinds: loaderKinds(all[len(all)-1].value)}
	if len(all) == 1 {
		return f
	}
	was := map[string]int64{}
	for _, k := range loaderKinds(all[0].value) {
		was[k.Class] = k.Classes
	}
	for i := range f.Kinds {
		n := f.Kinds[i].Classes - was[f.Kinds[i].Class]
		f.Kinds[i].ClassesChange = &n
	}
	return f
}

func loaderKinds(t diagcmd.LoaderTable) []render.LoaderKind {
	at := map[string]int{}
	var kinds []render.LoaderKind
	for _, l := range t.Loaders {
		i, ok := at[l.Class]
		if !ok {
			i = len(kinds)
			at[l.Class], kinds = i, append(kinds, render.LoaderKind{Class: l.Class})
		}
		k := &kinds[i]
		k.Loaders++
		k.Classes += l.Classes + l.Hidden
		k.ChunkBytes += l.ChunkBytes + l.HiddenChunkBytes
		k.BlockBytes += l.BlockBytes + l.HiddenBlockBytes
		if l.Classes+l.Hidden == 0 {
			k.Empty++
		}
	}
	order.SortStable(kinds, func(a, b render.LoaderKind) int {
		return cmp.Or(cmp.Compare(b.Classes, a.Classes), cmp.Compare(b.Loaders, a.Loaders),
			cmp.Compare(a.Class, b.Class))
	})
	return kinds
}

func classHistogram() view {
	return view{
		name: "class-histogram", usage: "the objects of the heap by class, and what changed between two histograms",
		about: `Shows GC.class_histogram: the number of objects of each class and their shallow size.
With --count 2, and with two saved answers, also the classes that changed most. A
recording has a histogram if it was made with --full.`,
		price: `a full collection and a walk of the heap while the application is
paused: 2 to 5 ms per megabyte of small objects, 7 to 16 ms with ZGC and Shenandoah.
With --all only the walk: about 1 ms, 5 ms with ZGC and Shenandoah. Nothing is sent if
the predicted pause exceeds --max-pause.`,
		examples: "   jstall class-histogram 4711 --max-pause 5s\n" +
			"   jstall class-histogram 4711 --all        without a collection: dead objects are counted too\n" +
			"   jstall class-histogram 4711 -n 2 -i 1m   what grew in a minute\n" +
			"   jstall class-histogram before.txt after.txt",
		commands: [][]string{{live.HistogramCommand}}, count: 1,
		flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "count dead objects too: no collection first"},
			&cli.DurationFlag{Name: "max-pause", Value: source.DefaultMaxPause,
				Usage: "ask only if a shorter pause is predicted"},
		},
		adjust: adjustHistogram, facts: histogramFacts,
	}
}

func adjustHistogram(c *cli.Context, q *live.Inquiry) error {
	q.MaxPause = c.Duration("max-pause")
	if q.MaxPause <= 0 {
		return shell.Usage("--max-pause 5s", "--max-pause must be positive, not %s", q.MaxPause)
	}
	if c.Bool("all") {
		q.Commands = [][]string{{live.HistogramAll}}
	}
	q.Walk = live.HistogramWalk(q.Commands[0][0])
	return nil
}

func histogramFacts(s *seen) render.Facts {
	all := answers(s, diagcmd.ParseHistogram, live.HistogramCommand, live.HistogramAll)
	if len(all) == 0 {
		return nil
	}
	f := render.HistogramFacts{Histogram: all[len(all)-1].value}
	if s.source != "file" {
		live := !slices.ContainsFunc(s.capture().Commands, func(c string) bool { return c == live.HistogramAll })
		f.Live = &live
	}
	if len(all) > 1 {
		f.Change = histogramChange(all[0].value, f.Histogram)
		f.Change.Seconds = between(all)
	}
	return f
}

// histogramChange compares two histograms. Before that it sums the classes of different loaders with one name and
// module.
func histogramChange(first, last diagcmd.Histogram) *render.HistogramChange {
	type key struct{ class, module string }
	sums := map[key]diagcmd.ClassCount{}
	add := func(h diagcmd.Histogram, sign int64) {
		for _, c := range h.Classes {
			module, _, _ := strings.Cut(c.Module, "@") // its version may differ
			k := key{c.Class, module}
			sum := sums[k]
			sum.Class, sum.Module = c.Class, c.Module
			sum.Instances += sign * c.Instances
			sum.Bytes += sign * c.Bytes
			sums[k] = sum
		}
	}
	add(first, -1)
	add(last, 1)
	out := &render.HistogramChange{Classes: []diagcmd.ClassCount{}}
	for _, c := range sums {
		if c.Instances != 0 || c.Bytes != 0 {
			out.Classes = append(out.Classes, c)
			out.Instances += c.Instances
			out.Bytes += c.Bytes
		}
	}
	order.Sort(out.Classes, func(a, b diagcmd.ClassCount) int {
		return cmp.Or(cmp.Compare(max(b.Bytes, -b.Bytes), max(a.Bytes, -a.Bytes)), cmp.Compare(a.Class, b.Class),
			cmp.Compare(a.Module, b.Module))
	})
	return out
}
