package capture

import (
	"context"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/caught"
)

// What breaks on a goroutine beside a reading breaks the reading, and not the program.
func TestWhatBreaksBesideAReadingBreaksTheReading(t *testing.T) {
	defect := func() { panic("a fake defect") }
	for name, f := range map[string]func(){
		"in time": func() { inTime(time.Minute, func(context.Context) { defect() }) },
		"meanwhile": func() {
			_, wait := meanwhile([]func(){func() {}, defect})
			wait()
		},
		"watcher": func() {
			v := &watcher{done: make(chan struct{})} // without a target sampling breaks
			go v.run()
			<-v.done
			v.broken.Repanic()
		},
	} {
		if caught.Try(f) == nil {
			t.Errorf("%s: nothing broke", name)
		}
	}
}
