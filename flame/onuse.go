package flame

import (
	"regexp"
	"sync"
)

// onUse compiles an expression when it is first needed: most runs of the program
// need none of them, and every start would wait for all.
func onUse(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
