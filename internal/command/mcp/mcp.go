// Package mcp is the command mcp: it serves the use cases of the session to internal/mcp.
package mcp

import (
	"context"
	"errors"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/mcp"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/shell"
)

// Command is the command mcp; run runs another command of jstall.
func Command(env *shell.Env, run func(context.Context, *shell.Env) int) *cli.Command {
	return &cli.Command{
		Name: "mcp", Usage: "serve these diagnoses to a language model, by the Model Context Protocol", ArgsUsage: " ",
		Description: `Speaks the Model Context Protocol on standard input and output, until standard input
ends. An editor or assistant starts it; its configuration is:

   {"mcpServers": {"jstall": {"command": "jstall", "args": ["mcp", "--dir", "/home/me/dumps"]}}}

The tools are list, diagnose, threads, stacks, locks, flame, heap, classes, jfr, compare,
doctor and record. They change nothing in a JVM, attach only where jstall doctor finds no
reason not to, and capture one JVM at most every 5 s and 6 times a minute: a call that comes
too soon waits. Answers are bounded, redacted, and mark text of the JVM as data.

Without --dir no file is read or written. With it, dumps, recordings and core files in that
folder can be read, and record writes new files there. No file is replaced.

Examples:
   jstall mcp
   jstall mcp --dir ~/dumps
   jstall mcp --no-redact      passwords, user and host names reach the model`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "dir", Usage: "the only `FOLDER` in which files are read and written",
				DefaultText: "none"},
			&cli.BoolFlag{Name: "no-redact", Usage: "do not replace passwords, tokens, user and host names"},
		},
		Action: func(c *cli.Context) error { return serveMCP(c, env, run) },
	}
}

func serveMCP(c *cli.Context, env *shell.Env, run func(context.Context, *shell.Env) int) error {
	if c.NArg() > 0 {
		return shell.Usage("jstall mcp --dir FOLDER", "mcp takes no target: a call of a tool names it")
	}
	if c.IsSet("dir") && c.String("dir") == "" {
		return shell.Usage("jstall mcp --dir FOLDER", "--dir is empty; is a variable not set?")
	}
	if env.OutWidth > 0 {
		return shell.Usage("jstall mcp --help shows the configuration of an editor",
			"mcp speaks a protocol, and standard output is a terminal")
	}
	tools := &modelTools{env: env, run: run}
	if !c.Bool("no-redact") {
		var err error
		if tools.rules, err = redact.Shipped(); err != nil {
			return err
		}
		tools.key = newKey()
	}
	err := mcp.Serve(c.Context, env.Stdin, env.Stdout,
		mcp.Options{Version: env.Version, Dir: c.String("dir"), Now: time.Now}, tools)
	var folder *mcp.FolderError
	if errors.As(err, &folder) {
		return shell.NoResult(folder.Remedy, "%s", folder.Cause)
	}
	return err
}
