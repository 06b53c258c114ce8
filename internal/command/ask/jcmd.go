package ask

import (
	"context"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/live"
)

// Jcmd is the command jcmd.
func Jcmd(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "jcmd", Usage: "pass a diagnostic command to the JVM (jcmd without a JDK)",
		ArgsUsage: "TARGET [COMMAND…]",
		Description: `Everything after the target goes to the JVM unchanged; put jstall's own flags before the
target. Without a command, the JVM lists its commands. A command that can crash this
release of the JDK by a known bug is not sent.

Examples:
   jstall jcmd 4711
   jstall jcmd 4711 VM.flags -all
   jstall jcmd --timeout 30s 4711 GC.class_histogram
There is no time limit without --timeout. Ctrl-C ends the wait; the JVM finishes
a command that was sent.`,
		Flags: append([]cli.Flag{shell.AttachAnywayFlag()}, unlimited(shell.CommonFlags())...),
		Action: func(c *cli.Context) error {
			words := c.Args().Slice()
			if len(words) == 0 {
				return shell.Usage("jstall jcmd PID help", "name a JVM and a diagnostic command")
			}
			if session.NamesFile(words[0]) {
				return shell.Usage("name a pid, or a part of a main class",
					"%s is a file; diagnostic commands need a running JVM", words[0])
			}
			if len(words) > 1 && strings.TrimSpace(words[1]) == "" {
				return shell.Usage("jstall jcmd PID help", "the diagnostic command is empty; is a variable not set?")
			}
			line := "help"
			if len(words) > 1 {
				line = strings.Join(words[1:], " ")
			}
			limit := c.Duration("timeout")
			if !c.IsSet("timeout") {
				limit = noLimit
			}
			return raw(c, env, question{words: words[:1], limit: limit, force: c.Bool(shell.AttachAnyway),
				ask: func(ctx context.Context, l *live.Source) (*attach.Answer, error) {
					defer time.AfterFunc(firstWord, func() {
						session.NewProgress(env, c.Bool("v")).Waiting(l.Process.PID)
					}).Stop()
					return l.Asker().Execute(ctx, attach.Typed(line))
				}})
		},
	}
}

const (
	// noLimit is the time limit of a request without a limit.
	noLimit = -1
	// firstWord is the time after which a message shows a waiting user how to end the wait.
	firstWord = 3 * time.Second
)

// unlimited returns the flags for a command without a time limit.
func unlimited(flags []cli.Flag) []cli.Flag {
	for i, f := range flags {
		if limit, ok := f.(*cli.DurationFlag); ok && limit.Name == "timeout" {
			flags[i] = &cli.DurationFlag{Name: "timeout", Value: limit.Value, DefaultText: "none", Usage: limit.Usage}
		}
	}
	return flags
}
