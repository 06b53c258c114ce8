package diagnose

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// Status is the command status.
func Status(env *shell.Env) *cli.Command {
	return analysisCommand(env, view{
		name: "status", count: 3, Plan: session.Plan{Show: render.Status},
		usage: "what is wrong, which threads cause it, and which threads use the CPU (the default command)",
		description: `Takes three thread dumps, a second apart, and reports what they show.

Examples:
   jstall 4711                       the JVM with this pid
   jstall status OrderService        by main class
   jstall all --count 2 --interval 500ms
   jstall dump1.txt dump2.txt        saved dumps of one JVM, in order
   jstall orders.jfr                 a flight recording
   kubectl logs pod | jstall -       dumps inside a log
   jstall --on ssh:web1 --on ssh:web2        all JVMs there; one answer for both
   jstall orders --on k8s:shop/orders-1/app  in a container, by the kubectl that you use`,
	})
}
