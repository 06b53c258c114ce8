package target

import (
	"errors"
	"syscall"

	"github.com/jstall/jstall/attach"
)

// ErrCannotAnswer ends a wait whose reason is plain.
var ErrCannotAnswer = errors.New("it cannot answer")

// Explicable tells the failed attempts that /proc and the counters can explain.
// Others mean that we are not allowed, or that the question was wrong.
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

// RefusedForLimit tells an attach that was not made because a limit of the kernel leaves
// too little room.
func RefusedForLimit(err error) bool {
	e := (*attach.Error)(nil)
	return errors.As(err, &e) && e.Phase == attach.PhaseCheck && attach.IsLimit(e.Code)
}

// ShortOfMemory tells an attach that was not made for lack of memory, of which we should
// take little ourselves.
func ShortOfMemory(err error) bool {
	e := (*attach.Error)(nil)
	return errors.As(err, &e) && e.Code == attach.CodeMemory
}
