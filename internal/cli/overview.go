package cli

import (
	"fmt"
	"runtime"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

const shortHelp = `jstall shows what a JVM is doing, why it hangs or is slow, and which line causes it.

  jstall PID                what is wrong, and which threads cause it
  jstall deadlock PID       only deadlocks, from one dump
  jstall most-work PID      which threads use the CPU
  jstall threads PID        all threads
  jstall doctor PID         whether an attach is safe, and how to make it safe
  jstall dump PID           a raw thread dump
  jstall dump1.txt …        the same for saved dumps
  jstall --help             everything else

`

// overview is the output of jstall without arguments: a short help and the possible targets.
func overview(c *cli.Context, env *shell.Env) error {
	if _, err := fmt.Fprint(env.Stdout, shortHelp); err != nil {
		return err
	}
	if runtime.GOOS != "linux" {
		return nil
	}
	found, rows, err := session.ListRows(c.Context, env, nil, 0)
	if err != nil {
		return err
	}
	session.PrintHidden(env, found)
	return render.List(env.Stdout, rows, render.Options{Color: env.Colored("auto"), Width: env.OutWidth})
}
