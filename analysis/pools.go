package analysis

import (
	"cmp"
	"slices"
	"strings"
)

// pool is the threads of one executor at the end of the capture.
type pool struct {
	// pattern is the names of its workers with # for their number:
	// "pool-1-thread-#". A merged pool has the first one's.
	pattern string
	kind    rootKind
	// workers are in the order of the dump, the idle and the others.
	workers, idle, busy []*history
	members             map[*history]bool // the workers
	// scheduler tells workers that take from a queue of delayed tasks.
	scheduler bool
	// mixed tells that the workers are those of several executors, so that a busy
	// one's cannot be told.
	mixed bool
	// queues are the addresses that idle workers wait at.
	queues []uint64
	queued map[uint64]bool
	// classes counts the workers that are inside a class of the application; futures
	// and stages tell a worker that runs a task of such a kind.
	classes         map[string]int
	futures, stages bool
}

// everyBusy reports that no worker is idle, as far as the dump tells.
func (p *pool) everyBusy() bool { return len(p.idle) == 0 && len(p.busy) > 0 && !p.mixed }

// fullOf reports that all workers are among some threads.
func (p *pool) fullOf(threads map[*history]bool) bool {
	return p.everyBusy() && !slices.ContainsFunc(p.busy, func(h *history) bool { return !threads[h] })
}

// has reports that a thread is a worker of the executor.
func (p *pool) has(h *history) bool { return p.members[h] }

// executors are the pools in the order of their patterns.
func (f *poolFacts) executors() []*pool {
	if f.pools == nil {
		f.pools, f.byWorker = f.findPools(), map[*history]*pool{}
		for _, p := range f.pools {
			for _, h := range p.workers {
				f.byWorker[h] = p
			}
		}
	}
	return f.pools
}

// poolOf is the executor that a thread works for at the end of the capture, nil if none.
func (f *poolFacts) poolOf(h *history) *pool {
	f.executors()
	return f.byWorker[h]
}

// findPools groups the workers of executors by the names that a thread factory
// gives, and joins groups whose idle workers wait at one queue.
func (f *timeline) findPools() []*pool {
	type group struct {
		kind    rootKind
		pattern string
	}
	executors := map[group]*pool{}
	for _, h := range f.alive() {
		s := h.last()
		if s.carrier != 0 || s.Stack.root == nil || s.Stack.root.kind > rootForkJoin || isLent(s) {
			continue
		}
		g := group{s.Stack.root.kind, namePattern(h.thread.Name)}
		if executors[g] == nil {
			executors[g] = &pool{pattern: g.pattern, kind: g.kind}
		}
		executors[g].add(h)
	}
	found := make([]*pool, 0, len(executors))
	for _, p := range executors {
		p.oneName()
		found = append(found, p)
	}
	slices.SortFunc(found, comparePools)
	found = joinPools(found)
	for _, p := range found {
		p.describe()
	}
	return found
}

func comparePools(a, b *pool) int {
	return cmp.Or(cmp.Compare(a.pattern, b.pattern), cmp.Compare(a.kind, b.kind))
}

// oneName takes the workers' name for the pattern where all have the same: a digit in it
// numbers nothing.
func (p *pool) oneName() {
	name := p.workers[0].thread.Name
	other := func(h *history) bool { return h.thread.Name != name }
	if len(p.workers) > 1 && !slices.ContainsFunc(p.workers, other) {
		p.pattern = name
	}
}

// isLent tells a worker that a server has for good, to accept or to select: it is free for
// no task, whoever else is idle in its executor.
func isLent(s *Sample) bool {
	r := s.resting()
	return r != nil && (r.what == "acceptor" || r.what == "selector")
}

// describe sums up what the workers of a pool are inside of.
func (p *pool) describe() {
	p.classes = map[string]int{}
	seen := map[*Stack]int{}
	p.members = make(map[*history]bool, len(p.workers))
	for _, h := range p.workers {
		p.members[h] = true
		seen[h.last().Stack]++
	}
	for s, n := range seen {
		for _, class := range s.outer {
			p.classes[class] += n
		}
		p.futures = p.futures || s.isInside(juc+"FutureTask", "run")
		p.stages = p.stages || s.isInside(juc+"CompletableFuture$", "run")
	}
}

func (p *pool) add(h *history) {
	s := h.last()
	p.workers = append(p.workers, h)
	if isScheduling(s.Stack) {
		p.scheduler = true
	}
	if s.resting() == nil {
		p.busy = append(p.busy, h)
		return
	}
	p.idle = append(p.idle, h)
	if l := s.waitsOn(); l != nil && l.address != 0 && !p.queued[l.address] {
		if p.queued == nil {
			p.queued = map[uint64]bool{}
		}
		p.queued[l.address] = true
		p.queues = append(p.queues, l.address)
	}
}

// isScheduling tells workers of a ScheduledThreadPoolExecutor, idle or in a task.
func isScheduling(s *Stack) bool {
	for _, f := range s.Frames {
		if strings.HasPrefix(f.Class, juc+"ScheduledThreadPoolExecutor$") {
			return true
		}
	}
	return false
}

// joinPools merges pools that share a queue. One with several queues is several
// executors whose workers have the same names.
func joinPools(executors []*pool) []*pool {
	at := map[uint64]*pool{}
	kept := []*pool{} // not nil: it is looked for once
	for _, p := range executors {
		p.mixed = len(p.queues) > 1 || p.repeatsNames()
		var same *pool
		if len(p.queues) == 1 {
			same = at[p.queues[0]]
		}
		if same == nil || same.kind != p.kind {
			kept = append(kept, p)
			for _, q := range p.queues {
				at[q] = p
			}
			continue
		}
		same.workers = append(same.workers, p.workers...)
		same.idle = append(same.idle, p.idle...)
		same.busy = append(same.busy, p.busy...)
		same.scheduler = same.scheduler || p.scheduler
	}
	return kept
}

// repeatsNames reports that a numbered name is there twice: two factories with the
// same words count their threads each for itself.
func (p *pool) repeatsNames() bool {
	if !strings.Contains(p.pattern, "#") {
		return false
	}
	seen := map[string]bool{}
	for _, h := range p.workers {
		if seen[h.thread.Name] {
			return true
		}
		seen[h.thread.Name] = true
	}
	return false
}

// namePattern replaces the last number in a name: that of the thread within its
// pool. The numbers before are the pool's own.
func namePattern(name string) string {
	end := strings.LastIndexAny(name, "0123456789") + 1
	if end == 0 {
		return name
	}
	start := end
	for start > 0 && name[start-1] >= '0' && name[start-1] <= '9' {
		start--
	}
	return name[:start] + "#" + name[end:]
}
