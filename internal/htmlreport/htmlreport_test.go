package htmlreport

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// hostile is what a program may call its threads, classes and files: markup, the ends of
// attributes and scripts, a terminal's commands, and text that runs backwards.
const hostile = "</pre></script></style><img src=x onerror=alert(1)>\" onmouseover=\"alert(2)' {{.}} " +
	"javascript:alert(3) \x1b[31m\u202e\x00\xff"

// hostilePage has that name wherever others than we choose the text.
func hostilePage() Page {
	zero, line := 0, 2
	who := finding.ThreadRef{Name: hostile, State: hostile, Frame: hostile, File: hostile}
	report := &analysis.Report{
		Target:  analysis.Target{MainClass: hostile, JVM: hostile, Version: hostile, User: hostile, File: hostile},
		Verdict: analysis.Verdict{State: analysis.Deadlocked, Summary: hostile},
		Findings: []finding.Finding{{
			ID: hostile, Kind: finding.KindDeadlock, Severity: finding.Critical, Confidence: finding.Proven,
			Title: hostile, Advice: hostile,
			Culprits: []finding.ThreadRef{who}, Victims: []finding.ThreadRef{who}, VictimCount: 1,
			Resource: &finding.Resource{Type: hostile, Class: hostile, Address: hostile},
			Evidence: []finding.Evidence{{Text: hostile, Dump: &zero, Line: &line}},
		}},
		Threads: []analysis.ThreadReport{{
			Name: hostile, Kind: "java", Role: "application", State: hostile, Frame: hostile, Stack: []string{hostile},
			WaitsFor: &analysis.Wait{Type: hostile, Class: hostile, Address: hostile, Owner: &who},
		}},
		Warnings: []string{hostile},
	}
	return Page{
		Report: report, Tool: "jstall dev", Profile: hostileProfile(),
		Strips: &analysis.Strips{
			Dumps: []analysis.StripDump{{}},
			Rows: []analysis.Strip{
				{
					Role: "application", States: []string{"BLOCKED"},
					Threads: []analysis.StripThread{{Name: hostile, Lines: []int{1}}, {Name: hostile, Lines: []int{2}}},
				},
			},
		},
		Dumps: []Dump{{Source: hostile, Line: 1, Text: []byte("\"" + hostile + "\" #1\n\t" + hostile + "\n")}},
	}
}

func hostileProfile() *profile.Profile {
	f := &profile.Function{ID: 1, Name: hostile, Filename: hostile}
	at := &profile.Location{ID: 1, Line: []profile.Line{{Function: f}}}
	return &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}}, Comments: []string{hostile},
		Sample: []*profile.Sample{
			{Location: []*profile.Location{at}, Value: []int64{1}, Label: map[string][]string{"thread": {hostile}}},
		},
		Location: []*profile.Location{at}, Function: []*profile.Function{f},
	}
}

func pageOf(t *testing.T, p Page) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, p); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestHostileNamesStayText(t *testing.T) {
	text := pageOf(t, hostilePage())
	if n := strings.Count(text, "onerror=alert"); n < 10 {
		t.Errorf("the name is shown %d times: the page lacks what it should be tested with", n)
	}
	outer, inner, found := strings.Cut(text, `srcdoc="`)
	inner, rest, ended := strings.Cut(inner, `"></iframe>`)
	if !found || !ended {
		t.Fatal("there is no flame graph")
	}
	if strings.ContainsAny(inner, `"<>`) {
		t.Error("the flame graph reaches out of its frame")
	}
	outer += rest
	for _, bad := range []string{"<img", `" onmouseover`, "<script", "href=\"javascript", "\x1b", "\u202e",
		"\x00", "\xff"} {
		if at := strings.Index(outer, bad); at >= 0 {
			t.Errorf("the page has %q: …%.200q", bad, outer[max(0, at-80):])
		}
	}
	for _, once := range []string{"<style>", "</style>", "</html>", `http-equiv="Content-Security-Policy"`} {
		if n := strings.Count(outer, once); n != 1 {
			t.Errorf("%d times %s", n, once)
		}
	}
}

