// Command jstall says what a JVM is doing, why it is not moving, and which line
// is to blame.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jstall/jstall/internal/cli"
	"github.com/jstall/jstall/internal/ending"
	_ "github.com/jstall/jstall/internal/ownlimits"
	"github.com/jstall/jstall/internal/shell"
)

// interrupted is the exit code of a command that was ended by a second signal.
const interrupted = 130

func main() {
	ctx := untilSignal()
	shell.LimitMemory(os.Getenv)
	version, commit := built()
	// a reader who leaves early is an error of our writes, not our death
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(cli.Run(ctx, &shell.Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv,
		OutWidth: shell.Columns(os.Stdout), ErrWidth: shell.Columns(os.Stderr),
		ProcRoot: "/proc", Version: version, Commit: commit,
	}))
}

// twice is how soon after a signal another of its kind is the same one: timeout(1) sends it to a process and to its
// group.
const twice = 100 * time.Millisecond

// untilSignal is done at the first signal that asks us to end, so that what runs in the
// target is stopped and removed. What goes on for too long then is ended. The second signal ends us at once.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	ctx, end := ending.With(ctx)
	asked := make(chan os.Signal, 2)
	signal.Notify(asked, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(asked, syscall.SIGHUP)
	}
	go func() {
		first, at := <-asked, time.Now()
		cancel()
		go func() {
			end.Wait(reportUnfinished)
			os.Exit(interrupted)
		}()
		for again := range asked {
			if again != first || time.Since(at) > twice {
				os.Exit(interrupted)
			}
		}
	}()
	return ctx
}

func reportUnfinished(what string) {
	_, _ = fmt.Fprintf(os.Stderr, "jstall: interrupted: %s, for up to %v; press Ctrl-C again to end at once\n", what,
		ending.Last-ending.Soon.Round(time.Second))
}
