package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/profile"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/file"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/source/memory"
	"github.com/jstall/jstall/threaddump"
)

// The exit codes are part of the public contract.
const (
	exitDone        = 0
	exitNothing     = 1  // nothing could be said, or our own limits are too low
	exitDeadlock    = 2  // a deadlock or pool-deadlock, proven or likely
	exitFailOn      = 3  // a finding at or above --fail-on
	exitNoDump      = 4  // the report is from /proc and the counters only, or a recording was refused
	exitPartial     = 5  // partial output, or the target fell silent in the middle
	exitUsage       = 64 // wrong usage
	exitInterrupted = 130
)

// exitRank is the order in which codes win when several targets end
// differently.
var exitRank = []int{exitDeadlock, exitFailOn, exitNoDump, exitPartial, exitNothing, exitDone}

// worst returns the code that wins over all targets.
func worst(codes []int) int {
	for _, rank := range exitRank {
		for _, c := range codes {
			if c == rank {
				return rank
			}
		}
	}
	return exitDone
}

// nothingSeen reports that there is something to show of none of the targets.
func nothingSeen(codes []int) bool {
	return !slices.ContainsFunc(codes, func(code int) bool { return code != exitNothing })
}

// exitError ends the program with a code; its message goes to standard error
// with a hint about what to type next.
type exitError struct {
	code    int
	message string
	hint    string
}

func (e *exitError) Error() string { return e.message }

func usage(hint, format string, args ...any) error {
	return &exitError{code: exitUsage, message: fmt.Sprintf(format, args...), hint: hint}
}

func nothing(hint, format string, args ...any) error {
	return &exitError{code: exitNothing, message: fmt.Sprintf(format, args...), hint: hint}
}

// failure is failure, and explains a process id that means no JVM where /proc is that of another pid namespace.
func (e *Env) failure(err error) *analysis.Failure {
	f := failure(err)
	if _, notJVM := errors.AsType[*jvm.NotJVMError](err); !notJVM && !errors.Is(err, jvm.ErrNoProcess) {
		return f
	}
	if foreign := attach.ForeignProc(kernel.New(e.ProcRoot)); foreign != "" {
		f.Message, f.Remedy = f.Message+"; "+foreign, attach.ShareNamespace
	}
	return f
}

// printFailure says on standard error what went wrong with a target.
func printFailure(env *Env, t target, err error) {
	f := env.failure(err)
	message := f.Message
	switch {
	case t.process != nil:
		message = fmt.Sprintf("%d (%s): %s", t.process.PID, t.process.Name(), message)
	case t.place != "" && t.err == nil:
		message = t.label() + ": " + message
	case t.place != "":
		message = t.place + ": " + message
	}
	env.complain(message, f.Remedy)
	env.trace(err)
}

// failure words an error for the JSON and for standard error.
func failure(err error) *analysis.Failure {
	if errors.Is(err, syscall.EMFILE) { // our own limit, whatever was tried
		return &analysis.Failure{Message: "jstall itself has no file descriptor left (ulimit -n): " + err.Error(),
			Remedy: "raise the limit: ulimit -n 1024"}
	}
	if e := (*source.SilencedError)(nil); errors.As(err, &e) {
		f := failure(e.Err)
		f.Message = e.Error()
		return f
	}
	if e := (*attach.Error)(nil); errors.As(err, &e) {
		return &analysis.Failure{Phase: string(e.Phase), Message: e.Cause, Remedy: e.Remedy}
	}
	if e := (*exitError)(nil); errors.As(err, &e) {
		return &analysis.Failure{Message: e.message, Remedy: e.hint}
	}
	if e := (*memory.Error)(nil); errors.As(err, &e) {
		return &analysis.Failure{Message: "the JVM's memory cannot be read: " + e.Cause, Remedy: e.Remedy}
	}
	if errors.Is(err, context.Canceled) {
		return &analysis.Failure{Message: "interrupted"}
	}
	return &analysis.Failure{Message: err.Error(), Remedy: remedy(err)}
}

