package thread

import (
	"slices"

	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// Recheck makes sure that code and methods are still what they were when they were first read in this
// dump. On the stack of a thread that does not run they cannot go, but other methods may have been in
// their place before. Threads that used what has changed are read again.
func (r *Reader) Recheck(threads []*Thread) {
	for i := 0; ; i++ {
		changed := r.Changed()
		if len(changed) == 0 {
			return
		}
		r.ForgetCode()
		for n, t := range threads {
			if !slices.ContainsFunc(t.uses, func(s *stack.Source) bool { return changed[s] }) {
				continue
			}
			if i == vm.Attempts {
				t.Tear()
			} else {
				threads[n] = r.ReadThread(t.Address)
			}
		}
		if i == vm.Attempts {
			return
		}
	}
}
