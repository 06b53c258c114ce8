package live

import (
	"context"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/source/target"
)

// A panic on a goroutine that runs next to a reading makes the reading fail, and does not end the program.
func TestWhatBreaksBesideAReadingBreaksTheReading(t *testing.T) {
	defect := func() { panic("a fake defect") }
	for name, f := range map[string]func(){
		"in time": func() { target.InTime(time.Minute, func(context.Context) { defect() }) },
		"meanwhile": func() {
			_, wait := meanwhile([]func(){func() {}, defect})
			wait()
		},
	} {
		if caught.Try(f) == nil {
			t.Errorf("%s: nothing broke", name)
		}
	}
}
