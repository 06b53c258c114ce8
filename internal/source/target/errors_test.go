package target

import (
	"errors"
	"testing"

	"github.com/jstall/jstall/attach"
)

func TestOnlyASilenceIsExplained(t *testing.T) {
	for code, want := range map[string]bool{
		attach.CodeTimeout: true, attach.CodeStopped: true, attach.CodeTargetDied: true,
		attach.CodePermission: false, attach.CodeNotJVM: false, attach.CodeInterrupted: false,
	} {
		if got := Explicable(&attach.Error{Code: code}); got != want {
			t.Errorf("%s: %v", code, got)
		}
	}
	if Explicable(nil) || Explicable(errors.New("another")) {
		t.Error("what is no failed attach is explained")
	}
}