// remedy says what to type next after an error of another package.
func remedy(err error) string {
	if _, ok := errors.AsType[*caught.Panic](err); ok {
		return "please report this error with the output of -v"
	}
	if text := remedyOfProcess(err); text != "" {
		return text
	}
	return remedyOfFile(err)
}

// remedyOfProcess says what to type after an error of a running process, nothing after any other.
func remedyOfProcess(err error) string {
	if e, ok := errors.AsType[*jvm.ThreadError](err); ok {
		return fmt.Sprintf("jstall threads %d --thread %d", e.PID, e.TID)
	}
	if e, ok := errors.AsType[*profile.StoodError](err); ok {
		return fmt.Sprintf("resume it (kill -CONT %d, docker unpause) and try again", e.PID)
	}
	if e, ok := errors.AsType[*jvm.HiddenError](err); ok {
		return attach.Rerun{PID: e.PID, As: "sudo"}.String()
	}
	if e, ok := errors.AsType[*jvm.PermissionError](err); ok {
		return leave(e)
	}
	if e, ok := errors.AsType[*live.TooShortError](err); ok {
		return attach.Rerun{PID: e.PID, Timeout: 3 * time.Second}.String()
	}
	if e, ok := errors.AsType[*jvm.ZombieError](err); ok {
		return fmt.Sprintf("the process has ended; its parent %d must collect it", e.PPID)
	}
	if _, ok := errors.AsType[*jvm.NotReadyError](err); ok {
		return "try again, or increase --timeout"
	}
	if _, ok := errors.AsType[*jvm.NotJVMError](err); ok || errors.Is(err, jvm.ErrNoProcess) {
		return "jstall list shows the running JVMs"
	}
	if _, ok := errors.AsType[*jvm.NotSupportedError](err); ok {
		return "save a thread dump with that JVM's own tools; jstall supports HotSpot only"
	}
	return ""
}

// remedyOfFile says what to type after an error of a file, nothing after any other.
func remedyOfFile(err error) string {
	if errors.Is(err, fs.ErrPermission) {
		return "read it as its owner, or with sudo"
	}
	if e, ok := errors.AsType[*file.DamagedError](err); ok {
		return fmt.Sprintf("copy the file again; %s -t FILE checks it", e.Format)
	}
	if _, ok := errors.AsType[*recording.NewerError](err); ok {
		return "update jstall on this machine, or read the recording with the jstall that made it"
	}
	if e, ok := errors.AsType[*file.ForeignError](err); ok {
		return e.Remedy
	}
	if e, ok := errors.AsType[*threaddump.ForeignError](err); ok {
		return e.Tool
	}
	if errors.Is(err, threaddump.ErrNoDump) {
		return "save one with `jstall dump PID > dump.txt` or `jstack -l PID > dump.txt`"
	}
	return ""
}

// leave is what to type to be let into a process that refused us.
func leave(e *jvm.PermissionError) string {
	switch {
	case e.Forbidden:
		return attach.EnterProcess(e.PID)
	case e.Self == "root":
		return attach.AddPtrace
	}
	return attach.RerunAs(e.PID, e.UID, e.GID).String()
}

// codeOf is the exit code of a report.
func codeOf(r *analysis.Report, failOn finding.Severity) int {
	for _, f := range r.Findings {
		if isDeadlock(f.Kind) && f.Confidence != finding.Possible {
			return exitDeadlock
		}
	}
	for _, f := range r.Findings {
		if atLeast(f.Severity, failOn) {
			return exitFailOn
		}
	}
	seen := r.Capture.Dumps > 0 || r.Capture.Recorded != nil
	switch {
	case seen && r.Error != nil:
		return exitPartial
	case seen:
		return exitDone
	case r.Capture.Source == "procfs":
		return exitNoDump
	}
	return exitNothing
}

func isDeadlock(k finding.Kind) bool {
	return k == finding.KindDeadlock || k == finding.KindPoolDeadlock
}

func atLeast(s, limit finding.Severity) bool {
	switch limit {
	case finding.Critical:
		return s == finding.Critical
	case finding.Warning:
		return s == finding.Critical || s == finding.Warning
	}
	return false
}
