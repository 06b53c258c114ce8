package caught

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestAPanicIsCarriedWithItsPlace(t *testing.T) {
	var none []int
	var nowhere *Panic
	for _, test := range []struct {
		name string
		f    func()
		says string
	}{
		{"an index", func() { none[3]++ }, "index out of range"},
		{"a nil pointer", func() { nowhere.Where = "" }, "nil pointer dereference"},
		{"a value", func() { panic("a thing") }, "a thing"},
		{"an error", func() { panic(io.ErrNoProgress) }, io.ErrNoProgress.Error()},
	} {
		done := make(chan *Panic)
		go func() { done <- Try(test.f) }()
		first := <-done
		second := Try(first.Repanic)
		if first == nil || second != first {
			t.Fatalf("%s: caught %v, carried %v", test.name, first, second)
		}
		message := error(second).Error()
		if !strings.HasPrefix(message, "internal error: ") || !strings.Contains(message, test.says) ||
			!strings.Contains(message, "caught_test.go:") {
			t.Errorf("%s: %s", test.name, message)
		}
		if !strings.Contains(string(first.Stack), "TestAPanicIsCarriedWithItsPlace") {
			t.Errorf("%s: the stack is\n%s", test.name, first.Stack)
		}
	}
}

func TestNoPanicIsNothing(t *testing.T) {
	ran := errors.New("has not run")
	if p := Try(func() { ran = nil }); p != nil || ran != nil {
		t.Error(p, ran)
	}
	if p := Try((*Panic)(nil).Repanic); p != nil {
		t.Error(p)
	}
}
