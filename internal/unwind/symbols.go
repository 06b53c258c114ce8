package unwind

import (
	"bytes"
	"math"
	"math/bits"
	"sort"

	"github.com/ianlancetaylor/demangle"
)

// Symbols are the functions of a file, or of the kernel.
type Symbols struct {
	functions []function // in the order of their addresses
	names     []byte     // each ends with a zero
}

// function is one symbol. A library has tens of thousands, so it is small.
type function struct {
	begin uint64
	size  uint32 // 0: not known
	name  uint32 // where its name begins in names
}

const (
	// mostName bounds the name of a function, in bytes.
	mostName = 512
	// mostAliases is how many functions with one address are compared.
	mostAliases = 64
)

// name is that of a function.
func (s *Symbols) name(f function) []byte {
	name := s.names[f.name:]
	name = name[:min(len(name), mostName)]
	if end := bytes.IndexByte(name, 0); end >= 0 {
		return name[:end]
	}
	return name
}

// sort puts the functions in the order of their addresses, digit by digit: comparing them takes four times as long.
func (s *Symbols) sort() {
	var highest uint64
	sorted := true
	for i, f := range s.functions {
		highest = max(highest, f.begin)
		sorted = sorted && (i == 0 || s.functions[i-1].begin <= f.begin)
	}
	if sorted {
		return
	}
	const digit = 11 // bits
	from, to := s.functions, make([]function, len(s.functions))
	for shift := 0; shift < bits.Len64(highest); shift += digit {
		var ends [1 << digit]int
		for _, f := range from {
			ends[f.begin>>shift%(1<<digit)]++
		}
		before := 0
		for i, n := range ends {
			ends[i], before = before, before+n
		}
		for _, f := range from {
			at := &ends[f.begin>>shift%(1<<digit)]
			to[*at] = f
			*at++
		}
		from, to = to, from
	}
	s.functions = from
}

// at is the function that an address is in. Of those that begin at one address it is the largest, and the first by
// name. One without a size ends where the next one begins.
func (s *Symbols) at(address uint64) (found function, ok bool) {
	all := s.functions
	end := sort.Search(len(all), func(i int) bool { return all[i].begin > address })
	if end == 0 {
		return function{}, false
	}
	found = all[end-1]
	for i := end - 2; i >= max(0, end-mostAliases) && all[i].begin == found.begin; i-- {
		f := all[i]
		if f.size > found.size || f.size == found.size && bytes.Compare(s.name(f), s.name(found)) < 0 {
			found = f
		}
	}
	return found, found.size == 0 || address-found.begin < uint64(found.size)
}

// readable is the name of the function that an address is in as people write it: that of C++ without arguments.
func (s *Symbols) readable(address uint64) (name string, ok bool) {
	f, ok := s.at(address)
	if !ok {
		return "", false
	}
	return demangle.Filter(string(s.name(f)), demangle.NoParams, demangle.NoTemplateParams), true
}

// sized is the size of a function in the bits that there are for it.
func sized(size uint64) uint32 { return uint32(min(size, math.MaxUint32)) }
