package jfr

import (
	"encoding/csv"
	"encoding/json"
	"time"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/jfr/query"
	"github.com/jstall/jstall/internal/jfr/views"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

// fileZone is the time zone that the first chunk names.
type fileZone struct{ zone *time.Location }

// before reads the zone of a chunk, then calls visit.
func (z *fileZone) before(visit func(*jfr.Chunk) error) func(*jfr.Chunk) error {
	return func(c *jfr.Chunk) error {
		const day = 24 * 60 * 60 * 1000
		if z.zone == nil && c.Zone > -day && c.Zone < day {
			z.zone = time.FixedZone("", int(c.Zone/1000))
		}
		return visit(c)
	}
}

// location is the zone, UTC for files without a zone.
func (z *fileZone) location() *time.Location {
	if z.zone == nil {
		return time.UTC
	}
	return z.zone
}

// answerJSON is an answer for programs: durations in nanoseconds, amounts in bytes, times as RFC 3339.
type answerJSON struct {
	Title   string             `json:"title"`
	Columns []answerColumnJSON `json:"columns"`
	Rows    [][]any            `json:"rows"`
}

type answerColumnJSON struct {
	Name string     `json:"name"`
	Unit query.Unit `json:"unit,omitempty"`
}

func writeAnswerJSON(env *shell.Env, title string, r *query.Result, zone *time.Location) error {
	out := answerJSON{Title: title, Rows: [][]any{}}
	for i := range r.Columns {
		out.Columns = append(out.Columns, answerColumnJSON{views.Heading(&r.Columns[i]), r.Columns[i].Unit})
	}
	for _, row := range r.Rows {
		cells := make([]any, len(row))
		for i, v := range row {
			cells[i] = programValue(v, r.Columns[i].Unit, zone)
		}
		out.Rows = append(out.Rows, cells)
	}
	return render.IndentedJSON(env.Stdout, out)
}

// programValue is a cell as a number if it is one, nil for an empty cell.
func programValue(v query.Value, unit query.Unit, zone *time.Location) any {
	switch {
	case v.Kind == query.Missing:
		return nil
	case v.Kind == query.Truth:
		return v.Num != 0
	case v.Kind == query.Whole && unit == query.Time:
		return time.Unix(0, v.Num).In(zone).Format(time.RFC3339Nano)
	case v.Kind == query.Whole && unit == query.Duration && v.Num == query.Forever:
		return nil
	case v.Kind == query.Whole:
		return v.Num
	case v.Kind == query.Real:
		return v.Float()
	}
	return v.Text
}

func writeAnswerCSV(env *shell.Env, r *query.Result, zone *time.Location) error {
	out := csv.NewWriter(env.Stdout)
	line := make([]string, len(r.Columns))
	for i := range r.Columns {
		line[i] = render.Escape(views.Heading(&r.Columns[i]))
	}
	_ = out.Write(line)
	for _, row := range r.Rows {
		for i, v := range row {
			line[i] = ""
			if cell := programValue(v, r.Columns[i].Unit, zone); cell != nil {
				text, isText := cell.(string)
				if !isText {
					written, err := json.Marshal(cell)
					if err != nil {
						return err
					}
					text = string(written)
				}
				line[i] = render.Escape(text)
			}
		}
		_ = out.Write(line)
	}
	out.Flush()
	return out.Error()
}
