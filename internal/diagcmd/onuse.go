package diagcmd

import (
	"regexp"
	"sync"
)

// onUse compiles an expression on first use. Most runs of the program need none of them, and every start would take
// longer.
func onUse(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
