package metaspace_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func defined(classes int64) Part {
	return func(t *threaddump.Thread) { t.DefinedClasses = threaddump.Known(classes) }
}

func TestMetaspaceGrowth(t *testing.T) {
	loading := func(age float64, loaders *timeline.ClassLoaders, loaded ...int64) []timeline.Observation {
		var all []timeline.Observation
		for i, n := range loaded {
			o := Observe(float64(i), Thread(1, "a", defined(n-loaded[0]), Used(float64(i)*0.7, age+float64(i))),
				Thread(2, "b", defined(0)))
			o.Loaders = loaders
			all = append(all, Counting(o, timeline.Counters{LoadedClasses: AmountOf(n), UnloadedClasses: AmountOf(5)}))
		}
		return all
	}
	worked := func(look []timeline.Observation) []timeline.Observation {
		for i := range look {
			look[i].Dump.Threads[1].CPU = threaddump.Known(Sec(100))
		}
		return look
	}
	many := &timeline.ClassLoaders{Class: "App$Loader", Loaders: 200, Classes: 1200, Alike: 150}
	few := &timeline.ClassLoaders{Class: "org.osgi.Loader", Loaders: 200, Classes: 900, Alike: 20}
	starting := loading(5, few, 1000, 1100, 1210)
	inMain := loading(5, few, 1000, 1100, 1210)
	for _, o := range inMain {
		o.Dump.Threads[0].Name = "main"
	}
	for _, test := range []struct {
		name string
		look []timeline.Observation
		want []string
	}{
		{"the first work of a server that is up for long", loading(900, nil, 1000, 1100, 1210), nil},
		{"in one that has worked", worked(loading(900, nil, 1000, 1100, 1210)),
			[]string{"metaspace-growth/info/possible: a | "}},
		{"over more than a minute", slowly(40, loading(900, nil, 1000, 5000, 9200)),
			[]string{"metaspace-growth/warning/likely: a | "}},
		{"in a JVM that is up for long, a loader for each class", loading(900, many, 1000, 1100, 1210),
			[]string{"metaspace-growth/warning/likely: a | "}},
		{"in one that starts", starting, nil},
		{"in one that starts and used all cores", worked(loading(5, few, 1000, 1100, 1210)),
			[]string{"metaspace-growth/info/possible: a | "}},
		{"the same, by main", worked(inMain), nil},
		{"in one that starts, a loader for each class", loading(5, many, 1000, 1100, 1210),
			[]string{"metaspace-growth/warning/likely: a | "}},
		{"in bursts", loading(900, many, 1000, 1500, 1520), nil},
		{"a few", loading(900, nil, 1000, 1010, 1020), nil},
		{"that stops", loading(900, nil, 1000, 1200, 1200), nil},
		{"one interval", worked(loading(900, nil, 1000, 1100)), []string{"metaspace-growth/info/possible: a | "}},
	} {
		t.Run(test.name, func(t *testing.T) { Expect(t, Diagnose(test.look...), test.want...) })
	}
}

// slowly puts the dumps so many seconds apart.
func slowly(seconds int, look []timeline.Observation) []timeline.Observation {
	for i := range look {
		look[i].At = threaddump.Known(time.Duration(i*seconds) * time.Second)
		for _, t := range look[i].Dump.Threads {
			if t.Elapsed.Known {
				t.Elapsed.Value = Sec(900 + float64(i*seconds))
			}
		}
	}
	return look
}

// The JVM counts what classes take at collections only.
func TestMetaspaceIsReportedIfItChanged(t *testing.T) {
	look := func(used ...int64) *analysis.Report {
		var all []timeline.Observation
		for i, n := range used {
			all = append(all, Counting(Observe(float64(i), Thread(1, "a", func(t *threaddump.Thread) {
				t.Elapsed = threaddump.Known(Sec(900 + float64(i)))
			})),
				timeline.Counters{LoadedClasses: AmountOf(int64(100 * i)), UnloadedClasses: AmountOf(0),
					MetaspaceUsed: AmountOf(n)}))
		}
		return Diagnose(all...)
	}
	for _, test := range []struct {
		used []int64
		want bool
	}{{[]int64{7 * MB, 7 * MB, 7 * MB}, false}, {[]int64{0, 0, 7 * MB}, false},
		{[]int64{7 * MB, 7 * MB, 9 * MB}, true}} {
		r := look(test.used...)
		Expect(t, r, "metaspace-growth/info/possible:  | ")
		if got := strings.Contains(fmt.Sprint(r.Findings[0].Evidence), "metaspace:"); got != test.want {
			t.Errorf("%v: %v", test.used, r.Findings[0].Evidence)
		}
	}
}
