package hotthread_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
)

func TestDestroyJavaVMIsNotHot(t *testing.T) {
	ExpectOnly(t, OneDump(Thread(1, "DestroyJavaVM", At(), Used(36, 30))), finding.KindHotThread, "")
}
