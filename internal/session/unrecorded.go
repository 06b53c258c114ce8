package session

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jstall/jstall/internal/profile"
	"github.com/jstall/jstall/internal/shell"
)

// RecorderThreads says what a flight recording leaves in the JVM.
const RecorderThreads = "The JVM keeps three to five threads of its flight recorder, idle, until it ends."

// Unrecorded is the error of a missing recording: it was refused, or the target stopped answering after the request.
func Unrecorded(err error, t Target, done profile.FlightRecorded) error {
	if _, full := errors.AsType[*profile.NoRoomError](err); full {
		return &shell.ExitError{Code: shell.ExitNoDump, Message: "no recording was started: " + err.Error(),
			Hint: "free space there, or profile with thread dumps, which need no disk: jstall flame --engine dumps " +
				strconv.Itoa(t.Process.PID)}
	}
	if !done.Started {
		return err
	}
	f := shell.Failure(err)
	message := fmt.Sprintf("%s: no profile: %s", t.Label(), f.Message)
	if done.Elapsed > 0 {
		message = fmt.Sprintf("%s: no profile after %.1f s: %s", t.Label(), done.Elapsed.Seconds(), f.Message)
	}
	if len(done.FilesLeft) > 0 {
		message += "; the recording ends by itself, and a later run removes " + strings.Join(done.FilesLeft, ", ")
	}
	return &shell.ExitError{Code: shell.ExitPartial, Message: message, Hint: f.Remedy}
}
