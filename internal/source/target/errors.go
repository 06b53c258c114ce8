package target

import (
	"errors"
	"syscall"

	"github.com/jstall/jstall/attach"
)

// ErrCannotAnswer ends a wait for a target that is known to be unable to answer.
var ErrCannotAnswer = errors.New("it cannot answer")

// Explicable reports whether /proc and the counters can explain a failed attempt. Others mean that jstall lacks a
// right, or that the request was wrong.
func Explicable(err error) bool {
	e := (*attach.Error)(nil)
	if !errors.As(err, &e) || errors.Is(err, syscall.EMFILE) { // the latter is our own limit
		return false
	}
	switch e.Code {
	case attach.CodeNotJVM, attach.CodePermission, attach.CodeRequest, attach.CodeTooLarge,
		attach.CodeCommandFailed, attach.CodeUnsupported, attach.CodeInterrupted, attach.CodeCrash,
		attach.CodeHeapFull:
		return false
	}
	return true
}

// RefusedForLimit reports whether an attach was not made because a limit of the kernel leaves too little room.
func RefusedForLimit(err error) bool {
	e := (*attach.Error)(nil)
	return errors.As(err, &e) && e.Phase == attach.PhaseCheck && attach.IsLimit(e.Code)
}

// ShortOfMemory reports whether an attach was not made for lack of memory. jstall should then take little memory
// itself.
func ShortOfMemory(err error) bool {
	e := (*attach.Error)(nil)
	return errors.As(err, &e) && e.Code == attach.CodeMemory
}
