package jitpressure_test

import (
	"testing"

	"github.com/jstall/jstall/analysis"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func TestJITPressure(t *testing.T) {
	compiler := func(cpu float64) *threaddump.Thread {
		c := &threaddump.Thread{ID: 7, Name: "C2 CompilerThread0", TID: 0x7f0000000077, NativeID: 77, Daemon: true,
			Compiler: true, Condition: "runnable"}
		Used(cpu, 99)(c)
		return c
	}
	// look has used so many seconds of CPU before.
	look := func(used, jit, app float64, dumps int) *analysis.Report {
		var all []timeline.Observation
		for i := range dumps {
			n := float64(i)
			all = append(all, Observe(n, compiler(1+n*jit), Thread(1, "a", Used(used+n*app, 99))))
		}
		return Diagnose(all...)
	}
	for _, test := range []struct {
		name   string
		report *analysis.Report
		want   []string
	}{
		{"nearly all of the CPU", look(1, 0.9, 0.1, 3), []string{"jit-pressure/warning/likely:  | "}},
		{"more than half, in the first minute of CPU", look(1, 0.9, 0.5, 3), nil},
		{"more than half, after it", look(60, 0.9, 0.5, 3), []string{"jit-pressure/info/possible:  | "}},
		{"one interval", look(60, 0.9, 0.1, 2), []string{"jit-pressure/info/possible:  | "}},
		{"little", look(60, 0.2, 0.01, 3), nil},
	} {
		t.Run(test.name, func(t *testing.T) { Expect(t, test.report, test.want...) })
	}
}

func TestCodeCacheWithoutRoom(t *testing.T) {
	for name, test := range map[string]struct {
		cache timeline.CodeCache
		want  []string
	}{
		"stopped": {timeline.CodeCache{Size: AmountOf(3 * MB), Used: AmountOf(2 * MB),
			Disabled: "not enough contiguous free space left"}, []string{"jit-pressure/warning/proven:  | "}},
		"full": {timeline.CodeCache{Size: AmountOf(100 * MB), Used: AmountOf(98 * MB)},
			[]string{"jit-pressure/warning/proven:  | "}},
		"roomy":   {timeline.CodeCache{Size: AmountOf(100 * MB), Used: AmountOf(90 * MB)}, nil},
		"unknown": {timeline.CodeCache{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			o := Observe(0, Thread(1, "a", Waiting(0x1)))
			o.CodeCache = &test.cache
			Expect(t, Diagnose(o), test.want...)
		})
	}
}
