package jfr

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/file"
)

func eventsPart() part {
	return part{
		name: "events", words: "NAME… FILE.jfr…", run: jfrEvents,
		examples: `
   jstall jfr events GCPhasePause app.jfr               one JSON object a line, in the order of the file
   jstall jfr events 'jdk.GC*' app.jfr --format csv -o gc.csv
   jstall jfr events --schema ExecutionSample app.jfr   its columns: types, units and labels`,
		flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Value: asNDJSON, DefaultText: asNDJSON,
				Usage: "`ndjson|csv`: one JSON object a line, or a table with a header"},
			&cli.StringFlag{Name: "o", Aliases: []string{"output"}, Usage: "write to `FILE`; - is standard output"},
			&cli.BoolFlag{Name: "force", Usage: "replace the file of -o"},
			&cli.IntFlag{Name: "limit", Usage: "write at most `N` events", DefaultText: "all"},
			&cli.BoolFlag{Name: "schema", Usage: "print the columns of the events instead of the events"},
		},
	}
}

// The formats of events.
const (
	asNDJSON = "ndjson"
	asCSV    = "csv"
	asText   = "text" // of a schema that is for people
)

// eventsOptions are the values of the flags and words.
type eventsOptions struct {
	names, files []string
	format       string
	schema       bool
	limit        int
	output       shell.OutFile
}

func jfrEvents(c *cli.Context, env *shell.Env, words []string) error {
	o, err := readEventsOptions(c, words)
	if err != nil {
		return err
	}
	if err := o.output.Check(); err != nil {
		return err
	}
	defer shell.GrowFreely()()
	x := &export{env: env, o: o}
	if p := o.output.Path; p == "" || p == shell.Standard {
		if err := shell.Buffered(env.Stdout, func(w io.Writer) error { return x.write(c.Context, w) }); err != nil {
			return err
		}
		return x.outcome()
	}
	err = o.output.Write(func(w io.Writer) error { return x.writeWhole(c.Context, w) })
	switch {
	case c.Context.Err() != nil:
		return c.Context.Err()
	case x.rows == 0 && x.writing == nil:
		return x.outcome()
	case err != nil:
		return err
	}
	what := "events"
	if o.schema {
		what = "columns"
	}
	_, _ = fmt.Fprintf(env.Stdout, "%s written: %d %s\n", render.Escape(o.output.Path), x.rows, what)
	return x.outcome()
}

func readEventsOptions(c *cli.Context, words []string) (eventsOptions, error) {
	o := eventsOptions{
		format: cmp.Or(c.String("format"), asNDJSON), schema: c.Bool("schema"), limit: c.Int("limit"),
		output: shell.OutFile{Path: c.String("o"), Force: c.Bool("force")},
	}
	first := slices.IndexFunc(words, isRecordingName)
	if first < 0 {
		first = len(words)
	}
	o.names, o.files = words[:first], words[first:]
	if o.schema && !c.IsSet("format") {
		o.format = asText
	}
	return o, o.check(c)
}

// check returns an error for words and flags that do not go together.
func (o eventsOptions) check(c *cli.Context) error {
	const example = "jstall jfr events GCPhasePause FILE.jfr"
	switch {
	case len(o.files) == 0:
		return shell.Usage(example, "jfr events needs a flight recording; name a FILE.jfr after the events")
	case len(o.names) == 0:
		return shell.Usage("jstall jfr events '*' "+file.ShellWord(o.files[0])+" for all events",
			"jfr events needs the name of an event before the file")
	case !slices.Contains([]string{asNDJSON, asCSV}, o.format) && (!o.schema || c.IsSet("format")):
		return shell.Usage("--format csv", "--format is ndjson or csv, not %q", o.format)
	case c.IsSet("limit") && o.limit < 1:
		return shell.Usage("--limit 100", "--limit must be at least 1, not %d", o.limit)
	case c.IsSet("limit") && o.schema:
		return shell.Usage("omit --limit", "--schema prints no events")
	case o.format == asCSV && !o.schema && slices.Contains(o.files, shell.Standard):
		return shell.Usage("save it in a file, or use --format ndjson",
			"--format csv reads a recording twice, and standard input can be read once")
	}
	for _, name := range o.names {
		if _, err := path.Match(strings.ToLower(name), ""); err != nil {
			return shell.Usage("jstall jfr events 'jdk.GC*' FILE.jfr", "%q is no name of an event: %v", name, err)
		}
	}
	return nil
}

// recordingName recognises the usual names of recordings.
var recordingName = regexp.MustCompile(`(?i)\.jfr(\.\w+)?$`)

// isRecordingName reports whether a word names a file, not an event.
func isRecordingName(word string) bool {
	return word == shell.Standard || recordingName.MatchString(word) || strings.ContainsAny(word, `/\`) ||
		shell.IsFile(word)
}

// chosen reports whether an event is wanted: by its name, or the part of it after the last dot.
func (o eventsOptions) chosen(event string) bool {
	event = strings.ToLower(event)
	short := event[strings.LastIndexByte(event, '.')+1:]
	return slices.ContainsFunc(o.names, func(name string) bool {
		whole, _ := path.Match(strings.ToLower(name), event)
		part, _ := path.Match(strings.ToLower(name), short)
		return whole || part
	})
}
