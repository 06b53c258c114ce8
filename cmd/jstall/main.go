// Command jstall says what a JVM is doing, why it is not moving, and which line
// is to blame.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"jstall/internal/cli"
)

// version and commit are set by the linker.
var version, commit = "dev", "unknown"

func main() {
	cli.LimitMemory(os.Getenv)
	// a reader who leaves early is an error of our writes, not our death
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends us at once
	os.Exit(cli.Run(ctx, &cli.Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv,
		OutWidth: cli.Columns(os.Stdout), ErrWidth: cli.Columns(os.Stderr),
		ProcRoot: "/proc", Version: version, Commit: commit,
	}))
}
