package pools

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// Pool is the threads of one executor at the end of the capture.
type Pool struct {
	// Pattern is the names of its workers with # for their number: "pool-1-thread-#". A merged pool has the pattern of
	// the first.
	Pattern string
	Kind    stack.RootKind
	// Workers are in the order of the dump. Idle are those without a task, Busy the others.
	Workers, Idle, Busy []*timeline.History
	// members is a set of the workers of a large executor; nil if a search through Workers is as fast.
	members map[*timeline.History]bool
	// Scheduler reports whether the workers take from a queue of delayed tasks.
	Scheduler bool
	// Mixed reports whether the workers belong to several executors, so that those of a busy one are unknown.
	Mixed bool
	// queues are the addresses that idle workers wait at.
	queues []uint64
	queued map[uint64]bool
	// classes counts the workers that are inside a class of the application. futures and stages report whether a worker
	// runs a task of that kind.
	classes         map[string]int
	futures, stages bool
}

// everyBusy reports whether no worker is idle, as far as the dump shows.
func (p *Pool) everyBusy() bool { return len(p.Idle) == 0 && len(p.Busy) > 0 && !p.Mixed }

// FullOf reports whether the executor has no idle worker and all its workers are among some threads.
func (p *Pool) FullOf(threads map[*timeline.History]bool) bool {
	return p.everyBusy() && !slices.ContainsFunc(p.Busy, func(h *timeline.History) bool { return !threads[h] })
}

// Has reports whether a thread is a worker of the executor.
func (p *Pool) Has(h *timeline.History) bool {
	if p.members == nil {
		return slices.Contains(p.Workers, h)
	}
	return p.members[h]
}

// fewWorkers is the number of workers up to which a search is as fast as a map.
const fewWorkers = 8

// findPools groups the workers of executors by the names that a thread factory
// gives, and joins groups whose idle workers wait at one queue.
func findPools(f *timeline.Timeline) []*Pool {
	type group struct {
		kind    stack.RootKind
		pattern string
	}
	executors := map[group]*Pool{}
	for _, h := range f.Alive() {
		s := h.Last()
		if s.Carrier != 0 || s.Stack.Root == nil || s.Stack.Root.Kind > stack.RootForkJoin || isServerLoop(s) {
			continue
		}
		g := group{s.Stack.Root.Kind, NamePattern(h.Thread.Name)}
		if executors[g] == nil {
			executors[g] = &Pool{Pattern: g.pattern, Kind: g.kind}
		}
		executors[g].add(h)
	}
	found := make([]*Pool, 0, len(executors))
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

// comparePools orders executors by the names of their workers.
func comparePools(a, b *Pool) int {
	return cmp.Or(cmp.Compare(a.Pattern, b.Pattern), cmp.Compare(a.Kind, b.Kind))
}

// oneName replaces the pattern by the workers' name if all have the same: a digit in that name is no number of a
// thread.
func (p *Pool) oneName() {
	name := p.Workers[0].Thread.Name
	other := func(h *timeline.History) bool { return h.Thread.Name != name }
	if len(p.Workers) > 1 && !slices.ContainsFunc(p.Workers, other) {
		p.Pattern = name
	}
}

// isServerLoop reports whether a server uses the worker permanently, to accept or to select. Such a worker takes no
// task, even if other workers of its executor are idle.
func isServerLoop(s *timeline.Sample) bool {
	r := s.IdleRule()
	return r != nil && (r.What == "acceptor" || r.What == "selector")
}

// describe sums up what the workers of a pool are inside of.
func (p *Pool) describe() {
	p.classes = map[string]int{}
	seen := map[*stack.Stack]int{}
	for _, h := range p.Workers {
		seen[h.Last().Stack]++
	}
	if len(p.Workers) > fewWorkers {
		p.members = make(map[*timeline.History]bool, len(p.Workers))
		for _, h := range p.Workers {
			p.members[h] = true
		}
	}
	for s, n := range seen {
		for _, class := range s.Outer {
			p.classes[class] += n
		}
		p.futures = p.futures || s.IsInside(stack.JUC+"FutureTask", "run")
		p.stages = p.stages || s.IsInside(stack.JUC+"CompletableFuture$", "run")
	}
}

func (p *Pool) add(h *timeline.History) {
	s := h.Last()
	p.Workers = append(p.Workers, h)
	if isScheduling(s.Stack) {
		p.Scheduler = true
	}
	if s.IdleRule() == nil {
		p.Busy = append(p.Busy, h)
		return
	}
	p.Idle = append(p.Idle, h)
	if l := s.WaitsOn(); l != nil && l.Address != 0 && !p.queued[l.Address] {
		if p.queued == nil {
			p.queued = map[uint64]bool{}
		}
		p.queued[l.Address] = true
		p.queues = append(p.queues, l.Address)
	}
}

// isScheduling reports whether a worker, idle or in a task, belongs to a ScheduledThreadPoolExecutor.
func isScheduling(s *stack.Stack) bool {
	for _, f := range s.Frames {
		if strings.HasPrefix(f.Class, stack.JUC+"ScheduledThreadPoolExecutor$") {
			return true
		}
	}
	return false
}

// joinPools merges pools that share a queue. A pool with several queues is several executors whose workers have the
// same names.
func joinPools(executors []*Pool) []*Pool {
	at := map[uint64]*Pool{}
	var kept []*Pool
	for _, p := range executors {
		p.Mixed = len(p.queues) > 1 || p.repeatsNames()
		var same *Pool
		if len(p.queues) == 1 {
			same = at[p.queues[0]]
		}
		if same == nil || same.Kind != p.Kind {
			kept = append(kept, p)
			for _, q := range p.queues {
				at[q] = p
			}
			continue
		}
		same.Workers = append(same.Workers, p.Workers...)
		same.Idle = append(same.Idle, p.Idle...)
		same.Busy = append(same.Busy, p.Busy...)
		same.Scheduler = same.Scheduler || p.Scheduler
	}
	return kept
}

// repeatsNames reports whether two workers have the same numbered name: two thread factories with the same prefix each
// count their own threads.
func (p *Pool) repeatsNames() bool {
	if !strings.Contains(p.Pattern, "#") {
		return false
	}
	seen := map[string]bool{}
	for _, h := range p.Workers {
		if seen[h.Thread.Name] {
			return true
		}
		seen[h.Thread.Name] = true
	}
	return false
}

// NamePattern is a thread's name with # for its number, without the state that WebLogic puts before it.
func NamePattern(name string) string {
	for _, state := range [...]string{"[ACTIVE] ", "[STANDBY] ", "[HOGGING] ", "[STUCK] "} {
		if rest, ok := strings.CutPrefix(name, state); ok {
			name = rest
			break
		}
	}
	return stack.WithoutNumber(name, "#")
}
