package flame

import (
	"regexp"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

// methodsShown bounds how many of the methods that --method names are shown, the heaviest first.
const methodsShown = 10

// readMethod compiles --method, nil if it is not given.
func readMethod(c *cli.Context) (*regexp.Regexp, error) {
	word := c.String("method")
	if word == "" {
		return nil, nil
	}
	switch {
	case c.IsSet("output") || c.IsSet("as") || c.IsSet("http"):
		return nil, shell.Usage("the view Method of -o out.html shows the same",
			"--method is for the table: omit -o, --as and --http")
	case c.IsSet("diff") || c.Bool("by-thread") || c.IsSet("by"):
		return nil, shell.Usage("--thread chooses a thread",
			"--method shows one profile: omit --diff, --by-thread and --by")
	}
	expression, err := regexp.Compile(word)
	if err != nil {
		return nil, shell.Usage(`--method 'HashMap\.get$'`, "--method is a regular expression: %v", err)
	}
	return expression, nil
}

// methodTables prints the callers and callees of the methods that --method names.
func methodTables(env *shell.Env, g gathered, o flameOptions, index int) error {
	found := flame.Around(g.profile, index, o.method.MatchString)
	if len(found) == 0 {
		return shell.NoResult("omit --method to see the methods", "no method of the profile matches --method %q",
			o.method)
	}
	more := max(0, len(found)-methodsShown)
	var shown []render.MethodCalls
	for _, s := range found[:len(found)-more] {
		c := render.MethodCalls{Name: s.Function.Name, Total: s.Total, Self: s.Self}
		c.Callers, c.MoreCallers = callRows(s.Callers, o.top)
		c.Callees, c.MoreCallees = callRows(s.Callees, o.top)
		shown = append(shown, c)
	}
	whole := flame.Methods(g.profile, flame.MethodOptions{Index: index}).Total
	return render.CallTables(env.Stdout, methodsOf(g, index), shown, whole, more,
		render.Options{Color: o.color, Width: env.OutWidth})
}

func callRows(calls []flame.Call, top int) (rows []render.MethodRow, more int) {
	if top > 0 && len(calls) > top {
		calls, more = calls[:top], len(calls)-top
	}
	for _, c := range calls {
		rows = append(rows, render.MethodRow{Name: c.Function.Name, Total: c.Weight})
	}
	return rows, more
}
