package main_test

import (
	"context"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignalsEndEveryPhase: a command that waits for input without end, or works on it, ends by itself at one signal:
// interrupted, or with a report of what was there.
func TestSignalsEndEveryPhase(t *testing.T) {
	var long strings.Builder
	for i := range 3000 {
		writeHead(&long, i)
		writeRunning(&long, i)
	}
	for _, sent := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		for name, input := range map[string]string{"waits for a first byte": "", "reads a text": long.String()} {
			for _, args := range []string{"status -", "dump -", "redact - -", "flame -", "deadlock -", "threads -"} {
				t.Run(sent.String()+"/"+name+"/"+args, func(t *testing.T) {
					t.Parallel()
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					cmd := exec.CommandContext(ctx, jstall, strings.Fields(args)...)
					in, err := cmd.StdinPipe()
					check(t, err)
					var out, errors strings.Builder
					cmd.Stdout, cmd.Stderr = &out, &errors
					check(t, cmd.Start())
					go func() { _, _ = io.WriteString(in, input) }() // and no end
					time.Sleep(300 * time.Millisecond)               // it may be in any phase by then
					check(t, cmd.Process.Signal(sent))
					_ = cmd.Wait()
					switch code := cmd.ProcessState.ExitCode(); {
					case ctx.Err() != nil:
						t.Errorf("did not end within %v", patience)
					case code != 130 && code != 5 && cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != sent:
						t.Errorf("exit %d: %s", code, errors.String())
					}
				})
			}
		}
	}
}
