package places

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/remote"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// pair finds the two captures of compare: the same words at two places, or two words of which each that is no file here
// is captured at the place.
func (e *Elsewhere) pair(c *cli.Context, env *shell.Env, timeout time.Duration) ([]session.Target, error) {
	words := c.Args().Slice()
	if len(e.Places) == 2 && len(words) < 2 {
		return e.onlyOnes(c, env, words)
	}
	if len(e.Places) != 1 || len(words) != 2 {
		return nil, shell.Usage("jstall compare orders --on GOOD --on BAD, or jstall compare good.zip orders --on BAD",
			"name one target and two places, or two targets and one place")
	}
	var pair []session.Target
	for _, word := range words {
		if session.NamesFile(word) {
			found, err := session.NewResolver(env, timeout).Only(c.Context, "", word)
			if err != nil {
				return nil, err
			}
			pair = append(pair, found)
			continue
		}
		found, err := e.onlyOnes(c, env, []string{word})
		if err != nil {
			return nil, err
		}
		pair = append(pair, found...)
	}
	return pair, nil
}

// onlyOnes are the one JVM of each place.
func (e *Elsewhere) onlyOnes(c *cli.Context, env *shell.Env, words []string) ([]session.Target, error) {
	found, err := e.targets(c, env, words)
	if err != nil {
		return nil, err
	}
	for _, p := range e.Places {
		if err := onlyOne(p, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// onlyOne is the error of a place with none or several.
func onlyOne(p remote.Place, found []session.Target) error {
	var there string
	n := 0
	for _, t := range found {
		if t.Place != p.Word {
			continue
		}
		if t.Err != nil {
			return OfPlace(p, t.Err)
		}
		n++
		there += fmt.Sprintf(" %d %s;", t.Pid(), t.Recorded.JVM.Target.Name)
	}
	if n > 1 {
		return shell.Usage("name one of them:"+there, "%s has %d such JVMs", p.Word, n)
	}
	return nil
}
