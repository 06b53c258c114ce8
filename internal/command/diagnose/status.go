package diagnose

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// Status is the command status. It shows the screen of top instead if --live is set.
func Status(env *shell.Env, showTop func(*cli.Context, *shell.Env) error) *cli.Command {
	c := analysisCommand(env, view{
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
	c.Flags = append(c.Flags, &cli.BoolFlag{Name: "live", Category: "Capture",
		Usage: "show a live screen of the JVM instead of a report, as jstall top does"})
	report := c.Action
	c.Action = func(c *cli.Context) error {
		if !c.Bool("live") {
			return report(c)
		}
		err := shell.RefuseAllBut(c, "status --live", "live", "interval", "via", shell.AttachAnyway, "timeout", "color",
			"redact", "redact-rules", "v")
		if err != nil {
			return err
		}
		return showTop(c, env)
	}
	return c
}
