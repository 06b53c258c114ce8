package analysis_test

import (
	"testing"
	"time"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// surrounded is a capture with the kernel's figures of the machine.
func surrounded(at, own, busy float64, others map[int]timeline.OtherProcess) timeline.Observation {
	o := Observe(at, Thread(1, "a", Used(own, 5+at)))
	o.ProcessCPU = threaddump.Known(time.Duration(own * float64(time.Second)))
	o.Machine = &timeline.Machine{
		CPUs: threaddump.Known(8), Allowed: threaddump.Known(4), Quota: threaddump.Known(2.5),
		Busy: threaddump.Known(time.Duration(busy * float64(time.Second))), Others: others,
	}
	return o
}

func TestCaptureSaysWhoElseHadTheCPU(t *testing.T) {
	other := func(cpu time.Duration) map[int]timeline.OtherProcess {
		return map[int]timeline.OtherProcess{7: {Name: "make", StartTime: 3, CPU: cpu},
			8: {Name: "sh", StartTime: 4, CPU: time.Minute}}
	}
	c := Diagnose(surrounded(0, 1, 100, other(time.Second)), surrounded(2, 2, 104, other(4*time.Second))).Capture
	if c.Cores == nil || *c.Cores != 2.5 {
		t.Errorf("cores %v", c.Cores)
	}
	if c.OthersCPUSeconds == nil || *c.OthersCPUSeconds != 3 || c.BusiestOther != "make (pid 7)" {
		t.Errorf("others %v, busiest %q", c.OthersCPUSeconds, c.BusiestOther)
	}
}

func TestCaptureWithoutMachineSaysNothingOfOthers(t *testing.T) {
	c := Diagnose(Observe(0, Thread(1, "a", Used(1, 5))), Observe(2, Thread(1, "a", Used(2, 7)))).Capture
	if c.Cores != nil || c.OthersCPUSeconds != nil || c.BusiestOther != "" {
		t.Errorf("%+v", c)
	}
}
