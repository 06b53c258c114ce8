package jfr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/jfr/query"
	"github.com/jstall/jstall/internal/jfr/views"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/file"
)

func viewsPart() part {
	return part{
		name: "views", examples: `
   jstall jfr views                                     the names of all views, with what they show`,
		run: func(_ *cli.Context, env *shell.Env, words []string) error {
			if len(words) > 0 {
				return shell.Usage("jstall jfr view NAME FILE.jfr", "jfr views takes no words")
			}
			return listViews(env)
		},
	}
}

// listViews prints the views of each kind.
func listViews(env *shell.Env) error {
	all, err := views.All()
	if err != nil {
		return err
	}
	for _, of := range []string{"application", "jvm", "environment"} {
		_, _ = fmt.Fprintf(env.Stdout, "%s:\n", of)
		for _, v := range all {
			if v.Of == of {
				_, _ = fmt.Fprintf(env.Stdout, "  %-34s %s\n", v.Name, v.Shows)
			}
		}
	}
	return nil
}

func viewPart() part {
	return part{
		name: "view", words: "NAME FILE.jfr…", run: jfrView, examples: `
   jstall jfr view hot-methods app.jfr                  one of the views of the JDK's jfr
   jstall jfr view gc-pauses app.jfr --format csv`,
		flags: answerFlags(),
	}
}

func queryPart() part {
	return part{
		name: "query", words: "'SELECT …' FILE.jfr…", run: jfrQuery, examples: `
   jstall jfr query 'SELECT name, MAX(duration) FROM GCPhasePause GROUP BY name' app.jfr`,
		flags: answerFlags(),
	}
}

// inTable is the format for people, inJSON the format for programs.
const (
	inTable = "table"
	inJSON  = "json"
)

func answerFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format",
			Usage: "`FORMAT` of an answer: table, json or csv; of events: ndjson or csv", DefaultText: "table, ndjson"},
		&cli.IntFlag{Name: "limit", Usage: "write at most `N` rows", DefaultText: "all, or those of the view"},
	}
}

// jfrView answers one of the predefined questions.
func jfrView(c *cli.Context, env *shell.Env, words []string) error {
	all, err := views.All()
	if err != nil {
		return err
	}
	if len(words) < 2 {
		return shell.Usage("jstall jfr view hot-methods app.jfr; jstall jfr views lists them",
			"name a view and a recording")
	}
	var names []string
	for _, v := range all {
		if names = append(names, v.Name); v.Name != words[0] {
			continue
		}
		q, err := v.Parse()
		if err != nil {
			return err
		}
		return answer(c, env, q, jfrQuestion{title: v.Title, record: v.Record, files: words[1:]})
	}
	if near := shell.Mistyped(words[0], names); near != "" {
		return shell.Usage("jstall jfr views lists all", "no view %q; did you mean %q?", words[0], near)
	}
	return shell.Usage("jstall jfr views lists all", "no view %q", words[0])
}

// jfrQuery answers a question of the user.
func jfrQuery(c *cli.Context, env *shell.Env, words []string) error {
	if len(words) < 2 {
		return shell.Usage("jstall jfr query 'SELECT * FROM GCPhasePause LIMIT 5' app.jfr",
			"name a query and a recording")
	}
	q, err := query.Parse(words[0])
	if err != nil {
		e, _ := errors.AsType[*query.SyntaxError](err)
		hint := "docs/jfr.md describes the language"
		if e != nil && e.Hint != "" {
			hint = e.Hint
		}
		return shell.Usage(hint, "the query cannot be understood: %v", err)
	}
	return answer(c, env, q, jfrQuestion{title: "Answer", files: words[1:], typed: true})
}

// jfrQuestion is a question about files.
type jfrQuestion struct {
	title, record string
	files         []string
	// typed reports that the user wrote the query.
	typed bool
}

// answer runs a query and shows its result.
func answer(c *cli.Context, env *shell.Env, q *query.Query, ask jfrQuestion) error {
	format := c.String("format")
	if format == "" {
		format = inTable
	}
	if !slices.Contains([]string{inTable, inJSON, asCSV}, format) {
		return shell.Usage("--format json", "--format is table, json or csv, not %q", format)
	}
	if c.IsSet("limit") {
		if q.Limit = c.Int("limit"); q.Limit < 1 {
			return shell.Usage("--limit 100", "--limit must be at least 1, not %d", q.Limit)
		}
	}
	defer shell.GrowFreely()()
	r := &recordings{env: env, files: ask.files}
	run := query.NewRun(q)
	zone := &fileZone{}
	if err := r.each(c.Context, zone.before(run.Chunk)); err != nil {
		return err
	}
	result := run.Result()
	if r.chunks == 0 {
		return r.outcome()
	}
	if err := unknownIn(run, ask); err != nil {
		return err
	}
	if lacking := withoutEvents(result); lacking != "" && result.Events == 0 {
		_ = r.outcome()
		return shell.NoResult(howToRecord(ask.record), "%s: no events of %s in %s", ask.title, lacking,
			strings.Join(ask.files, ", "))
	}
	if err := writeAnswer(env, format, ask.title, result, zone.location()); err != nil {
		return err
	}
	return r.outcome()
}

// unknownIn is the error of a query with an unknown name. The names in the queries of views are known to some JDK.
func unknownIn(run *query.Run, ask jfrQuestion) error {
	u := run.Unknown()
	if u == nil || !ask.typed {
		return nil
	}
	file := file.ShellWord(ask.files[0])
	if u.Event != "" {
		hint := "jstall jfr summary " + file + " lists the events"
		if near := nearestName(u.Event, u.Names); near != "" {
			hint = "did you mean " + near + "? " + hint
		}
		return shell.NoResult(hint, "%s describes no event %s", strings.Join(ask.files, ", "), u.Event)
	}
	hint := "jstall jfr events --schema " + u.Types[0] + " " + file + " lists the fields"
	if near := nearestName(u.Field, u.Names); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	return shell.NoResult(hint, "%s has no field %s", strings.Join(u.Types[:min(3, len(u.Types))], ", "), u.Field)
}

// nearestName is the name that is closest to a word, ignoring case, empty if none is close.
func nearestName(word string, names []string) string {
	lower := make([]string, len(names))
	for i, name := range names {
		lower[i] = strings.ToLower(name)
	}
	if at := slices.Index(lower, shell.Mistyped(word, lower)); at >= 0 {
		return names[at]
	}
	return ""
}

// withoutEvents names the sources without any events.
func withoutEvents(r *query.Result) string {
	var names []string
	for _, s := range r.Sources {
		if s.Events == 0 && !slices.Contains(names, s.Source.Type) {
			names = append(names, s.Source.Type)
		}
	}
	return strings.Join(names, ", ")
}

func howToRecord(options string) string {
	if options == "" {
		return "record while it happens, with -XX:StartFlightRecording:settings=profile"
	}
	return "record with -XX:StartFlightRecording:settings=profile," + options
}

func writeAnswer(env *shell.Env, format, title string, r *query.Result, zone *time.Location) error {
	switch format {
	case inJSON:
		return writeAnswerJSON(env, title, r, zone)
	case asCSV:
		return writeAnswerCSV(env, r, zone)
	}
	page := views.Page{Title: title, Result: r, Zone: zone, Width: env.OutWidth, Escape: render.Escape}
	_, err := fmt.Fprint(env.Stdout, page.Text())
	return err
}
