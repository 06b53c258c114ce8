package live

import (
	"sync"

	"github.com/jstall/jstall/internal/caught"
)

// meanwhile prepares work to be done, one after the other, while jstall only waits for the JVM. start returns at once,
// wait returns when all is done.
func meanwhile(work []func()) (start, wait func()) {
	done := make(chan *caught.Panic, 1)
	begin := sync.OnceFunc(func() {
		go func() {
			done <- caught.Try(func() {
				for _, f := range work {
					f()
				}
			})
		}()
	})
	return begin, sync.OnceFunc(func() {
		begin()
		(<-done).Repanic()
	})
}
