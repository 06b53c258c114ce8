package diagnose

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// WaitingThreads is the command waiting-threads.
func WaitingThreads(env *shell.Env) *cli.Command {
	return analysisCommand(env, view{
		name: "waiting-threads", count: 3, Plan: session.Plan{Show: render.WaitingThreads},
		usage: "what threads wait for over the whole capture, and who holds it",
		description: `Threads that wait in every dump, grouped by what they wait for and then by their place
in the code. Idle threads, such as pool workers and selectors, are only counted.

Examples:
   jstall waiting-threads 4711
   jstall waiting-threads 4711 --stack-depth 20 --top 3
   jstall waiting-threads dump.txt --thread 'http-.*'`,
	})
}
