package top

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
)

// The minimum heights of a screen with more than the table.
const (
	roomForFacts    = 10
	roomForFindings = 14
)

// header is the verdict, the JVM, and its figures. A low screen has only the verdict.
func (m *Model) header() []string {
	if m.now == nil {
		return []string{m.line(segment{"reading " + escape(m.title), strong})}
	}
	r := m.now.Report
	most := 2
	if m.width < 60 {
		most = 3
	}
	if m.height < roomForFacts {
		most = 1
	}
	lines := m.verdict(r.Verdict, most)
	if m.now.Failure != "" {
		lines = append(lines, m.line(segment{"no dump: " + escape(m.now.Failure), caution}))
	}
	if m.height < roomForFacts {
		return lines[:1]
	}
	lines = append(lines, m.line(segment{m.now.target(), plain}))
	return append(lines, m.flow(m.now.figures(), most)...)
}

func (m *Model) verdict(v analysis.Verdict, most int) []string {
	state := strings.ToUpper(strings.ReplaceAll(string(v.State), "-", " "))
	lines := wrap(state+": "+escape(v.Summary), m.width, most)
	if rest, ok := strings.CutPrefix(lines[0], state); ok {
		lines[0] = m.paint.put(state, stateStyle(v.State)) + rest
	}
	return lines
}

// target names the JVM, its age, and the time of the reading.
func (r *Reading) target() string {
	t := r.Report.Target
	parts := []string{fmt.Sprintf("pid %d", t.PID)}
	if r.Uptime > 0 {
		parts = append(parts, "up "+age(r.Uptime))
	}
	parts = append(parts, r.At.Format(time.TimeOnly))
	for _, s := range []string{render.Shorten(escape(t.MainClass), 60), escape(t.JVM + " " + t.Version)} {
		if s = strings.TrimSpace(s); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ", ")
}

// age formats a time that still grows, in whole seconds.
func age(d time.Duration) string {
	if d < time.Second || d >= time.Minute {
		return render.Duration(d.Seconds())
	}
	return fmt.Sprintf("%d s", d/time.Second)
}

// figures are the facts about the whole JVM, the most important first.
func (r *Reading) figures() []string {
	c := r.Report.Capture
	var all []string
	if c.CPUSeconds != nil && c.ElapsedSeconds != nil && *c.ElapsedSeconds > 0 {
		cpu := fmt.Sprintf("CPU %.2f", *c.CPUSeconds / *c.ElapsedSeconds)
		if c.Cores != nil {
			cpu += fmt.Sprintf(" of %.3g cores", *c.Cores)
		}
		all = append(all, cpu)
	}
	if c.HeapUsedBytes != nil {
		heap := "heap " + render.ByteSize(float64(*c.HeapUsedBytes))
		if c.HeapMaxBytes != nil && *c.HeapMaxBytes > 0 {
			heap += " of " + render.ByteSize(float64(*c.HeapMaxBytes))
		}
		all = append(all, heap)
	}
	all = append(all, r.collections()...)
	if bytes, ok := allocated(r.Report); ok {
		all = append(all, "allocates "+render.ByteSize(bytes)+"/s")
	}
	return append(append(all, sourceWords(c)), r.threadCounts()...)
}

// collections are the share of the time in GCs since the reading before, and the number of GCs since the start.
func (r *Reading) collections() []string {
	now, before := r.Counters, r.Before
	if now == nil || !now.GCCount.Known {
		return nil
	}
	count := finding.Counted(int(now.GCCount.Value), "collection")
	if before == nil || r.Apart <= 0 || !now.GCTime.Known || !before.GCTime.Known {
		return []string{count}
	}
	share := 100 * float64(max(0, now.GCTime.Value-before.GCTime.Value)) / float64(r.Apart)
	return []string{fmt.Sprintf("GC %s %%, %s", render.Percent(&share), count)}
}

