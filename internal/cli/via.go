package cli

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/live"
)

// viaFlag is that of every command that takes thread dumps of running JVMs.
func viaFlag() cli.Flag {
	return &cli.StringFlag{Name: "via", Value: "auto",
		Usage: "attach sends a request to the JVM; memory reads the JVM's memory and sends nothing; auto reads " +
			"memory if an attach is unsafe or gets no answer"}
}

func checkVia(via source.Via) error {
	switch via {
	case "", source.ViaAuto, source.ViaAttach, source.ViaMemory: // empty where a command has no such flag
		return nil
	}
	return usage("--via memory", "--via is auto, attach or memory, not %q", string(via))
}

// viaMemoryAsksNothing is the error of a flag that needs the JVM's help.
func viaMemoryAsksNothing(flag string) error {
	return usage("--via auto, or without "+flag, "--via memory asks the JVM nothing, and %s needs its answer", flag)
}

// askForDump takes a dump of each target, and says on standard error where it is from if not from the JVM.
func askForDump(env *Env, locks bool) func(context.Context, *live.Source) (*attach.Answer, error) {
	return func(ctx context.Context, l *live.Source) (*attach.Answer, error) {
		answer, instead, err := l.Dump(ctx, locks)
		switch {
		case err != nil:
		case l.Via == source.ViaMemory:
			env.complain(fmt.Sprintf("%d: read from memory, the JVM was not asked", l.Process.PID), "")
		case instead != nil:
			env.complain(fmt.Sprintf("%d: read from memory: %s", l.Process.PID, failure(instead).Message), "")
		}
		return answer, err
	}
}
