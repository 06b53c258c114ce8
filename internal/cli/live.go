package cli

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/command/top"
	"github.com/jstall/jstall/internal/shell"
)

// canBeLive gives the commands that analyse threads the flag --live: the screen of top instead of a report.
func canBeLive(env *shell.Env, commands []*cli.Command) {
	for _, command := range commands {
		if !hasLiveScreen(command.Name) {
			continue
		}
		command.Flags = append(command.Flags, &cli.BoolFlag{Name: "live", Aliases: []string{"l"}, Category: "Capture",
			Usage: "show a live screen of the JVM instead of a report, as jstall top does"})
		report := command.Action
		command.Action = func(c *cli.Context) error {
			if !c.Bool("live") {
				return report(c)
			}
			err := shell.RefuseAllBut(c, c.Command.Name+" --live", "live", "interval", "via", shell.AttachAnyway,
				"timeout", "color", "redact", "redact-rules", "v")
			if err != nil {
				return err
			}
			return top.Show(c, env)
		}
	}
}

func hasLiveScreen(command string) bool {
	switch command {
	case "status", "deadlock", "most-work", "threads", "waiting-threads", "dependency-tree", "dependency-graph":
		return true
	}
	return false
}
