package cli

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"jstall/attach"
	"jstall/internal/capture"
)

func jcmdCommand(env *Env) *cli.Command {
	return &cli.Command{
		Name: "jcmd", Usage: "pass a diagnostic command to the JVM (jcmd without a JDK)", ArgsUsage: "TARGET [COMMAND…]",
		Description: `Everything after the target goes to the JVM as it is; flags of jstall stand before.
Without a command the JVM lists those it knows.

Examples:
   jstall jcmd 4711
   jstall jcmd 4711 VM.flags -all
   jstall jcmd --timeout 30s 4711 GC.class_histogram`,
		Flags: append([]cli.Flag{forceFlag()}, commonFlags()...),
		Action: func(c *cli.Context) error {
			words := c.Args().Slice()
			if len(words) == 0 {
				return usage("jstall jcmd PID help", "name a JVM and a diagnostic command")
			}
			if namesFile(words[0]) {
				return usage("name a pid, or a part of a main class", "%s is a file, and diagnostic commands go to running JVMs", words[0])
			}
			if len(words) > 1 && strings.TrimSpace(words[1]) == "" {
				return usage("jstall jcmd PID help", "the diagnostic command is empty; is a variable not set?")
			}
			line := "help"
			if len(words) > 1 {
				line = strings.Join(words[1:], " ")
			}
			return raw(c, env, words[:1], func(ctx context.Context, l *capture.Live) (*attach.Answer, error) {
				return l.Execute(ctx, attach.Jcmd(line))
			})
		},
	}
}
