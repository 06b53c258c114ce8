package hotthread

import (
	"cmp"

	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/order"
)

// workGroups groups the program's threads that use CPU by their work.
func workGroups(f *pools.Pools) [][]cpu.HotThread {
	byWork := map[string][]cpu.HotThread{}
	others, portions := inOtherFindings(f.Timeline), portions(f)
	for _, h := range f.Timeline.Threads {
		h = h.OnCPU()
		share := h.Share()
		if !h.Thread.Program() || !share.Known || share.Value < timeline.GroupShare || others[h] {
			continue
		}
		t := cpu.AsHot(h)
		if p, ok := portions[h]; ok {
			t.Dominant, t.PartOf = p.sample, p.of
		}
		byWork[t.Work()] = append(byWork[t.Work()], t)
	}
	groups := make([][]cpu.HotThread, 0, len(byWork))
	for _, g := range byWork {
		order.SortStable(g, compareHot)
		groups = append(groups, g)
	}
	order.Sort(groups, func(a, b []cpu.HotThread) int { return compareHot(a[0], b[0]) })
	return groups
}

// inOtherFindings returns the busy threads that another finding describes better: those that spin, those that compete
// with each other for the CPU, and those that keep the collector busy. If others use the CPU, the work of a thread is
// still worth a finding.
func inOtherFindings(f *timeline.Timeline) map[*timeline.History]bool {
	told := map[*timeline.History]bool{}
	for _, s := range cpu.Spinners(f) {
		told[s.H.OnCPU()] = true
	}
	if s := cpu.FindStarvation(f); s != nil && s.ByOwnThreads() && !cpu.IsOneHotWork(f, s) {
		for _, h := range s.Threads {
			told[h.OnCPU()] = true
		}
	}
	if _, ok := memory.MeasureCollections(f).Severity(); ok {
		most, _ := timeline.MostBy(f, cpu.Allocation)
		for _, h := range most {
			told[h.OnCPU()] = true
		}
	}
	return told
}

// compareHot sorts the hottest thread first; name and id make the order total.
func compareHot(a, b cpu.HotThread) int {
	x, y := a.H.Thread, b.H.Thread
	return cmp.Or(
		cmp.Compare(b.Share, a.Share), cmp.Compare(x.Name, y.Name), cmp.Compare(x.ID, y.ID),
	)
}
