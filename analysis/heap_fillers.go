package analysis

import "slices"

// loadsFirst reports that those who keep things read what the program starts with: the main thread, other than
// one that sleeps at most dumps, which takes its time on purpose.
func (f *timeline) loadsFirst() bool {
	most, _ := f.mostBy((*history).allocation)
	return len(most) > 0 && most[0].thread.Name == "main" && !most[0].sleepsMostly()
}

// isOfFillers tells a hint that those look at something again and again who fill the heap: they
// do what they are for.
func (result *Finding) isOfFillers(effect *Finding) bool {
	return effect.Kind == KindSpin && effect.Severity == Info && len(effect.Culprits) > 0 && !slices.ContainsFunc(effect.Culprits, func(r ThreadRef) bool {
		return !slices.ContainsFunc(result.Culprits, func(own ThreadRef) bool { return threadIDOf(own) == threadIDOf(r) })
	})
}
