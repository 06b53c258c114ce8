// Package caught turns panics into errors. Go ends a program whose goroutine panics with code 2, which means for jstall
// that it found a deadlock. Also, a problem with one target must not hide the results of the others. So a panic is
// caught in its goroutine, passed to the goroutine that waits for the result, and raised again there.
package caught

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
)

// Panic is a panic that was caught.
type Panic struct {
	// Value is what the code panicked with, Stack that of its goroutine.
	Value any
	Stack []byte
	// Where is the function and line that panicked.
	Where string
}

func (p *Panic) Error() string { return fmt.Sprintf("internal error: %v (in %s)", p.Value, p.Where) }

// Try runs f. It returns nil unless f panics.
func Try(f func()) (p *Panic) {
	defer func() {
		switch value := recover().(type) {
		case nil:
		case *Panic: // a panic that was raised again
			p = value
		default:
			p = &Panic{Value: value, Stack: debug.Stack(), Where: origin()}
		}
	}()
	f()
	return nil
}

// Repanic continues a panic in this goroutine; nil does nothing.
func (p *Panic) Repanic() {
	if p != nil {
		panic(p)
	}
}

// origin is the first function of the panicking stack that is not the runtime's.
func origin() string {
	calls := make([]uintptr, 64)
	frames := runtime.CallersFrames(calls[:runtime.Callers(1, calls)])
	panicking := false
	for {
		f, more := frames.Next()
		inRuntime := strings.HasPrefix(f.Function, "runtime.")
		if panicking && !inRuntime || !more {
			return fmt.Sprintf("%s, %s:%d", path.Base(f.Function), path.Base(f.File), f.Line)
		}
		panicking = panicking || f.Function == "runtime.gopanic"
	}
}
