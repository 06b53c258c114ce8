// Command jstall says what a JVM is doing, why it is not moving, and which line
// is to blame.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"jstall/internal/cli"
)

// version and commit are set by the linker.
var version, commit = "dev", "unknown"

func main() {
	// a look is over soon: collecting rarely saves a quarter of its CPU
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(200 << 20)
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