// Evidence leads to its line; where there is no such line there is no link.
func TestEvidenceLinks(t *testing.T) {
	p := hostilePage()
	if text := pageOf(t, p); !strings.Contains(text, `href="#d0-2"`) || strings.Count(text, `id="d0-2"`) != 1 {
		t.Error("the evidence is not linked to its line")
	}
	for _, at := range [][2]int{{0, 0}, {0, 99}, {-1, 2}, {7, 2}} {
		p.Report.Findings[0].Evidence[0].Dump, p.Report.Findings[0].Evidence[0].Line = &at[0], &at[1]
		if text := pageOf(t, p); strings.Contains(text, fmt.Sprintf(`"#%s"`, lineID(at[0], at[1]))) {
			t.Errorf("a link to line %d of dump %d, which is not there", at[1], at[0])
		}
	}
}

// However long and many the dumps are, the page can be opened.
func TestLargeCapturesAreBounded(t *testing.T) {
	const dumps, lines = 400, 20_000
	p := hostilePage()
	p.Profile = nil
	text := bytes.Repeat([]byte("\tat com.acme.Orders.take(Orders.java:12)\n"), lines)
	p.Dumps = nil
	strips := &analysis.Strips{}
	for i := range dumps {
		p.Dumps = append(p.Dumps, Dump{Line: 1, Text: text})
		strips.Dumps = append(strips.Dumps, analysis.StripDump{Index: i})
	}
	for i := range 2 * maxRows {
		row := analysis.Strip{Role: "application", States: make([]string, dumps)}
		for range 2 * maxNames {
			row.Threads = append(row.Threads,
				analysis.StripThread{Name: fmt.Sprint("w-", i), Lines: make([]int, dumps)})
		}
		strips.Rows = append(strips.Rows, row)
	}
	p.Strips = strips
	table := (&builder{Page: p, raw: newRaw(p.Dumps, p.Report)}).strips()
	if len(table.Columns) != maxColumns || table.Earlier != dumps-maxColumns || len(table.Rows) != maxRows ||
		table.MoreRows != maxRows {
		t.Errorf("%d columns after %d, %d rows before %d", len(table.Columns), table.Earlier, len(table.Rows),
			table.MoreRows)
	}
	if row := table.Rows[0]; len(row.Threads) != maxNames || row.MoreThreads != maxNames ||
		len(row.Cells) != maxColumns {
		t.Errorf("a row of %d names before %d, and %d cells", len(row.Threads), row.MoreThreads, len(row.Cells))
	}
	p.Strips = nil
	if size := len(pageOf(t, p)); size > maxQuoted+maxWhole {
		t.Errorf("%d MB of dumps became a page of %d bytes", dumps*len(text)>>20, size)
	}
}

// A report without dumps, as of a JVM that does not answer, is a page too.
func TestPageWithoutDumps(t *testing.T) {
	p := hostilePage()
	p.Strips, p.Dumps, p.Profile = nil, nil, nil
	text := pageOf(t, p)
	for _, absent := range []string{`id="states"`, `id="dumps"`, "<iframe"} {
		if strings.Contains(text, absent) {
			t.Errorf("the page has an empty %s", absent)
		}
	}
	if !strings.HasSuffix(text, "</html>\n") {
		t.Error("the page is not whole")
	}
}

// A row of states names virtual threads, and counts those that the dumps do not list.
func TestStatesOfVirtualThreads(t *testing.T) {
	long := strings.Repeat("order-handler-", 10)
	threads := []analysis.StripThread{{ID: 31, Lines: []int{0}}, {Name: long, ID: 32, Lines: []int{0}}}
	page := pageOf(t, Page{Report: &analysis.Report{}, Strips: &analysis.Strips{
		Dumps: []analysis.StripDump{{}}, Unlisted: 7,
		Rows: []analysis.Strip{
			{Role: "application", Virtual: true, Threads: threads, Alike: 4998, States: []string{"WAITING"}},
		},
	}})
	for _, want := range []string{"5,000 virtual threads: virtual #31, order-handler-", "… #32 …", "and 4998 more",
		"and 7 more virtual threads"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
}
