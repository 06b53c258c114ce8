package jfr

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/order"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

func summaryPart() part {
	return part{
		name: "summary", words: "FILE.jfr…", run: jfrSummary, examples: `
   jstall jfr summary app.jfr                           how long it is, and which events it has`,
		flags: []cli.Flag{answerFlags()[0]},
	}
}

// recordingSummary describes recordings and their content.
type recordingSummary struct {
	Version  string        `json:"version"`
	Chunks   int           `json:"chunks"`
	Start    time.Time     `json:"start"`
	Duration time.Duration `json:"durationNs"`
	Events   []eventCount  `json:"events"`

	end    int64
	counts map[string]*eventCount
}

// eventCount is the number of events of a name, and their size in bytes.
type eventCount struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
	Bytes int    `json:"bytes"`
}

// add adds the events of a chunk.
func (s *recordingSummary) add(c *jfr.Chunk, zone *time.Location) error {
	major, minor := c.Version()
	start := time.Unix(0, int64(c.Start)).In(zone)
	if s.Chunks++; s.Version == "" || start.Before(s.Start) {
		s.Version, s.Start = fmt.Sprintf("%d.%d", major, minor), start
	}
	s.end = max(s.end, int64(c.Start+c.Duration))
	byType := map[*jfr.Type]*eventCount{}
	return c.Events(nil, func(t *jfr.Type, in *jfr.Decoder) error {
		n := byType[t]
		if n == nil {
			if n = s.counts[t.Name]; n == nil {
				n = &eventCount{Name: t.Name}
				s.counts[t.Name] = n
			}
			byType[t] = n
		}
		n.Count++
		n.Bytes += in.Size()
		return nil
	})
}

// settle sorts the events, the most frequent first.
func (s *recordingSummary) settle() {
	s.Duration = max(0, time.Duration(s.end-s.Start.UnixNano()))
	s.Events = []eventCount{}
	for _, n := range s.counts {
		s.Events = append(s.Events, *n)
	}
	order.Sort(s.Events, func(a, b eventCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Name, b.Name))
	})
}

func jfrSummary(c *cli.Context, env *shell.Env, words []string) error {
	if len(words) == 0 {
		return shell.Usage("jstall jfr summary app.jfr", "name a recording")
	}
	format := cmp.Or(c.String("format"), inTable)
	if format != inTable && format != inJSON {
		return shell.Usage("--format json", "--format is table or json, not %q", format)
	}
	s, zone := &recordingSummary{counts: map[string]*eventCount{}}, &fileZone{}
	r := &recordings{env: env, files: words}
	defer shell.GrowFreely()()
	err := r.each(c.Context, zone.before(func(c *jfr.Chunk) error { return s.add(c, zone.location()) }))
	if err != nil {
		return err
	}
	if s.Chunks == 0 {
		return r.outcome()
	}
	s.settle()
	if err := s.write(env, format); err != nil {
		return err
	}
	return r.outcome()
}

func (s *recordingSummary) write(env *shell.Env, format string) error {
	if format == inJSON {
		return render.IndentedJSON(env.Stdout, s)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Version %s, chunks: %d, from %s for %.1f s\n", s.Version, s.Chunks,
		s.Start.Format("2006-01-02 15:04:05 -07:00"), s.Duration.Seconds())
	fmt.Fprintf(&b, "%10s %12s  %s\n", "EVENTS", "BYTES", "NAME")
	for _, n := range s.Events {
		fmt.Fprintf(&b, "%10d %12d  %s\n", n.Count, n.Bytes, render.Escape(n.Name))
	}
	_, err := fmt.Fprint(env.Stdout, b.String())
	return err
}
