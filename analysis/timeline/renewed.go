package timeline

import "slices"

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
