package diagnose

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// MostWork is the command most-work.
func MostWork(env *shell.Env) *cli.Command {
	return analysisCommand(env, view{
		name: "most-work", count: 3, Plan: session.Plan{Show: render.MostWork},
		usage: "the threads that used the most CPU between the dumps, with their stacks",
		description: `CPU is the CPU time that each thread used between the first dump and the last, in
percent of one core. Dumps of JDK 8 have no CPU times; of a running JVM, /proc has them.

Examples:
   jstall most-work 4711 --top 5
   jstall most-work 4711 --count 2 --interval 5s --intelligent-filter`,
	})
}
