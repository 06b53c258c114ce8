package page_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// evil is a name that would be a script if it were not text everywhere.
const evil = `</script><img src=x onerror="document.title='broken into'">`

// quoted is a text as JavaScript writes it.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// stacks collects the samples of a profile by hand.
type stacks struct {
	profile   *profile.Profile
	locations map[string]*profile.Location
	functions map[string]*profile.Function
}

func newStacks() *stacks {
	return &stacks{
		&profile.Profile{
			SampleType: []*profile.ValueType{
				{Type: "cpu", Unit: "nanoseconds"}, {Type: "wall", Unit: "nanoseconds"},
				{Type: "samples", Unit: "count"},
			},
			DefaultSampleType: "cpu",
		},
		map[string]*profile.Location{}, map[string]*profile.Function{},
	}
}

// location is that of a method, with a line behind it if there is one: "a.B.c:7".
func (s *stacks) location(method string) *profile.Location {
	if known := s.locations[method]; known != nil {
		return known
	}
	name, digits, _ := strings.Cut(method, ":")
	line, err := strconv.Atoi(digits)
	if err != nil {
		name, line = method, 0
	}
	f := s.functions[name]
	if f == nil {
		f = &profile.Function{ID: uint64(len(s.profile.Function) + 1), Name: name, SystemName: name}
		s.functions[name] = f
		s.profile.Function = append(s.profile.Function, f)
	}
	if class := strings.Split(name, "."); line > 0 && len(class) > 1 {
		f.Filename = class[len(class)-2] + ".java"
	}
	l := &profile.Location{ID: uint64(len(s.profile.Location) + 1),
		Line: []profile.Line{{Function: f, Line: int64(line)}}}
	s.profile.Location = append(s.profile.Location, l)
	s.locations[method] = l
	return l
}

// thread says whose sample it is; empty labels are absent.
type thread struct{ name, pool, state string }

// weights are a sample's CPU and wall seconds and its count.
type weights struct {
	cpu, wall float64
	count     int64
}

// add adds a sample: outermost frame first.
func (s *stacks) add(of thread, w weights, frames ...string) *profile.Sample {
	sample := &profile.Sample{
		Value: []int64{int64(w.cpu * 1e9), int64(w.wall * 1e9), w.count},
		Label: map[string][]string{},
	}
	for key, value := range map[string]string{"thread": of.name, "pool": of.pool, "state": of.state} {
		if value != "" {
			sample.Label[key] = []string{value}
		}
	}
	for i := range frames {
		sample.Location = append(sample.Location, s.location(frames[len(frames)-1-i]))
	}
	s.profile.Sample = append(s.profile.Sample, sample)
	return sample
}

// addBase adds a sample of what the profile is compared with.
func (s *stacks) addBase(of thread, w weights, frames ...string) {
	sample := s.add(of, weights{-w.cpu, -w.wall, -w.count}, frames...)
	sample.Label["pprof::base"] = []string{"true"}
}

// shop is 10 s of CPU: 6 s in work and 1 s in rest under main, 2 s and 1 s under the
// two workers' run; 20 s of wall time, as worker-1 waits for 10 s.
func shop() *profile.Profile {
	s := newStacks()
	main := thread{"main", "main", "RUNNABLE"}
	s.add(main, weights{6, 6, 6}, "shop.Main.main:10", "shop.Main.work:20")
	s.add(main, weights{1, 1, 1}, "shop.Main.main:11", "shop.Main.rest:30")
	s.add(thread{"worker-1", "worker-*", "RUNNABLE"}, weights{2, 2, 2}, "shop.Pool.run:5", "java.util.HashMap.get:7")
	s.add(thread{"worker-1", "worker-*", "WAITING"}, weights{0, 10, 10}, "shop.Pool.run:6",
		"jdk.internal.misc.Unsafe.park")
	s.add(thread{"worker-2", "worker-*", "RUNNABLE"}, weights{1, 1, 1}, "shop.Pool.run:5",
		"org.springframework.Bean.make")
	s.profile.Comments = []string{"CPU of shop.Main", "Dumps are taken at safepoints."}
	return s.profile
}

// deepAs is one stack of so many frames.
func deepAs(frames int) *profile.Profile {
	s := newStacks()
	var path []string
	for i := range frames {
		path = append(path, fmt.Sprintf("deep.Frame.level%d", i+1))
	}
	s.add(thread{"main", "main", "RUNNABLE"}, weights{1, 1, 1}, path...)
	return s.profile
}

func checkEqual[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func checkContains(t *testing.T, what, got string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(got, word) {
			t.Errorf("%s lacks %q: %q", what, word, got)
		}
	}
}
