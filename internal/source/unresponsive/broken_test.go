package unresponsive

import (
	"testing"

	"github.com/jstall/jstall/internal/caught"
)

// A defect on the goroutine of a watcher ends the reading, and not the program.
func TestABrokenWatcherBreaksTheReading(t *testing.T) {
	broken := caught.Try(func() {
		v := &Watcher{done: make(chan struct{})} // without a target sampling breaks
		go v.run()
		<-v.done
		v.broken.Repanic()
	})
	if broken == nil {
		t.Error("nothing broke")
	}
}
