package cli

import (
	"github.com/urfave/cli/v2"

	"jstall/internal/render"
)

func mostWorkCommand(env *Env) *cli.Command {
	return analysisCommand(env, view{
		name: "most-work", show: render.MostWork, count: 3,
		usage: "the threads that used the most CPU between the dumps, with their stacks",
		description: `CPU is the difference of each thread's CPU time from the first dump to the last,
in percent of one core. JDK 8 prints none: live, it is taken from /proc.

Examples:
   jstall most-work 4711 --top 5
   jstall most-work 4711 --count 2 --interval 5s --intelligent-filter`,
	})
}
