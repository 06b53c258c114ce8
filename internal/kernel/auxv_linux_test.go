package kernel_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/kernel"
)

// TestLoaderBase finds the loader of a real program where its maps show it.
func TestLoaderBase(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	defer func() { _ = cmd.Process.Kill() }()
	r := kernel.New("/proc")
	auxv, err := r.ReadFile(cmd.Process.Pid, "auxv")
	if err != nil {
		t.Fatal(err)
	}
	maps, err := r.ReadFile(cmd.Process.Pid, "maps")
	if err != nil {
		t.Fatal(err)
	}
	base, ok := kernel.ParseLoaderBase(auxv)
	if !ok {
		t.Skip("sleep is linked statically here")
	}
	if !strings.Contains(string(maps), fmt.Sprintf("\n%x-", base)) {
		t.Errorf("nothing is mapped at %x:\n%s", base, maps)
	}
	if _, ok := kernel.ParseLoaderBase(auxv[:20]); ok {
		t.Error("a loader in a vector that is cut")
	}
}
