package render

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/internal/diagcmd"
)

// CompilerFacts are the facts of compiler-queue.
type CompilerFacts struct {
	diagcmd.CompilerQueue
	// Samples are the numbers of active and waiting compilations at each answer, if there are several.
	Samples []CompilerSample `json:"looks,omitempty"`
}

// CompilerSample is one answer in two figures.
type CompilerSample struct {
	AtSeconds *float64 `json:"atSeconds,omitempty"`
	Active    int      `json:"active"`
	Queued    int      `json:"queued"`
}

func (f CompilerFacts) lay(d *document, o Options) {
	queued := 0
	for _, q := range f.Queues {
		queued += len(q.Tasks)
	}
	d.section("Compiler", plain(fmt.Sprintf("%s compiling, %s waiting", counted(len(f.Active), "method"),
		counted(queued, "method"))))
	t := table{columns: []column{
		{title: "WHERE"}, {title: "ID", right: true}, {title: "LEVEL", right: true, optional: true},
		{title: "BYTES", right: true}, {title: "KIND", optional: true}, {title: "METHOD", flexible: true},
	}}
	for _, task := range f.Active {
		t.add(taskRow(task.Thread, task)...)
	}
	for _, q := range f.Queues {
		for _, task := range q.Tasks[:rows(len(q.Tasks), o, 10)] {
			t.add(taskRow(q.Compiler+" queue", task)...)
		}
	}
	if len(t.rows) > 0 {
		d.table(t)
	}
	d.more(len(f.Active) + queued - len(t.rows))
	if len(f.Samples) > 1 {
		d.section("Samples", plain(compilerSamples(f.Samples)))
	}
}

func compilerSamples(samples []CompilerSample) string {
	var words []string
	for _, l := range samples {
		words = append(words, fmt.Sprintf("%d + %d", l.Active, l.Queued))
	}
	return "compiling + waiting: " + strings.Join(words, ", ")
}

func taskRow(where string, t diagcmd.CompileTask) []span {
	var kinds []string
	for _, k := range []struct {
		is   bool
		name string
	}{{t.OSR, "loop"}, {t.Blocking, "blocking"}, {t.Native, "native"}} {
		if k.is {
			kinds = append(kinds, k.name)
		}
	}
	return []span{plain(where), plain(fmt.Sprint(t.ID)), plain(knownCount(t.Level)), plain(knownCount(t.Bytes)),
		plain(orUnknown(strings.Join(kinds, " "))), quoted(t.Method)}
}

// VitalsFacts are the facts of vm-vitals.
type VitalsFacts struct {
	diagcmd.Vitals
}

func (f VitalsFacts) lay(d *document, o Options) {
	for _, p := range f.Periods {
		d.section("Vitals", plain(fmt.Sprintf("%s, %s, the last at %s", p.Title, counted(len(p.Samples), "sample"),
			p.Samples[0].Time)))
		t := table{columns: []column{{title: "VALUE"}, {title: "LAST", right: true},
			{title: "BEFORE", right: true, optional: true}, {title: "FIRST", right: true, optional: true}}}
		for i, name := range p.Columns {
			value := func(k int) span {
				if k < 0 || k >= len(p.Samples) {
					return plain(unknown)
				}
				return plain(orUnknown(p.Samples[k].Values[i]))
			}
			first := len(p.Samples) - 1
			if first == 0 {
				first = -1
			}
			t.add(plain(name), value(0), value(1), value(first))
		}
		d.table(t)
	}
}

// FlagFacts are the facts of vm-flags.
type FlagFacts struct {
	// Flags are the flags that differ from their default.
	Flags []diagcmd.Flag `json:"flags"`
	// Limits are the limits of the JVM's control group and CPU set; Differs names the flags that do not fit them.
	Limits  FlagLimits `json:"limits"`
	Differs []string   `json:"differs"`
}

// FlagLimits are absent without a limit, and if it is unknown.
type FlagLimits struct {
	MemoryBytes *int64   `json:"memoryBytes,omitempty"`
	Cores       *float64 `json:"cores,omitempty"`
}

func (f FlagFacts) lay(d *document, o Options) {
	d.section("Flags", plain(counted(len(f.Flags), "flag")+" "+
		verb(len(f.Flags), "differs from its", "differ from their")+" default"))
	t := table{columns: []column{{title: "FLAG"}, {title: "VALUE", flexible: true},
		{title: "SIZE", right: true, optional: true}, {title: "FROM", optional: true}}}
	for _, flag := range f.Flags {
		t.add(plain(flag.Name), plain(orUnknown(flag.Value)), plain(flagSize(flag)), plain(orUnknown(flag.Origin)))
	}
	if len(t.rows) > 0 {
		d.table(t)
	}
	var limits []string
	if f.Limits.MemoryBytes != nil {
		limits = append(limits, optBytes(f.Limits.MemoryBytes)+" of memory")
	}
	if f.Limits.Cores != nil {
		limits = append(limits, fmt.Sprintf("%.4g cores", *f.Limits.Cores))
	}
	if len(limits) > 0 {
		d.section("Limits", plain(strings.Join(limits, ", ")))
	}
	for _, text := range f.Differs {
		d.section("Differs", prose(text))
	}
}

