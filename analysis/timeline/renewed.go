package timeline

import (
	"math"
	"slices"

	"github.com/jstall/jstall/analysis/stack"
)

// regionBits is the logarithm of the size in bytes of the smallest part of a heap that a collector moves as a whole: a
// region of Shenandoah. Those of G1 have at least 1 MB, the pages of ZGC 2 MB.
const regionBits = 18

// life is a thread in the dumps that have it, with their indexes.
type life struct {
	samples []*Sample
	at      []int32
}

// exchange is a wait at one place for which two consecutive dumps show two objects, the first at address.
type exchange struct {
	address uint64
	after   *Sample
}

// noteRenewals marks the samples whose thread has left its wait since the dump before and is in another one at the same
// place.
//
// Rule: the two dumps show two objects of one class, and no collection moved the object. An identity hash never
// changes. For addresses, a collection moves all live objects of a region or of a generation, or slides them to lower
// addresses: it moved no object that lies between two others, in one region, that both kept their addresses.
//
// hashes reports for each dump whether it and the one before it show identity hashes instead of addresses.
func noteRenewals(all []life, hashes []bool) {
	changed, some := make([][]exchange, len(hashes)), false
	eachStep(all, func(at int, a, b *Sample) {
		x, y := a.WaitsOn(), b.WaitsOn()
		if x == nil || y == nil || x.Address == y.Address || x.Address == 0 || y.Address == 0 ||
			x.Class != y.Class || !sameWait(a, b) || haveCPU(a, b) {
			return
		}
		changed[at], some = append(changed[at], exchange{x.Address, b}), true
	})
	if !some {
		return
	}
	kept := keptAddresses(all, changed)
	for at, exchanges := range changed {
		for _, e := range exchanges {
			e.after.renewed = hashes[at] || isBetween(e.address, kept[at])
		}
	}
}

// eachStep calls a function with the samples of each thread in two consecutive dumps, and the index of the second.
func eachStep(all []life, do func(at int, a, b *Sample)) {
	for _, l := range all {
		for i := 1; i < len(l.samples); i++ {
			if l.at[i] == l.at[i-1]+1 {
				do(int(l.at[i]), l.samples[i-1], l.samples[i])
			}
		}
	}
}

// sameWait reports whether two samples of a thread show one place and one kind of wait.
func sameWait(a, b *Sample) bool { return a.Stack == b.Stack && a.State == b.State && a.Wait == b.Wait }

// haveCPU reports whether two dumps both have the CPU time of a thread, which shows if it was woken.
func haveCPU(a, b *Sample) bool { return a.CPUTime != Unknown && b.CPUTime != Unknown }

// keptAddresses are, sorted, the addresses of the objects for which a dump and the one before it have the same line in
// the same thread. Only dumps with an exchange count.
func keptAddresses(all []life, changed [][]exchange) [][]uint64 {
	kept := make([][]uint64, len(changed))
	eachStep(all, func(at int, a, b *Sample) {
		if len(changed[at]) == 0 {
			return
		}
		for i := range b.Locks {
			l := &b.Locks[i]
			if l.Address != 0 && slices.ContainsFunc(a.Locks, func(o Lock) bool {
				return o.Address == l.Address && o.Class == l.Class
			}) {
				kept[at] = append(kept[at], l.Address)
			}
		}
	})
	for _, addresses := range kept {
		slices.Sort(addresses)
	}
	return kept
}

// isBetween reports whether an address lies between two of some sorted addresses in the same region.
func isBetween(address uint64, sorted []uint64) bool {
	i, _ := slices.BinarySearch(sorted, address)
	return i > 0 && i < len(sorted) &&
		sorted[i-1]>>regionBits == address>>regionBits && sorted[i]>>regionBits == address>>regionBits
}

// Renewed reports whether a thread is known to have left the wait of the sample before and to be in another one at the
// same place.
func (s *Sample) Renewed() bool { return s.renewed }

// MayBeRenewed reports whether two consecutive dumps may show two waits of a thread whose CPU time is not known: they
// have two objects, and this kind of object is made for each wait. A collection that moved the object looks the same.
func MayBeRenewed(a, b *Sample) bool {
	before, after := a.WaitsOn(), b.WaitsOn()
	return b.renewed || !haveCPU(a, b) && a.Thread.Virtual && before != nil && after != nil &&
		before.Address != after.Address && after.Class == "java.util.concurrent.CompletableFuture$Signaller"
}

const (
	// leastSteady is the number of threads at one place from which the share of renewed waits means something.
	leastSteady = 10
	// steadyShare is the least part of them that must begin another wait within the capture.
	steadyShare = 0.25
	// steadySpread is how many standard deviations chance may add to the threads that keep their waits.
	steadySpread = 2
)

// steadyPlace counts the threads that every dump shows at one place, in waits without a time limit of which each is
// known to be the one of the dump before, or another one.
type steadyPlace struct {
	threads, kept int
	renewed       []int // by dump
}

// findSteady returns the places at which waits end and begin again all the time, over some dumps.
func findSteady(all []life, dumps int) map[*stack.Stack]bool {
	steady, places := map[*stack.Stack]bool{}, map[*stack.Stack]*steadyPlace{}
	for _, l := range all {
		if last := l.samples[len(l.samples)-1]; int(l.at[len(l.at)-1]) == dumps-1 && last.renewed && !last.Timed() {
			places[last.Stack] = &steadyPlace{renewed: make([]int, dumps)}
		}
	}
	if len(places) == 0 {
		return steady
	}
	for _, l := range all {
		p := places[l.samples[0].Stack]
		if p != nil && len(l.samples) == dumps && isKnownThroughout(l.samples) {
			p.add(l.samples)
		}
	}
	for s, p := range places {
		steady[s] = p.steady()
	}
	return steady
}

// isKnownThroughout reports whether a thread stays at one place, and from each dump to the next it is known whether its
// wait is the same.
func isKnownThroughout(samples []*Sample) bool {
	for i := 1; i < len(samples); i++ {
		a, b := samples[i-1], samples[i]
		x, y := a.WaitsOn(), b.WaitsOn()
		same := x != nil && y != nil && x.Address != 0 && x.Address == y.Address
		if !sameWait(a, b) || !b.renewed && !same {
			return false
		}
	}
	return true
}

func (p *steadyPlace) add(samples []*Sample) {
	p.threads++
	keeps := true
	for i, s := range samples {
		if s.renewed {
			p.renewed[i]++
			keeps = false
		}
	}
	if keeps {
		p.kept++
	}
}

// steady reports whether from each dump to the next some threads begin another wait, enough do so in the whole capture,
// and no more keep theirs than if the threads were all alike: threads that are stuck would keep theirs each time.
func (p *steadyPlace) steady() bool {
	n := float64(p.threads)
	if p.threads < leastSteady || n-float64(p.kept) < steadyShare*n {
		return false
	}
	keep := 1.0
	for _, r := range p.renewed[1:] {
		if r == 0 {
			return false
		}
		keep *= 1 - float64(r)/n
	}
	return float64(p.kept) <= n*keep+steadySpread*math.Sqrt(n*keep*(1-keep))
}
