// Package views holds the predefined questions about flight recordings, in the language of package query, and shows
// answers as text. The views are those that the jfr tool of JDK 25 has.
package views

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/jstall/jstall/internal/jfr/query"
)

// View is a predefined question.
type View struct {
	Name string
	// Of is "application", "environment" or "jvm".
	Of string
	// Title is the heading above the rows, Shows a sentence for the list of views.
	Title, Shows string
	// Record is what to add to -XX:StartFlightRecording if settings=profile does not record the events.
	Record string
	Query  string
}

//go:embed views.txt
var definitions string

// All are the views in the order of their names. They are read anew each time.
func All() ([]View, error) {
	var all []View
	var last *string
	for number, line := range strings.Split(definitions, "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case word == "" || strings.HasPrefix(line, "#"):
			last = nil
		case !strings.HasPrefix(line, " "):
			all = append(all, View{Name: word})
		case len(all) == 0:
			return nil, fmt.Errorf("views.txt:%d: a property of no view", number+1)
		case strings.HasPrefix(line, "   ") && last != nil:
			*last += " " + strings.TrimSpace(line)
		default:
			if last = all[len(all)-1].property(word); last == nil {
				return nil, fmt.Errorf("views.txt:%d: no property %q", number+1, word)
			}
			*last = strings.TrimSpace(rest)
		}
	}
	return all, nil
}

func (v *View) property(name string) *string {
	return map[string]*string{
		"of": &v.Of, "title": &v.Title, "shows": &v.Shows, "record": &v.Record, "query": &v.Query,
	}[name]
}

// Parse is the question of the view.
func (v *View) Parse() (*query.Query, error) {
	q, err := query.Parse(v.Query)
	if err != nil {
		return nil, fmt.Errorf("the view %s: %w", v.Name, err)
	}
	return q, nil
}
