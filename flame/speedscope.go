package flame

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/google/pprof/profile"
)

// The parts of https://www.speedscope.app/file-format-schema.json that we write.
type (
	speedscopeFile struct {
		Schema   string              `json:"$schema"`
		Shared   speedscopeShared    `json:"shared"`
		Profiles []speedscopeProfile `json:"profiles"`
		Name     string              `json:"name,omitempty"`
		Active   int                 `json:"activeProfileIndex"`
		Exporter string              `json:"exporter"`
	}
	speedscopeShared struct {
		Frames []speedscopeFrame `json:"frames"`
	}
	speedscopeFrame struct {
		Name string `json:"name"`
		File string `json:"file,omitempty"`
	}
	speedscopeProfile struct {
		Type    string  `json:"type"`
		Name    string  `json:"name"`
		Unit    string  `json:"unit"`
		Start   int64   `json:"startValue"`
		End     int64   `json:"endValue"`
		Samples [][]int `json:"samples"`
		Weights []int64 `json:"weights"`
	}
)

// Speedscope writes the format of https://www.speedscope.app: one profile per
// sample type, that of the index shown first. It cannot hold a difference.
func Speedscope(w io.Writer, p *profile.Profile, index int) error {
	frames := newFrameTable()
	file := speedscopeFile{
		Schema: "https://www.speedscope.app/file-format-schema.json",
		Active: index, Exporter: "jstall",
	}
	if len(p.Comments) > 0 {
		file.Name = p.Comments[0]
	}
	for i := range p.SampleType {
		file.Profiles = append(file.Profiles, speedscopeOf(p, i, frames))
	}
	file.Shared.Frames = frames.all
	out := bufio.NewWriter(w)
	if err := json.NewEncoder(out).Encode(file); err != nil {
		return err
	}
	return out.Flush()
}

func speedscopeOf(p *profile.Profile, index int, frames *frameTable) speedscopeProfile {
	t := p.SampleType[index]
	out := speedscopeProfile{
		Type: "sampled", Name: t.Type, Unit: speedscopeUnit(t.Unit), Samples: [][]int{}, Weights: []int64{},
	}
	for _, s := range p.Sample {
		if isBase(s) || s.Value[index] == 0 {
			continue
		}
		names := functions(s)
		stack := make([]int, len(names))
		for i, f := range names {
			stack[i] = frames.index(f)
		}
		out.Samples = append(out.Samples, stack)
		out.Weights = append(out.Weights, s.Value[index])
		out.End += s.Value[index]
	}
	return out
}

// speedscopeUnit is one of the format's words.
func speedscopeUnit(unit string) string {
	switch unit {
	case "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes":
		return unit
	}
	return "none"
}

// frameTable numbers frames by name and file.
type frameTable struct {
	all   []speedscopeFrame
	known map[speedscopeFrame]int
}

func newFrameTable() *frameTable {
	return &frameTable{all: []speedscopeFrame{}, known: map[speedscopeFrame]int{}}
}

func (t *frameTable) index(f *profile.Function) int {
	frame := speedscopeFrame{f.Name, f.Filename}
	i, ok := t.known[frame]
	if !ok {
		i = len(t.all)
		t.all = append(t.all, frame)
		t.known[frame] = i
	}
	return i
}
