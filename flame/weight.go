package flame

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

// WeightIndex is the sample type of a profile that a weight names ("cpu", "wall",
// "samples", or the type's whole name); the profile's own default for none.
func WeightIndex(p *profile.Profile, weight string) (int, error) {
	if len(p.SampleType) == 0 {
		return 0, fmt.Errorf("the profile has no sample types")
	}
	if weight == "" {
		weight = p.DefaultSampleType
	}
	names := make([]string, len(p.SampleType))
	for i, t := range p.SampleType {
		names[i] = t.Type
		if t.Type == weight {
			return i, nil
		}
	}
	if weight == p.DefaultSampleType {
		return 0, nil
	}
	return 0, fmt.Errorf("the profile has no weight %q, it has %s", weight, strings.Join(names, ", "))
}

// NameWeight says what the numbers of collapsed stacks are. Of a profile that has it, or by
// a weight that is not known, it changes nothing.
func NameWeight(p *profile.Profile, weight string) {
	unit := map[string]string{CPU: "nanoseconds", Wall: "nanoseconds", Lock: "nanoseconds", Samples: "count",
		Alloc: "bytes", Malloc: "bytes"}[weight]
	if IsUnnamed(p) && unit != "" {
		p.SampleType[0] = &profile.ValueType{Type: weight, Unit: unit}
		p.DefaultSampleType = weight
	}
}

// IsUnnamed recognises a profile of which it is not known what its numbers are.
func IsUnnamed(p *profile.Profile) bool {
	return len(p.SampleType) == 1 && p.SampleType[0].Type == Unnamed
}

// functions are the names of a sample's frames, outermost first, inlined ones too.
func functions(s *profile.Sample) []*profile.Function {
	var out []*profile.Function
	for _, l := range s.Location {
		if len(l.Line) == 0 {
			out = append(out, &profile.Function{Name: fmt.Sprintf("0x%x", l.Address)})
		}
		for _, line := range l.Line {
			if line.Function != nil {
				out = append(out, line.Function)
			}
		}
	}
	slices.Reverse(out)
	return out
}

// ByLabel puts the value of a label, such as the name of its thread, under each stack that has the label as its
// outermost frame. It changes the profile.
func ByLabel(p *profile.Profile, key string) {
	roots := map[string]*profile.Location{}
	for _, s := range p.Sample {
		name := LabelValue(s, key)
		if name == "" {
			continue
		}
		root := roots[name]
		if root == nil {
			root = newRoot(p, "["+name+"]")
			roots[name] = root
		}
		s.Location = append(s.Location[:len(s.Location):len(s.Location)], root)
	}
}

// Under puts a frame under all stacks of a profile as the outermost one. It changes
// the profile.
func Under(p *profile.Profile, name string) {
	root := newRoot(p, name)
	for _, s := range p.Sample {
		s.Location = append(s.Location[:len(s.Location):len(s.Location)], root)
	}
}

func newRoot(p *profile.Profile, name string) *profile.Location {
	var lastFunction, lastLocation uint64
	for _, f := range p.Function {
		lastFunction = max(lastFunction, f.ID)
	}
	for _, l := range p.Location {
		lastLocation = max(lastLocation, l.ID)
	}
	f := &profile.Function{ID: lastFunction + 1, Name: name, SystemName: name}
	l := &profile.Location{ID: lastLocation + 1, Line: []profile.Line{{Function: f}}}
	p.Function = append(p.Function, f)
	p.Location = append(p.Location, l)
	return l
}

// LabelValue is the value of a sample's label as text, empty if it has none: a number precedes its unit.
func LabelValue(s *profile.Sample, key string) string {
	if values := s.Label[key]; len(values) > 0 {
		return values[0]
	}
	if numbers := s.NumLabel[key]; len(numbers) > 0 {
		number := strconv.FormatInt(numbers[0], 10)
		if units := s.NumUnit[key]; len(units) > 0 && units[0] != "" {
			number += " " + units[0]
		}
		return number
	}
	return ""
}

// LabelKeys are the labels of a profile's samples, by name.
func LabelKeys(p *profile.Profile) []string {
	keys := map[string]bool{}
	for _, s := range p.Sample {
		for key := range s.Label {
			keys[key] = true
		}
		for key := range s.NumLabel {
			keys[key] = true
		}
	}
	delete(keys, LabelBase)
	return slices.Sorted(maps.Keys(keys))
}

// OnlyThreads keeps the samples of the threads whose name is wanted. It changes
// the profile.
func OnlyThreads(p *profile.Profile, want func(name string) bool) {
	p.Sample = slices.DeleteFunc(p.Sample, func(s *profile.Sample) bool { return !want(LabelValue(s, LabelThread)) })
}