// flagSize is the value in bytes of a flag whose name says that it is a size.
func flagSize(f diagcmd.Flag) string {
	if !strings.Contains(f.Name, "Size") && !strings.Contains(f.Name, "Bytes") && f.Name != "MaxRAM" {
		return unknown
	}
	var n int64
	if _, err := fmt.Sscan(f.Value, &n); err != nil || n < 1024 {
		return unknown
	}
	return byteSize(float64(n))
}

// ProcessFacts are the facts of processes.
type ProcessFacts struct {
	Seconds *float64 `json:"seconds,omitempty"`
	// CPUs is how many CPUs the target may use, or without a target how many are online.
	CPUs *int `json:"cpus,omitempty"`
	// BusySeconds is the busy time of those CPUs.
	BusySeconds *float64 `json:"busySeconds,omitempty"`
	// OwnSeconds is the CPU time of the target, nil without a target.
	OwnSeconds *float64 `json:"ownSeconds,omitempty"`
	// Processes are the others that used CPU time, the busiest first.
	Processes []ProcessRow `json:"processes"`
}

// ProcessRow is one other process.
type ProcessRow struct {
	PID int `json:"pid"`
	// Name is the kernel's name, which is cut to 15 bytes.
	Name       string  `json:"name"`
	CPUSeconds float64 `json:"cpuSeconds"`
	// CPUPercent is in percent of one core, absent if the time is unknown.
	CPUPercent *float64 `json:"cpuPercent,omitempty"`
}

func (f ProcessFacts) lay(d *document, o Options) {
	text := "CPU load unknown"
	if f.BusySeconds != nil && f.Seconds != nil && *f.Seconds > 0 {
		text = fmt.Sprintf("%.2f cores busy", *f.BusySeconds / *f.Seconds)
		if f.CPUs != nil {
			text = fmt.Sprintf("%.2f of %d cores busy", *f.BusySeconds / *f.Seconds, *f.CPUs)
		}
		text += " over " + duration(*f.Seconds)
		if f.OwnSeconds != nil {
			text += fmt.Sprintf(", %.2f of them by this JVM", *f.OwnSeconds / *f.Seconds)
		}
	}
	d.section("CPU", plain(text))
	t := table{columns: []column{{title: "CPU %", right: true}, {title: "CPU TIME", right: true},
		{title: "PID", right: true}, {title: "PROCESS", flexible: true}}}
	shown := rows(len(f.Processes), o, 10)
	for _, p := range f.Processes[:shown] {
		t.add(plain(optPercent(p.CPUPercent)), plain(duration(p.CPUSeconds)), plain(fmt.Sprint(p.PID)), plain(p.Name))
	}
	if shown == 0 {
		d.line("", plain("no other process used CPU time"))
		return
	}
	d.table(t)
	d.more(len(f.Processes) - shown)
}

// SupportFacts are the facts of jvm-support.
type SupportFacts struct {
	// Version is the build, Vendor its maker, according to the JDK.
	Version string `json:"version"`
	Vendor  string `json:"vendor,omitempty"`
	Line    int    `json:"line"`
	LTS     bool   `json:"lts"`
	// LineReleased, Released and NewestDue are days, "2025-04-15": of the line's first release, of this build, and of
	// the line's last quarterly update before Today.
	LineReleased string `json:"lineReleased,omitempty"`
	Released     string `json:"released,omitempty"`
	NewestDue    string `json:"newestDue,omitempty"`
	// Behind counts the quarterly updates since this build, nil if unknown.
	Behind *int `json:"updatesBehind,omitempty"`
	// Status is "supported", "outdated" (updates are behind), "ended" or "unknown".
	Status string `json:"status"`
	// SupportEnds is the day that the vendor states, or that SupportBy states if the vendor is not in the table.
	SupportEnds string `json:"supportEnds,omitempty"`
	SupportBy   string `json:"supportBy,omitempty"`
	// TableDate is when the table was last compared with the vendors' statements.
	TableDate string `json:"tableDate"`
	Today     string `json:"today"`
}

func (f SupportFacts) lay(d *document, o Options) {
	styles := map[string]style{"supported": styleCalm, "outdated": styleCaution, "ended": styleAlarm}
	text := []span{{f.Status, styles[f.Status]}}
	switch {
	case f.SupportEnds == "":
	case f.Status == "ended":
		text = append(text, plain(" on "+f.SupportEnds+" by "+f.SupportBy))
	default:
		text[0].text = "supported"
		text = append(text, plain(" until "+f.SupportEnds+" by "+f.SupportBy))
	}
	if f.Status == "outdated" && f.SupportEnds != "" && f.Behind != nil {
		text = append(text, plain("; "), span{counted(*f.Behind, "update") + " behind", styleCaution})
		text[0].style = styleCalm
	}
	d.section("Support", text...)
	kind := ""
	if f.LTS {
		kind = ", long-term support (LTS)"
	}
	d.section("Line", plain(fmt.Sprintf("Java %d, first released %s%s", f.Line, orUnknown(f.LineReleased), kind)))
	d.section("Build", plain(fmt.Sprintf("%s, %s, released %s", orUnknown(f.Version), orUnknown(f.Vendor),
		orUnknown(f.Released))))
	switch {
	case f.Behind != nil && *f.Behind > 0:
		d.section("Updates", plain(fmt.Sprintf("%s since then, the last on %s", counted(*f.Behind, "quarterly update"),
			f.NewestDue)))
	case f.Behind != nil:
		d.section("Updates", plain("none since then"))
	}
	d.section("Table", plain("of support dates: last checked "+f.TableDate+"; today is "+f.Today))
}
