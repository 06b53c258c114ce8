package render

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis"
)

// maxNotes is how many warnings a report shows unless it is full.
const maxNotes = 3

// header is the verdict, the target, and the problems of the capture itself.
func (p *page) header() {
	r := p.report
	target := p.target()
	level := 1
	if p.options.MultiTarget {
		p.heading(1, strong(target))
		level = 2
	}
	if r.Verdict.State != "" {
		p.heading(level, headline(r.Verdict)...)
		p.lastState = r.Verdict.State
	}
	if !p.options.MultiTarget && target != "" {
		p.line("", plain(target))
	}
	if heap := heapWords(r.Capture); heap != "" {
		p.line("", plain(heap))
	}
	if r.Error != nil {
		p.failure(*r.Error)
	}
}

// headline is the state and its cause. In the search for deadlocks alone the sentence includes the state.
func headline(v analysis.Verdict) []span {
	if v.State == analysis.NoDeadlock {
		return []span{prose(v.Summary)}
	}
	return []span{stateSpan(v.State), plain(": "), prose(v.Summary)}
}

// stateSpan is the state in its colour.
func stateSpan(s analysis.VerdictState) span {
	styles := map[analysis.VerdictState]style{
		analysis.Deadlocked:   styleAlarm,
		analysis.Stalled:      styleAlarm,
		analysis.Unresponsive: styleAlarm,
		analysis.Degraded:     styleCaution,
		analysis.Suspicious:   styleNotice,
		analysis.Ok:           styleCalm,
		analysis.NoDeadlock:   styleCalm,
	}
	return span{strings.ToUpper(strings.ReplaceAll(string(s), "-", " ")), styles[s]}
}

// target says in one line which JVM or file the report is about.
func (p *page) target() string {
	t := p.report.Target
	var parts []string
	add := func(format, value string) {
		if value != "" {
			parts = append(parts, fmt.Sprintf(format, value))
		}
	}
	add("%s", t.File)
	if t.PID != 0 {
		add("pid %s", fmt.Sprint(t.PID))
	}
	add("%s", shorten(escape(t.MainClass), 2*nameCells))
	add("%s", strings.TrimSpace(t.JVM+" "+t.Version))
	if t.UptimeSeconds != nil {
		add("up %s", duration(*t.UptimeSeconds))
	}
	add("user %s", t.User)
	if v := p.report.VirtualThreads; v != nil && v.Count > 0 {
		add("%s", counted(v.Platform, "platform thread"))
		add("%s virtual", count(v.Count))
		parts[len(parts)-1] += mountedWords(intOr(v.Mounted, 0))
	}
	return strings.Join(parts, ", ")
}

// heapWords is "heap 120 MB of 256 MB, +80 MB over 2.00 s". It is empty without a live capture, and if the counters are
// unknown.
func heapWords(c analysis.Capture) string {
	// Some collectors update these counters only in a GC: they are zero before the first one, and an equal value in two
	// readings does not mean that nothing was allocated.
	if c.HeapUsedBytes == nil || *c.HeapUsedBytes == 0 || c.Source != "attach" && c.Source != "memory" {
		return ""
	}
	text := "heap " + byteSize(float64(*c.HeapUsedBytes))
	if c.HeapMaxBytes != nil && *c.HeapMaxBytes > 0 {
		text += " of " + byteSize(float64(*c.HeapMaxBytes))
	}
	if c.HeapGrowthBytes == nil || *c.HeapGrowthBytes == 0 || c.ElapsedSeconds == nil {
		return text
	}
	growth, sign := *c.HeapGrowthBytes, "+"
	if growth < 0 {
		growth, sign = -growth, "-"
	}
	return text + ", " + sign + byteSize(float64(growth)) + " over " + duration(*c.ElapsedSeconds)
}

func (p *page) failure(f analysis.Failure) {
	title := "error: "
	if f.Phase != "" {
		title = fmt.Sprintf("error in %s: ", f.Phase)
	}
	p.line("", span{title, styleAlarm}, prose(f.Message))
	if f.Remedy != "" {
		p.line("", strong("try: "), prose(f.Remedy))
	}
}

// notes are the report's warnings.
func (p *page) notes() {
	warnings := p.report.Warnings
	shown := len(warnings)
	if !p.options.Full {
		shown = min(shown, maxNotes)
	}
	for i, w := range warnings[:shown] {
		text := []span{faint(fmt.Sprintf("[%d] ", i+1)), prose(w)}
		if i == 0 {
			p.section("Notes", text...)
		} else {
			p.under(text...)
		}
	}
	if rest := len(warnings) - shown; rest > 0 {
		p.under(faint(fmt.Sprintf("and %s more (--full)", count(rest))))
	}
}

// footer shows where and when the capture was made, and what it cost the target.
func (p *page) footer() {
	c := p.report.Capture
	if taken := takenWords(c); taken != "" {
		p.section("Taken", faint(taken))
	}
	if source := sourceWords(c); source != "" {
		p.section("Source", faint(source))
	}
	switch {
	case c.Source == "core":
		p.section("Capture", faint(captures(c)+" from a core file"))
	case c.Source == "memory":
		p.section("Overhead", faint(captures(c)+memoryCost(c)))
	case c.Source == "file", c.Source == "recording":
		p.section("Capture", faint(captures(c)+" from "+savedIn(c)))
	case c.Dumps == 0:
		p.section("Overhead", faint("no dump could be taken"+liveCost(c)))
	default:
		p.section("Overhead", faint(captures(c)+liveCost(c)))
	}
}

