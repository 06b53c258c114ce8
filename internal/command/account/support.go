package account

import (
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/source/target"
	"github.com/jstall/jstall/internal/support"
)

func jvmSupport() view {
	return view{
		name: "jvm-support", usage: "how old this Java is, and until when it is supported",
		about: `Compares the JDK's release file with a table of Java releases and of their vendors'
support dates. The date of the table is shown. Nothing is sent to the JVM. A JDK that
does not run can be named by its folder.`,
		price: "none; the release file of its JDK is read.",
		examples: "   jstall jvm-support all\n   jstall jvm-support /usr/lib/jvm/java-17-openjdk-amd64\n" +
			"   jstall jvm-support night.zip --as-of 2026-12-31",
		release: true, count: 1,
		flags: []cli.Flag{&cli.StringFlag{Name: "as-of", Usage: "judge as of this `DAY`, 2026-11-21"}},
		facts: supportFacts,
	}
}

// supportFacts reads a release file, or without one the other entries that name the release.
func supportFacts(s *seen) render.Facts {
	version, vendor, day := s.release()
	table, err := support.Shipped()
	if err != nil || version == "" {
		return nil
	}
	f := render.SupportFacts{
		Version: version, Vendor: vendor, Line: feature(version), Status: "unknown",
		TableDate: table.Compared.Format(time.DateOnly), Today: s.today.Format(time.DateOnly),
	}
	line, ok := table.Line(f.Line)
	if !ok {
		return f
	}
	f.LTS, f.LineReleased = line.LTS, line.Released.Format(time.DateOnly)
	ends, by := table.Ends(vendor, line)
	f.SupportEnds, f.SupportBy = dayOf(ends), by
	released, err := time.Parse(time.DateOnly, day)
	if err != nil {
		released = line.Due(version)
	}
	judge(&f, line, supportDays{today: s.today, released: released, ends: ends})
	return f
}

// supportDays are the days that decide about a build; unknown ones are zero.
type supportDays struct{ today, released, ends time.Time }

// grace is how long after an update its builds may still be unpublished.
const grace = 30 * 24 * time.Hour

func judge(f *render.SupportFacts, line support.Line, d supportDays) {
	if !d.ends.IsZero() {
		f.Status = "supported"
		if d.today.After(d.ends) {
			f.Status = "ended"
		}
	}
	if d.released.IsZero() {
		return
	}
	f.Released = d.released.Format(time.DateOnly)
	behind, late := 0, false
	until := d.today
	if !d.ends.IsZero() && d.ends.Before(until) {
		until = d.ends
	}
	for _, day := range line.Updates(until) {
		f.NewestDue = day.Format(time.DateOnly)
		if day.After(d.released) {
			behind++
			late = late || d.today.Sub(day) > grace
		}
	}
	f.Behind = &behind
	if late && f.Status == "supported" {
		f.Status = "outdated"
	}
}

func dayOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// feature is the number of the line: 17 of "17.0.15", 8 of "1.8.0_504".
func feature(version string) int {
	digits, _, _ := strings.Cut(strings.TrimPrefix(version, "1."), ".")
	end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		digits = digits[:end]
	}
	n, _ := strconv.Atoi(digits)
	return n
}

// release returns what is known of the build, from the best available source.
func (s *seen) release() (version, vendor, day string) {
	for _, e := range s.entries {
		if e.Name != target.ReleaseFile || e.Err != nil {
			continue
		}
		values := properties(string(e.Bytes))
		if version = values["JAVA_RUNTIME_VERSION"]; version == "" || feature(version) < 9 {
			version = values["JAVA_VERSION"]
		}
		if version == "" {
			s.unread = append(s.unread, render.Unread{Command: "release", Text: string(e.Bytes)})
			continue
		}
		return version, values["IMPLEMENTOR"], values["JAVA_VERSION_DATE"]
	}
	for _, e := range s.entries {
		if e.Kind == recording.Jcmd && e.Name == "VM.system_properties" && e.Err == nil {
			values := properties(string(e.Bytes))
			if version = values["java.version"]; version != "" {
				return version, values["java.vendor"], values["java.version.date"]
			}
		}
	}
	version = s.process.JavaVersion
	if all := s.counters(); len(all) > 0 {
		vendor = all[len(all)-1].value.VMVendor()
	}
	return version, vendor, ""
}

// properties reads lines of KEY="value" or key=value.
func properties(text string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if ok {
			values[key] = strings.Trim(value, `"`)
		}
	}
	return values
}
