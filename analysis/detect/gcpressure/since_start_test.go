package gcpressure_test

import (
	"fmt"
	"testing"

	"github.com/jstall/jstall/analysis"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

func TestGCPressureSinceTheStart(t *testing.T) {
	collectors := func(name string, n int, cpu, elapsed float64) []*threaddump.Thread {
		threads := []*threaddump.Thread{Thread(1, "main", Used(1, elapsed))}
		for i := range n {
			gc := GCThread(cpu, elapsed)
			gc.Name, gc.TID, gc.NativeID = fmt.Sprintf(name, i), gc.TID+uint64(i), gc.NativeID+int64(i)
			threads = append(threads, gc)
		}
		return threads
	}
	const hint = "gc-pressure/info/likely:  | "
	for _, test := range []struct {
		name    string
		threads []*threaddump.Thread
		want    []string
	}{
		{"half of the time", collectors("GC Thread#%d", 4, 1800, 3600), []string{hint}},
		{"a fifth of the time", collectors("GC Thread#%d", 4, 720, 3600), nil},
		{"half of a short time", collectors("GC Thread#%d", 4, 5, 10), nil},
		{"half of the time, concurrent", collectors("ZWorkerYoung#%d", 4, 1800, 3600), nil},
		{"always, concurrent", collectors("ZWorkerYoung#%d", 4, 3400, 3600), []string{hint}},
		{"JDK 8, without CPU times", collectors("GC task thread#%d (ParallelGC)", 0, 0, 3600), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Diagnose(Observe(0, test.threads...))
			Expect(t, r, test.want...)
			if len(test.want) > 0 && r.Verdict.State != analysis.Suspicious {
				t.Errorf("verdict %s", r.Verdict.State)
			}
		})
	}
}