// takenWords is "on web-3 at 2026-11-28 02:14:07 +01:00 by jstall 0.1.0", as far as known.
func takenWords(c analysis.Capture) string {
	var parts []string
	if c.Host != "" {
		parts = append(parts, "on "+escape(c.Host))
	}
	if at, err := time.Parse(time.RFC3339, c.Time); err == nil {
		parts = append(parts, "at "+at.Format("2006-01-02 15:04:05 -07:00"))
	}
	if c.Jstall != "" {
		parts = append(parts, "by jstall "+escape(c.Jstall))
	}
	return strings.Join(parts, " ")
}

// captures says how many dumps were taken over what time.
func captures(c analysis.Capture) string {
	s := counted(c.Dumps, "dump")
	if c.Dumps > 1 && c.ElapsedSeconds != nil {
		s += " over " + duration(*c.ElapsedSeconds)
	}
	return s
}

// savedIn names the source of saved dumps: "a file", "3 files", "a recording".
func savedIn(c analysis.Capture) string {
	if r := c.Recorded; r != nil {
		return "a flight recording of " + recordedWords(*r)
	}
	files := slices.Clone(c.DumpFiles)
	slices.Sort(files)
	if n := len(slices.Compact(files)); n > 1 && c.Source == "file" {
		return counted(n, "file")
	}
	return "a " + c.Source
}

// recordedWords is "2026-11-28 14:00:00 to 14:10:00 +01:00".
func recordedWords(r analysis.Recorded) string {
	from, err := time.Parse(time.RFC3339, r.From)
	to, failed := time.Parse(time.RFC3339, r.To)
	switch {
	case err != nil || failed != nil:
		return escape(r.From + " to " + r.To)
	case from.Format(time.DateOnly) == to.Format(time.DateOnly):
		return from.Format(time.DateTime) + to.Format(" to 15:04:05 -07:00")
	}
	return from.Format(time.DateTime) + to.Format(" to 2006-01-02 15:04:05 -07:00")
}

// sourceWords describes how dumps were taken that the JVM did not give.
func sourceWords(c analysis.Capture) string {
	switch {
	case c.Source == "core":
		return "core file"
	case c.Source == "memory" && c.Given > 0:
		return "the JVM for " + counted(c.Given, "dump") + ", then its memory"
	case c.Source == "memory" && len(c.Unanswered) > 0:
		return "memory, the JVM did not answer"
	case c.Source == "memory":
		return "memory, the JVM was not asked"
	}
	return ""
}

// memoryCost is liveCost for dumps that were read from memory.
func memoryCost(c analysis.Capture) string {
	parts := []string{"JVM not paused"}
	if c.Given > 0 {
		parts = []string{pause(c)}
	}
	if len(c.Unanswered) > 0 {
		sent := "not answered: " + escape(strings.Join(c.Unanswered, ", "))
		if parts = append(parts, sent); c.Given == 0 {
			parts = []string{sent}
		}
	}
	return "; " + strings.Join(append(parts, ownCost(c)...), "; ")
}

func liveCost(c analysis.Capture) string {
	parts := []string{pause(c)}
	if ran := javaCommands(c); ran != "" {
		parts = append(parts, ran)
	}
	if c.MemorySeconds != nil {
		parts = append(parts, "memory read in "+duration(*c.MemorySeconds))
	}
	return "; " + strings.Join(append(parts, ownCost(c)...), "; ")
}

// ownCost says what jstall used and left.
func ownCost(c analysis.Capture) []string {
	var parts []string
	if c.OwnCPUSeconds != nil {
		parts = append(parts, "jstall used "+duration(*c.OwnCPUSeconds)+" of CPU")
	}
	if len(c.FilesLeft) == 0 {
		parts = append(parts, "no files left behind")
	} else {
		parts = append(parts, "files left behind: "+strings.Join(c.FilesLeft, ", "))
	}
	return parts
}

// pause says how long jstall paused the target, and where that figure is from.
func pause(c analysis.Capture) string {
	if c.PauseSeconds == nil {
		return "JVM pause unknown"
	}
	text := "JVM paused at most " + duration(*c.PauseSeconds)
	if c.LongestPauseSeconds != nil && c.Dumps > 1 {
		text += ", longest " + duration(*c.LongestPauseSeconds)
	}
	switch c.PauseFrom {
	case "requests":
		text += " (time of the requests: the JVM has no counters)"
	case "counters":
		text += " (safepoint counters, which include the pauses of the JVM itself)"
	}
	return text
}

// javaCommands names the Java code that jstall ran in the JVM, empty if there was none.
func javaCommands(c analysis.Capture) string {
	if len(c.JavaCommands) == 0 || c.JavaSeconds == nil {
		return ""
	}
	return "Java code ran in the JVM for " + strings.Join(c.JavaCommands, ", ") + " (" + duration(*c.JavaSeconds) + ")"
}

// nothingKnown writes, in place of a view, that there is no dump for it.
func (p *page) nothingKnown() bool {
	if p.report.Capture.Dumps > 0 {
		return false
	}
	p.header()
	p.line("", plain("Who waits for what is unknown: no dump could be taken."))
	p.notes()
	p.footer()
	return true
}
