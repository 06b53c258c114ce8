package stack

import (
	"testing"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// TestEveryProcessorHasFrames: what a JVM is opened for has a layout of frames.
func TestEveryProcessorHasFrames(t *testing.T) {
	for _, machine := range vm.Machines {
		if layout := frameLayouts[machine]; layout == nil || layout(21).returns == nil {
			t.Errorf("%v has no frames", machine)
		}
	}
	if len(frameLayouts) != len(vm.Machines) {
		t.Errorf("%d processors have frames, %d are read", len(frameLayouts), len(vm.Machines))
	}
}
