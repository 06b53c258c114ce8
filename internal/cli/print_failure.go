package cli

import (
	"fmt"

	"github.com/jstall/jstall/internal/shell"
)

// printFailure says on standard error what went wrong with a target.
func printFailure(env *shell.Env, t target, err error) {
	f := env.Failure(err)
	message := f.Message
	switch {
	case t.process != nil:
		message = fmt.Sprintf("%d (%s): %s", t.process.PID, t.process.Name(), message)
	case t.place != "" && t.err == nil:
		message = t.label() + ": " + message
	case t.place != "":
		message = t.place + ": " + message
	}
	env.Complain(message, f.Remedy)
	env.Trace(err)
}
