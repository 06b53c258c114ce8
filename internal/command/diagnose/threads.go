package diagnose

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// Threads is the command threads.
func Threads(env *shell.Env) *cli.Command {
	return analysisCommand(env, view{
		name: "threads", count: 2, Plan: session.Plan{Show: render.Threads},
		usage: "all threads in one table: state, CPU, native id, place in the code",
		description: `Examples:
   jstall threads 4711
   jstall threads 4711 --thread 'http-.*'
   jstall threads 4711 --thread 0x1a2b --stack-depth 50   the thread that top -H shows
   jstall threads dump.txt --no-native`,
	})
}
