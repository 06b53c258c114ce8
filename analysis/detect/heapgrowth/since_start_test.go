package heapgrowth_test

import (
	"testing"

	"jstall/analysis/detect/heapgrowth"
	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/timeline"
)

// A capture that holds a collection more or less than its share shows a rate that the heap
// never had: sizes are told as of collections, and so is the time between them.
func TestHeapGrowthFromCollectionToCollection(t *testing.T) {
	look := func(from, to int64, emptied ...float64) []timeline.Observation {
		var all []timeline.Observation
		for i := range int64(3) {
			c := timeline.Counters{
				GCCount: AmountOf(8 + i), OldCollections: AmountOf(2), HeapMax: AmountOf(2000 * MB),
				OldUsed: AmountOf((from + (to-from)*i/2) * MB), EdenCapacity: AmountOf(60 * MB),
			}
			if len(emptied) > 0 {
				c.Emptied = Lasting(emptied[i])
			}
			all = append(all,
				Counting(Observe(float64(i), Thread(1, "a", Allocated(95*i*MB), UsedFor(float64(6+i)))), c))
		}
		return all
	}
	for _, test := range []struct {
		name string
		look []timeline.Observation
		want string
	}{
		{"it fell short of the rate of the capture", look(68, 100), "heap-growth/info/possible: a | "},
		{"it came at the rate between the collections", look(68, 100, 4.9, 6.3, 7.6),
			"heap-growth/warning/likely: a | "},
		{"it came at the rate of the capture", look(47, 66), "heap-growth/warning/likely: a | "},
		{"it fell short of the rate between the collections", look(47, 66, 5.6, 6.4, 7.2),
			"heap-growth/info/possible: a | "},
		{"another collection of the old generation was due", look(34, 100, 2.6, 5, 7.6),
			"heap-growth/info/possible: a | "},
		{"the collection before the capture was long ago", look(47, 66, 0.5, 6.4, 7.2),
			"heap-growth/warning/likely: a | "},
	} {
		t.Run(test.name, func(t *testing.T) { Expect(t, Diagnose(test.look...), test.want) })
	}
}

// A capture that ends before the next collection is due shows no growth, though all that was
// allocated since the start may still be there.
func TestHeapGrowthThatNoCollectionOfTheLookShows(t *testing.T) {
	look := func(collections, each, ever, used int64, emptied float64) []timeline.Observation {
		var all []timeline.Observation
		for i := range int64(3) {
			c := timeline.Counters{
				GCCount: AmountOf(collections), HeapMax: AmountOf(512 * MB), OldUsed: AmountOf(used * MB), EdenCapacity: AmountOf(24 * MB),
				Emptied: Lasting(emptied),
			}
			made := (ever - (2-i)*each) * MB
			all = append(all, Counting(Observe(float64(i), Thread(1, "a", Allocated(made), UsedFor(float64(8+i)))), c))
		}
		return all
	}
	for _, test := range []struct {
		name string
		look []timeline.Observation
		want []string
	}{
		{"all of it was there at the last", look(2, 8, 80, 40, 5), []string{"heap-growth/info/possible: a | "}},
		{"half of it was", look(2, 8, 80, 20, 5), nil},
		{"all of it was, but it comes more slowly since", look(2, 3, 80, 40, 5), nil},
		{"all of it was, but it is little to be full of soon", look(2, 1, 10, 5, 5), nil},
		{"one collection alone tells of it", look(1, 8, 80, 40, 5), nil},
		{"nothing tells when the last was", look(2, 8, 80, 40, 0), nil},
		{"nobody tells who allocates", silent(look(4, 8, 80, 70, 7)), nil},
	} {
		t.Run(test.name, func(t *testing.T) { Expect(t, Diagnose(test.look...), test.want...) })
	}
	if e := Diagnose(look(2, 8, 80, 40,
		5)...).Findings[0].Evidence[0].Text; e != "in use after the last collection, 5.0 s after the start: 40 MB" {
		t.Error(e)
	}
}

// Who fills the heap between short pauses does not only look at something.
func TestFillersAreNoPollers(t *testing.T) {
	growth := &finding.Finding{Kind: finding.KindHeapGrowth,
		Culprits: []finding.ThreadRef{{ID: 1, Name: "a"}, {ID: 2, Name: "b"}}}
	for _, test := range []struct {
		name   string
		effect finding.Finding
		want   bool
	}{
		{"itself",
			finding.Finding{Kind: finding.KindSpin, Severity: finding.Info,
				Culprits: []finding.ThreadRef{{ID: 2, Name: "b"}}}, true},
		{"another too",
			finding.Finding{Kind: finding.KindSpin, Severity: finding.Info,
				Culprits: []finding.ThreadRef{{ID: 2, Name: "b"}, {ID: 3, Name: "c"}}}, false},
		{"others wait for it",
			finding.Finding{Kind: finding.KindSpin, Severity: finding.Warning,
				Culprits: []finding.ThreadRef{{ID: 2, Name: "b"}}}, false},
		{"another kind",
			finding.Finding{Kind: finding.KindIOWait, Severity: finding.Info,
				Culprits: []finding.ThreadRef{{ID: 2, Name: "b"}}}, false},
		{"nobody", finding.Finding{Kind: finding.KindSpin, Severity: finding.Info}, false},
	} {
		if got := heapgrowth.IsOfFillers(growth, &test.effect); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
