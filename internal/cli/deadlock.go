package cli

import (
	"github.com/urfave/cli/v2"

	"jstall/analysis"
	"jstall/internal/render"
)

func deadlockCommand(env *Env) *cli.Command {
	return analysisCommand(env, view{
		name: "deadlock", show: render.Deadlock, count: 1, kinds: []analysis.Kind{analysis.KindDeadlock, analysis.KindPoolDeadlock}, involvedOnly: true,
		usage: "the threads that block each other for ever, from one dump",
		description: `Needs one dump and answers at once; exits with 2 if there is a deadlock.
Virtual threads are not looked at, as only Java code in the JVM can list them:
jstall status PID does, and finds their deadlocks too. It also finds what one dump cannot tell for
sure: a thread that holds a lock and waits for a task which wants that lock.

Examples:
   jstall deadlock 4711
   jstall deadlock all --json
   jstall deadlock dump.txt && echo fine`,
	})
}