// allocated is how many bytes a second the threads allocate, if the JVM reports it.
func allocated(r *analysis.Report) (bytes float64, ok bool) {
	elapsed := r.Capture.ElapsedSeconds
	if elapsed == nil || *elapsed <= 0 {
		return 0, false
	}
	for i := range r.Threads {
		if n := r.Threads[i].AllocatedBytes; n != nil {
			bytes, ok = bytes+float64(*n), true
		}
	}
	return bytes / *elapsed, ok
}

// threadCounts are "31 threads: 12 WAITING, 3 RUNNABLE", after "1,028 virtual (2 mounted): 1,028 WAITING" if there are
// any. The JVM's own threads without a state are not counted.
func (r *Reading) threadCounts() []string {
	counts := map[string]int{}
	for i := range r.Report.Threads {
		if t := &r.Report.Threads[i]; t.State != "" && !t.Virtual() {
			counts[t.State]++
		}
	}
	v := r.Report.VirtualThreads
	if v == nil || v.Count == 0 {
		return []string{stateCounts(counts, "thread")}
	}
	virtual := finding.Thousands(v.Count) + " virtual"
	if v.Mounted != nil && *v.Mounted > 0 {
		virtual += fmt.Sprintf(" (%s mounted)", finding.Thousands(*v.Mounted))
	}
	_, states, _ := strings.Cut(stateCounts(v.States, "thread"), ":")
	return []string{virtual + ":" + states, stateCounts(counts, "platform thread")}
}

// stateCounts is how many threads there are, and how many in each state.
func stateCounts(counts map[string]int, what string) string {
	total := 0
	for _, n := range counts {
		total += n
	}
	var names []string
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	for i, name := range names {
		names[i] = finding.Thousands(counts[name]) + " " + escape(cmp.Or(name, "unknown"))
	}
	text := finding.Counted(total, what)
	if len(names) > 0 {
		text += ": " + strings.Join(names, ", ")
	}
	return text
}

// sourceWords says how the readings were taken, and what they have cost the JVM so far.
func sourceWords(c analysis.Capture) string {
	switch {
	case c.Source == "memory" && c.PauseSeconds == nil:
		return "memory, no pause"
	case c.PauseSeconds != nil:
		return escape(c.Source) + ", paused " + render.Duration(*c.PauseSeconds) + " so far"
	}
	return escape(c.Source)
}

// flow writes items on at most limit lines, and leaves out those without room.
func (m *Model) flow(items []string, limit int) []string {
	const gap = "  "
	var lines []string
	line := ""
	for _, item := range items {
		switch {
		case line == "":
			line = item
		case render.Cells(line)+len(gap)+render.Cells(item) <= m.width:
			line += gap + item
		case len(lines) == limit-1:
			continue
		default:
			lines, line = append(lines, line), item
		}
	}
	lines = append(lines, line)
	for i := range lines {
		lines[i] = m.line(segment{lines[i], plain})
	}
	return lines
}

// findingLines are the findings of the latest reading, followed by those that are over.
func (m *Model) findingLines() []string {
	if m.height < roomForFindings {
		return nil
	}
	most := min(8, (m.height-roomForFindings)/4+1)
	var lines []string
	f := &m.findings
	for i, s := range f.present {
		if rest := len(f.present) - i; len(lines) == most-1 && rest > 1 {
			return append(lines, m.line(segment{finding.Counted(rest, "more finding"), faint}))
		}
		lines = append(lines, m.line(segment{s.since.Format(time.TimeOnly) + " ", faint},
			segment{string(s.severity) + " ", severityStyle(s.severity)}, segment{escape(s.title), plain}))
	}
	for _, s := range f.gone {
		if len(lines) == most {
			break
		}
		lines = append(lines, m.line(segment{s.since.Format(time.TimeOnly) + " until " + s.over.Format(time.TimeOnly) +
			" " + escape(s.title), faint}))
	}
	return lines
}
