package flame

import (
	"cmp"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/jfr"
)

// survey finds which events a chunk has, whoever's they are, and takes the periods of samples
// from what the recording says of itself.
func (r *recordingReader) survey() error {
	r.has, r.async = map[string]bool{}, asyncSettings{}
	defer r.settle()
	return r.file.Events(nil, func(t *jfr.Type, in *jfr.Decoder) error {
		r.has[t.Name], r.seen[t.Name] = true, true
		switch {
		case t.Name == activeSetting:
			r.setting(t, in)
		case r.event == EventCPU && (t.Name == cpuLoad || t.Name == cpuInformation):
			e := fields{}
			in.Object(t, e.keep)
			r.loads.learn(t.Name, e)
		}
		return nil
	})
}

// setting takes the period of an event, and what async-profiler has set.
func (r *recordingReader) setting(t *jfr.Type, in *jfr.Decoder) {
	var id uint64
	text := map[string]string{}
	in.Object(t, func(_ int, f *jfr.Field, v jfr.Item) {
		if text[f.Name] = v.Text; f.Name == "id" {
			id = v.Bits
		}
	})
	of := r.file.Types[jfr.TypeID(id)]
	if of != nil {
		r.async.learn(of.Name, text["name"], text["value"])
	}
	if of == nil || weights[r.event][of.Name] == nil || text["name"] != "period" {
		return
	}
	if d, err := time.ParseDuration(strings.ReplaceAll(text["value"], " ", "")); err == nil && d > 0 {
		r.periods[of.Name] = d
	}
}

// settle completes the settings of a chunk: only the first one of a recording has them. A chunk of
// async-profiler is known by its types.
func (r *recordingReader) settle() {
	if !r.async.wrote() && ofAsync(r.file.Types) {
		r.async = r.writer
		r.async.version = cmp.Or(r.async.version, "of unknown version")
	}
	if r.async.wrote() {
		r.writer = r.async
	}
}

// ofAsync reports that types of async-profiler are among those of the chunk.
func ofAsync(types jfr.Types) bool {
	for _, t := range types {
		if strings.HasPrefix(t.Name, "profiler.") {
			return true
		}
	}
	return false
}
