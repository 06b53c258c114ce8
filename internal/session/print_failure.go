package session

import (
	"fmt"

	"github.com/jstall/jstall/internal/shell"
)

// PrintFailure says on standard error what went wrong with a target.
func PrintFailure(env *shell.Env, t Target, err error) {
	f := env.Failure(err)
	message := f.Message
	switch {
	case t.Process != nil:
		message = fmt.Sprintf("%d (%s): %s", t.Process.PID, t.Process.Name(), message)
	case t.Place != "" && t.Err == nil:
		message = t.Label() + ": " + message
	case t.Place != "":
		message = t.Place + ": " + message
	}
	env.Complain(message, f.Remedy)
	env.Trace(err)
}
