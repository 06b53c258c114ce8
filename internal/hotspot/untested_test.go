package hotspot

import (
	"debug/elf"
	"testing"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// TestUntested goes through the processors whose frames are known: only x86-64 has JVMs in tests.
func TestUntested(t *testing.T) {
	for _, machine := range vm.Machines {
		j := &JVM{JVM: &vm.JVM{Machine: machine}}
		if (j.Untested() == "") != (machine == elf.EM_X86_64) {
			t.Errorf("%v: %q", machine, j.Untested())
		}
	}
}
