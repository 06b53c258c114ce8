package diagnose

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// Deadlock is the command deadlock.
func Deadlock(env *shell.Env) *cli.Command {
	return analysisCommand(env, view{
		name: "deadlock", count: 1,
		Plan: session.Plan{Show: render.Deadlock, InvolvedOnly: true,
			Kinds: []finding.Kind{finding.KindDeadlock, finding.KindPoolDeadlock}},
		usage: "deadlocked threads, from one dump",
		description: `Takes one dump and exits with 2 if there is a deadlock. Virtual threads are read
from the memory of the JVM; where they exist and cannot be read, the exit code is 5
unless --platform-only is given. It also finds deadlocks that one dump cannot prove: a thread holds a lock and
waits for a task that waits for the same lock.

Examples:
   jstall deadlock 4711
   jstall deadlock all --json
   jstall deadlock dump.txt && echo fine`,
	})
}
