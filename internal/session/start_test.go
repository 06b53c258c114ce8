package session

import (
	"context"
	"strings"
	"testing"
)

func TestWhatBreaksOfATargetIsItsOutcome(t *testing.T) {
	targets := []Target{{Word: "sound"}, {Word: "defective"}, {Word: "sound too"}}
	FakeCapture := func(_ context.Context, t Target) string {
		if t.Word == "defective" {
			panic("a fake defect of " + t.Word)
		}
		return t.Word
	}
	var got []string
	for _, ch := range Start(t.Context(), targets, FakeCapture, func(t Target, err error) string {
		return err.Error()
	}) {
		got = append(got, <-ch)
	}
	if got[0] != "sound" || got[2] != "sound too" ||
		!strings.HasPrefix(got[1], "internal error: a fake defect of defective (in session.") {
		t.Errorf("%q", got)
	}
}
