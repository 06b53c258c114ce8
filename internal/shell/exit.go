package shell

import (
	"fmt"
	"slices"
)

// The exit codes are part of the public contract.
const (
	ExitDone        = 0
	ExitNothing     = 1  // no result, or jstall's own limits are too low
	ExitDeadlock    = 2  // a deadlock or pool-deadlock, proven or likely
	ExitFailOn      = 3  // a finding at or above --fail-on
	ExitNoDump      = 4  // the report is from /proc and the counters only, or a recording was refused
	ExitPartial     = 5  // partial output, or the target stopped answering in the middle
	ExitUsage       = 64 // wrong usage
	ExitInterrupted = 130
)

// ExitRank is the priority of the codes if several targets end differently.
var ExitRank = []int{ExitDeadlock, ExitFailOn, ExitNoDump, ExitPartial, ExitNothing, ExitDone}

// WorstCode returns the code with the highest priority.
func WorstCode(codes []int) int {
	for _, rank := range ExitRank {
		for _, c := range codes {
			if c == rank {
				return rank
			}
		}
	}
	return ExitDone
}

// NoneSeen reports whether no target has a result to show.
func NoneSeen(codes []int) bool {
	return !slices.ContainsFunc(codes, func(code int) bool { return code != ExitNothing })
}

// ExitError ends the program with a code. Its message goes to standard error with a hint about the next command.
type ExitError struct {
	Code    int
	Message string
	Hint    string
}

func (e *ExitError) Error() string { return e.Message }

// Usage returns the error of wrong usage.
func Usage(hint, format string, args ...any) error {
	return &ExitError{Code: ExitUsage, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// NoResult returns the error of a command without a result.
func NoResult(hint, format string, args ...any) error {
	return &ExitError{Code: ExitNothing, Message: fmt.Sprintf(format, args...), Hint: hint}
}
