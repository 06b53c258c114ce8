package diagnose

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// DependencyTree is the command dependency-tree.
func DependencyTree(env *shell.Env) *cli.Command {
	return analysisCommand(env, view{
		name: "dependency-tree", count: 2, Plan: session.Plan{Show: render.DependencyTree},
		usage: "who waits for whom, from the thread at the root down to the last waiter",
		description: `Covers monitors, java.util.concurrent locks and class initialisation. Only a dump
with locked synchronizers (-l) names the holder of a java.util.concurrent lock.

Examples:
   jstall dependency-tree 4711
   jstall dependency-tree dump1.txt dump2.txt --full
   jstall dependency-tree 4711 --thread http-worker-3   only trees with this thread`,
	})
}
