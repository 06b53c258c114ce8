package unwind

import (
	"bytes"
	"cmp"
	"math"
	"slices"

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

// mostName bounds the name of a function, in bytes.
const mostName = 512

// name is that of a function.
func (s *Symbols) name(f function) []byte {
	name := s.names[f.name:]
	name = name[:min(len(name), mostName)]
	if end := bytes.IndexByte(name, 0); end >= 0 {
		return name[:end]
	}
	return name
}

// sort puts the functions in order. Of those that begin at one address the largest is first, then the alphabet decides.
func (s *Symbols) sort() {
	slices.SortFunc(s.functions, func(a, b function) int {
		switch {
		case a.begin != b.begin:
			return cmp.Compare(a.begin, b.begin)
		case a.size != b.size:
			return cmp.Compare(b.size, a.size)
		}
		return bytes.Compare(s.name(a), s.name(b))
	})
}

// at is the function that an address is in. One without a size ends where the next one begins.
func (s *Symbols) at(address uint64) (f function, ok bool) {
	all := s.functions
	byBegin := func(f function, at uint64) int { return cmp.Compare(f.begin, at) }
	i, exact := slices.BinarySearchFunc(all, address, byBegin)
	if !exact {
		i--
	}
	for ; i > 0 && all[i-1].begin == all[i].begin; i-- {
	}
	if i < 0 || all[i].size != 0 && address-all[i].begin >= uint64(all[i].size) {
		return function{}, false
	}
	return all[i], true
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
