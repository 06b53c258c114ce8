package cli

import (
	"github.com/urfave/cli/v2"

	"jstall/internal/render"
)

func dependencyGraphCommand(env *Env) *cli.Command {
	return analysisCommand(env, view{
		name: "dependency-graph", show: render.DependencyGraph, count: 2,
		usage: "who waits for whom as a graph in the language of Graphviz",
		description: `The same as dependency-tree, for the eye: an arrow goes from those that wait to the
thread that holds it. With --json the report has it as each thread's waitsFor.

Examples:
   jstall dependency-graph 4711 | dot -Tsvg > waits.svg
   jstall dependency-graph dump.txt | dot -Tx11`,
	})
}
