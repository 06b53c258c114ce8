package analysis

import (
	"slices"
	"strings"
)

// elsewhere are the deadlocks in dumps of other JVMs, which are not diagnosed beyond
// that; own are the findings on the one that is.
func (f *timeline) elsewhere(opts Options, own []candidate) []candidate {
	where := ", not in the last"
	if slices.ContainsFunc(own, func(c candidate) bool { return isDeadlock(&c) }) {
		where = ""
	}
	var found []candidate
	for _, other := range f.others {
		o := newFacts(other)
		o.cycles = o.findCycles()
		for _, d := range detectors[:2] {
			if opts.Kinds != nil && !slices.Contains(opts.Kinds, d.kind) {
				continue
			}
			for _, c := range d.detect(o) {
				if c.Kind = d.kind; isDeadlock(&c) {
					c.Title = "in another JVM of the input" + o.inFiles() + where + ": " + c.Title
					c.elsewhere = true
					withoutIDs(c.Culprits)
					withoutIDs(c.Victims)
					found = append(found, c)
				}
			}
		}
	}
	return found
}

// isDeadlock tells what counts as a deadlock from a hint of one.
func isDeadlock(c *candidate) bool {
	return (c.Kind == KindDeadlock || c.Kind == KindPoolDeadlock) && c.Severity != Info
}

// withoutIDs takes away what would be mistaken for threads of the diagnosed JVM.
func withoutIDs(refs []ThreadRef) {
	for i := range refs {
		refs[i].ID, refs[i].NativeID = 0, 0
	}
}

// inFiles says which files the dumps are from, if they are from any.
func (f *timeline) inFiles() string {
	if names := sources(f.snaps); len(names) > 0 {
		return " (" + strings.Join(names, " ") + ")"
	}
	return ""
}

// sources are the files that dumps are from, each once.
func sources(snaps []*snapshot) []string {
	var names []string
	for _, s := range snaps {
		if s.source != "" && !slices.Contains(names, s.source) {
			names = append(names, s.source)
		}
	}
	return names
}

// files are the files of all dumps by their index, nil if they are from none.
func (s *Series) files() []string {
	if len(sources(s.snaps)) == 0 {
		return nil
	}
	names := make([]string, len(s.snaps))
	for i, snap := range s.snaps {
		names[i] = snap.source
	}
	return names
}
