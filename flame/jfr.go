package flame

import (
	"io"
	"time"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/internal/jfr"
)

// ReadJFR makes a profile of the events of one kind in a flight recording, chunk by chunk:
// its memory is bound by the largest one. With an error in the first chunk there is no profile;
// in a later one it is that of the chunks before, and perhaps of this one's beginning.
func ReadJFR(in io.Reader, event Event, o Options) (*profile.Profile, error) {
	r := &recordingReader{
		event: event, periods: map[string]time.Duration{}, options: o, a: newAssembler(event.types()...),
		counts: map[string]int{}, seen: map[string]bool{},
		allocations: newAllocations(),
	}
	if o.Labels != nil {
		r.labelled = make([]int, len(o.Labels.events))
	}
	file := jfr.NewReader(in)
	for number := 0; ; number++ {
		chunk, err := file.Next()
		if err == io.EOF {
			return r.profile(), nil
		}
		if err == nil {
			err = file.Fail(r.chunk(chunk))
		}
		if err == nil {
			continue
		}
		if number == 0 {
			return nil, err
		}
		return r.profile(), err
	}
}

func (r *recordingReader) chunk(c *jfr.Chunk) (err error) {
	r.file = c
	constants, err := c.Constants(namedConstants...)
	if err != nil {
		return err
	}
	r.names = newNames(c.Types, constants, r.options.ExactNames)
	if err := r.survey(); err != nil {
		return err
	}
	r.timed = r.timed || r.has[cpuTimeSample]
	r.stacks, r.functions = map[uint64]stackID{}, map[codeKey]*profile.Function{}
	if r.begin == 0 {
		r.begin = c.Start
	}
	r.start = max(c.Start, r.begin)
	r.end = max(r.end, c.Start+c.Duration)
	err = r.events()
	isVirtual := func(thread uint64) bool { return r.names.thread(thread).virtual }
	r.allocations.settle(isVirtual, func(s allocation, bytes int64) {
		at := r.since(s.at)
		r.put(s.stack, s.labels, span{at, at}, bytes)
	})
	return err
}

func (r *recordingReader) profile() *profile.Profile {
	p := r.a.profile
	p.TimeNanos = int64(r.begin)
	p.DurationNanos = int64(r.end - r.begin)
	p.PeriodType = &profile.ValueType{Type: Wall, Unit: "nanoseconds"}
	p.Period = int64(r.period(executionSample))
	total := 0
	for _, n := range r.counts {
		total += n
	}
	p.Comments = append(p.Comments, sampleError(total, "sample"))
	if r.writer.wrote() {
		r.asyncProfile(p)
	}
	p.Comments = append(append(p.Comments, r.notes(p, total)...), r.a.comments()...)
	return p
}
