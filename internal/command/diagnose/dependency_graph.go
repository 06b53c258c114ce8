package diagnose

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// DependencyGraph is the command dependency-graph.
func DependencyGraph(env *shell.Env) *cli.Command {
	return analysisCommand(env, view{
		name: "dependency-graph", count: 2, Plan: session.Plan{Show: render.DependencyGraph},
		usage: "who waits for whom, as a graph for Graphviz",
		description: `Draws dependency-tree as a graph: arrows go from waiting threads to the thread that
holds the lock. With --json, each thread's waitsFor has the same.

Examples:
   jstall dependency-graph 4711 | dot -Tsvg > waits.svg
   jstall dependency-graph dump.txt | dot -Tx11`,
	})
}
