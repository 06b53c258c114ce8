// Package record is the command record, with summary and extract.
package record

import (
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// Command is the command record.
func Command(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "record", Usage: "write all data of a JVM to one file, for analysis later or elsewhere",
		ArgsUsage: "TARGET… | summary FILE.zip | extract FILE.zip DIR",
		Description: `Takes the same dumps, counters and kernel facts as status, then asks the JVM for its
version, flags, system properties, heap, metaspace, class loaders and compiler. Every
analysing command accepts the file as its target.

Examples:
   jstall record 4711                        into jstall-DATE-TIME.zip
   jstall record all -o night.zip --count 20
   kubectl exec pod -- jstall record 1 -o - > pod.zip
   jstall record 4711 --full --max-pause 5s  also a profile, and the objects by class
   jstall record --on ssh:web1 --on k8s:shop/orders-1 -o night.zip    night-web1.zip …
   jstall status night.zip                   the status report, as if live
   jstall -f night.zip most-work orders      of one JVM in the recording
   jstall record summary night.zip
   jstall record extract night.zip night/    unpacks it, as unzip and zstd do`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "o", Aliases: []string{"output"}, Usage: "write to `FILE`.zip; - is standard output"},
			&cli.BoolFlag{Name: "full", Usage: "also a profile, and a class histogram if the pause predicted for " +
				"its full collection is below --max-pause"},
			&cli.BoolFlag{Name: "dumps-only", Usage: "take what status takes, and ask the JVM for nothing else"},
			&cli.DurationFlag{Name: "profile", Usage: "also sample for this `TIME`, for a flame graph",
				DefaultText: "none; 10s with --full"},
		}, shell.TakeFlags(3)...),
		Action: func(c *cli.Context) error { return record(c, env) },
	}
}

func record(c *cli.Context, env *shell.Env) error {
	words := c.Args().Slice()
	if len(words) > 0 && !shell.IsFile(words[0]) {
		switch words[0] {
		case "create": // the Java tool's name for record without a subcommand
			return recordTargets(c, env, words[1:])
		case "summary":
			if err := shell.RefuseAllBut(c, "record summary", "color", "v"); err != nil {
				return err
			}
			return recordSummary(c.Context, env, words[1:])
		case "extract":
			if err := shell.RefuseAllBut(c, "record extract", "color", "v", "force"); err != nil {
				return err
			}
			return recordExtract(c.Context, env, words[1:])
		}
		if meant := shell.Mistyped(words[0], []string{"summary", "extract"}); meant != "" && len(words) > 1 {
			return shell.Usage(fmt.Sprintf("jstall record %s %s", meant, strings.Join(words[1:], " ")),
				"record has no %q; did you mean %q?", words[0], meant)
		}
	}
	return recordTargets(c, env, words)
}

// recordTargets records the JVMs that the words name.
func recordTargets(c *cli.Context, env *shell.Env, words []string) error {
	options := shell.ReadTakeOptions(c)
	if err := options.Check(c); err != nil {
		return err
	}
	profile, err := profileTime(c)
	if err != nil {
		return err
	}
	if c.Bool("dumps-only") && profile > 0 {
		return shell.Usage("", "--dumps-only takes no profile; omit --full and --profile")
	}
	path := c.String("o")
	switch {
	case path == shell.Standard && env.OutWidth > 0:
		return shell.Usage("jstall record PID -o - > FILE.zip",
			"a recording is binary, and standard output is a terminal")
	case path == shell.Standard:
		env = env.MessagesToStderr()
	case path == "":
		path = time.Now().Format("jstall-20060102-150405.zip")
	}
	targets, err := session.Resolve(c.Context, env, words, options.Timeout)
	if err != nil {
		return err
	}
	s, err := session.ReadSetup(c, session.Setup{Options: options, Keep: path})
	if err != nil {
		return err
	}
	l, err := session.NewCapturer(env, s, targets)
	if err != nil {
		return err
	}
	defer l.Keep.Abandon()
	if c.Bool("dumps-only") {
		return l.Record(c.Context, targets)
	}
	if l.Redactor == nil {
		env.Say("jstall: warning: the recording contains command lines and system properties, which may hold " +
			"passwords; --redact replaces them\n")
	}
	l.Keep.Further = &session.FurtherFacts{Profile: profile, Histogram: c.Bool("full"), MaxPause: options.MaxPause}
	return l.Record(c.Context, targets)
}

// profileTime is how long to sample for a flame graph, zero for no profile.
func profileTime(c *cli.Context) (time.Duration, error) {
	switch d := c.Duration("profile"); {
	case d < 0:
		return 0, shell.Usage("--profile 10s", "--profile must not be negative")
	case c.Bool("full") && !c.IsSet("profile"):
		return 10 * time.Second, nil
	default:
		return d, nil
	}
}
