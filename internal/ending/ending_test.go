package ending_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jstall/jstall/internal/ending"
)

// TestWait: a command without work ends soon, one with work later, and says what it finishes.
func TestWait(t *testing.T) {
	for _, test := range []struct {
		name  string
		works []string
		ended int // of the works, by their done
		told  string
		took  time.Duration
	}{
		{"nothing to finish", nil, 0, "", ending.Soon},
		{"all is finished", []string{"a", "b"}, 2, "", ending.Soon},
		{"the first is finished", []string{"a", "b"}, 1, "b", ending.Last},
		{"nothing is finished", []string{"a"}, 0, "a", ending.Last},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, e := ending.With(t.Context())
				for i, what := range test.works {
					done := ending.Work(ctx, what)
					if i < test.ended {
						done()
						done()
					}
				}
				told, begin := "", time.Now()
				e.Wait(func(what string) { told = what })
				if took := time.Since(begin); told != test.told || took != test.took {
					t.Errorf("reported %q after %v, want %q after %v", told, took, test.told, test.took)
				}
			})
		})
	}
}

// TestLate: what is asked of a target after an interrupt has less time than Last.
func TestLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for _, ended := range []bool{false, true} {
			if ended {
				cancel()
			}
			late, done := ending.Late(ctx, time.Minute)
			defer done()
			if late.Err() != nil {
				t.Fatal("it has ended already")
			}
			until, _ := late.Deadline()
			if short := time.Until(until) < ending.Last; short != ended {
				t.Errorf("interrupted: %v, %v are left", ended, time.Until(until))
			}
		}
	})
}

func TestWorkWithoutAnEnding(t *testing.T) {
	ending.Work(t.Context(), "x")()
}
