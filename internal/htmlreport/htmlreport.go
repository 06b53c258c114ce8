// Package htmlreport writes a report as one HTML file: the verdict and the findings, the states of the threads over
// time, who waits for whom, the flame graph of the same capture, and the dumps themselves, to whose lines the evidence
// links.
//
// The file is self-contained, and its policy forbids it to load anything. All but the flame graph, a page in a separate
// frame, works without scripts. Text from a JVM is hostile input. It is escaped here or by package render, and never
// reaches a script or a style of this page.
package htmlreport

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"io"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/flame/page"
	"github.com/jstall/jstall/internal/render"
)

// Page is the content of a page.
type Page struct {
	Report *analysis.Report
	// Strips are the states of the threads over time; nil shows none.
	Strips *analysis.Strips
	// Dumps are the texts by the numbers that evidence gives them.
	Dumps []Dump
	// Profile is of the same capture; nil shows none.
	Profile *profile.Profile
	// Timeline has the times of the profile's values, nil if unknown.
	Timeline *flame.Timeline
	// Tool names the program that wrote the page.
	Tool string
}

// Dump is the text of a dump, its source, and the line of its first line there, from 1.
type Dump struct {
	Source string
	Line   int
	Text   []byte
}

//go:embed assets
var assets embed.FS

// Write writes the page. An error is that of the profile or of w.
func Write(w io.Writer, p Page) error {
	b := &builder{Page: p, raw: newRaw(p.Dumps, p.Report), dumpAt: map[threadKey][]place{}}
	b.indexThreads()
	v := view{Title: title(p.Report), Tool: p.Tool, Style: styleElement(), Policy: policy()}
	for _, part := range []struct {
		to *template.HTML
		as render.HTMLPart
	}{
		{&v.Findings, render.HTMLFindings},
		{&v.Work, render.HTMLWork},
		{&v.Threads, render.HTMLThreads},
		{&v.Notes, render.HTMLNotes},
	} {
		*part.to = b.part(func(out io.Writer) error { return render.HTML(out, part.as, p.Report, b.links()) })
	}
	v.Waits = b.part(func(out io.Writer) error { return render.WaitGraph(out, p.Report, b.links()) })
	v.Strips = b.strips()
	v.Flame = b.flame()
	v.Raw = b.raw.sections() // last: the lines that the parts above link to are marked
	v.Whole = b.raw.whole
	if b.err != nil {
		return b.err
	}
	return template.Must(template.ParseFS(assets, "assets/report.html")).Execute(w, v)
}

// view is the data of the template.
type view struct {
	Title, Tool, Policy string
	Style               template.HTML
	Findings, Waits     template.HTML
	Work, Threads       template.HTML
	Notes, Flame        template.HTML
	Strips              stripTable
	Raw                 []rawSection
	Whole               bool
}

// builder makes the parts of a page.
type builder struct {
	Page
	raw *raw
	// dumpAt has the places of threads in the dumps, the last dump first.
	dumpAt map[threadKey][]place
	err    error
}

type threadKey struct {
	name string
	id   int64
}

// place is a line of a dump.
type place struct{ dump, line int }

func (b *builder) indexThreads() {
	if b.Strips == nil {
		return
	}
	for at := len(b.Strips.Dumps) - 1; at >= 0; at-- {
		for _, row := range b.Strips.Rows {
			for _, t := range row.Threads {
				if line := t.Lines[at]; line > 0 {
					k := threadKey{t.Name, t.ID}
					b.dumpAt[k] = append(b.dumpAt[k], place{b.Strips.Dumps[at].Index, line})
				}
			}
		}
	}
}

func (b *builder) links() render.Links {
	return render.Links{Line: b.raw.link, Thread: b.threadLink}
}

// threadLink links to a thread's block in the last dump of it on the page.
func (b *builder) threadLink(name string, id int64) string {
	for _, p := range b.dumpAt[threadKey{name, id}] {
		if to := b.raw.link(p.dump, p.line); to != "" {
			return to
		}
	}
	return ""
}

// part is markup that a function writes; it has escaped all text of others.
func (b *builder) part(write func(io.Writer) error) template.HTML {
	var out strings.Builder
	if err := write(&out); err != nil && b.err == nil {
		b.err = err
	}
	return template.HTML(out.String())
}

// flame is the page of the profile in a frame without an origin, so that names in the profile cannot affect this page.
func (b *builder) flame() template.HTML {
	if b.Profile == nil {
		return ""
	}
	inner := b.part(func(out io.Writer) error {
		return page.Write(out, b.Profile, page.Options{Title: "Flame graph of this capture", Timeline: b.Timeline})
	})
	return template.HTML(
		`<iframe title="Flame graph" sandbox="allow-scripts" srcdoc="` +
			html.EscapeString(string(inner)) + `"></iframe>`)
}

func title(r *analysis.Report) string {
	of := r.Target.MainClass
	if of == "" {
		of = r.Target.File
	}
	return render.Escape(fmt.Sprintf("%s: %s", strings.ToUpper(string(r.Verdict.State)), of))
}

func style() string {
	text, err := assets.ReadFile("assets/report.css")
	if err != nil {
		panic(err) // it is embedded: a test writes a page
	}
	return string(text)
}

func styleElement() template.HTML { return template.HTML("<style>" + style() + "</style>") }

// policy allows the page's own style and the flame graph, whose frame inherits the policy. It forbids loading anything.
func policy() string {
	sum := sha256.Sum256([]byte(style()))
	flameScript, flameStyle := page.Hashes()
	return "default-src 'none'; script-src " + flameScript + "; style-src 'sha256-" + base64.StdEncoding.EncodeToString(
		sum[:]) + "' " + flameStyle +
		"; img-src data:; base-uri 'none'; form-action 'none'"
}
