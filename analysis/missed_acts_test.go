package analysis

import "testing"

// Three wait for a latch while main pauses again and again: if it does something in
// between, in the class that they wait in, it may be on the way to open it.
func TestMainAtWorkMayGiveTheSignal(t *testing.T) {
	look := func(megabytes int64, place part) []Observation {
		var all []Observation
		for i, when := range []float64{0, 1, 2} {
			all = append(all, observe(when,
				thread(1, "main", place, used(when/100, 9), sleeping, allocated(int64(i)*megabytes<<20)),
				thread(2, "a", at("App.open", "App.run"), latched(0xa), used(0, 9)),
				thread(3, "b", at("App.open", "App.run"), latched(0xa), used(0, 9)),
				thread(4, "c", at("App.open", "App.run"), latched(0xa), used(0, 9))))
		}
		return all
	}
	missed := "missed-signal/warning/likely: a,b,c | "
	expect(t, diagnose(look(0, at("App.warmUp", "App.main"))...), missed)
	expect(t, diagnose(look(2, at("App.warmUp", "App.main"))...))
	expect(t, diagnose(look(2, at("App.main"))...), missed)
}
