package shell

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"github.com/jstall/jstall/analysis"
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

// Failure is [Failure] that also explains a process id that matches no JVM if /proc belongs to another pid namespace.
func (e *Env) Failure(err error) *analysis.Failure {
	f := Failure(err)
	if _, notJVM := errors.AsType[*jvm.NotJVMError](err); !notJVM && !errors.Is(err, jvm.ErrNoProcess) {
		return f
	}
	if foreign := attach.ForeignProc(kernel.New(e.ProcRoot)); foreign != "" {
		f.Message, f.Remedy = f.Message+"; "+foreign, attach.ShareNamespace
	}
	return f
}

// Failure returns the text of an error and its remedy, for the JSON and for standard error.
func Failure(err error) *analysis.Failure {
	if errors.Is(err, syscall.EMFILE) { // our own limit, whatever was tried
		return &analysis.Failure{Message: "jstall itself has no file descriptor left (ulimit -n): " + err.Error(),
			Remedy: "raise the limit: ulimit -n 1024"}
	}
	if e := (*source.UnansweredError)(nil); errors.As(err, &e) {
		f := Failure(e.Err)
		f.Message = e.Error()
		return f
	}
	if e := (*attach.Error)(nil); errors.As(err, &e) {
		return &analysis.Failure{Phase: string(e.Phase), Message: e.Cause, Remedy: e.Remedy}
	}
	if e := (*ExitError)(nil); errors.As(err, &e) {
		return &analysis.Failure{Message: e.Message, Remedy: e.Hint}
	}
	if e := (*memory.Error)(nil); errors.As(err, &e) {
		return &analysis.Failure{Message: "the JVM's memory cannot be read: " + e.Cause, Remedy: e.Remedy}
	}
	if errors.Is(err, context.Canceled) {
		return &analysis.Failure{Message: "interrupted"}
	}
	return &analysis.Failure{Message: err.Error(), Remedy: remedy(err)}
}

// remedy returns the next command after an error of another package.
func remedy(err error) string {
	if _, ok := errors.AsType[*caught.Panic](err); ok {
		return "please report this error with the output of -v"
	}
	if text := remedyOfProcess(err); text != "" {
		return text
	}
	return RemedyOfFile(err)
}

// remedyOfProcess returns the next command after an error of a running process, empty after any other.
func remedyOfProcess(err error) string {
	if e, ok := errors.AsType[*jvm.ThreadError](err); ok {
		return fmt.Sprintf("jstall threads %d --thread %d", e.PID, e.TID)
	}
	if e, ok := errors.AsType[*profile.StoodError](err); ok {
		return fmt.Sprintf("resume it (kill -CONT %d, docker unpause) and try again", e.PID)
	}
	if _, ok := errors.AsType[*jvm.HiddenError](err); ok {
		return attach.RunAsRoot
	}
	if e, ok := errors.AsType[*jvm.PermissionError](err); ok {
		return leave(e)
	}
	if _, ok := errors.AsType[*live.TooShortError](err); ok {
		return attach.RunWithin(3 * time.Second)
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

// RemedyOfFile returns the next command after an error of a file, empty after any other.
func RemedyOfFile(err error) string {
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

// leave returns the command that grants access to a process that refused us.
func leave(e *jvm.PermissionError) string {
	switch {
	case e.Forbidden:
		return attach.EnterProcess(e.PID)
	case e.Self == "root":
		return attach.AddPtrace
	}
	return attach.RunWithIDs(e.UID, e.GID)
}
