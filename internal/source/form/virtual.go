package form

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/threaddump"
)

// MaxVirtualSection bounds, in bytes, the virtual section of a reading: 100,000 threads with different stacks take
// less.
const MaxVirtualSection = 256 << 20

// VirtualEntry is the entry of the virtual threads that were read from a JVM's memory together with a dump of the same
// name: a virtual section (see threaddump), or the error.
func VirtualEntry(name string, section []byte, err error) recording.Entry {
	if err == nil && len(section) > MaxVirtualSection {
		err = fmt.Errorf("the virtual threads take more than %d MB", MaxVirtualSection>>20)
	}
	e := recording.Entry{Kind: recording.Virtual, Name: name, Err: err}
	if err == nil {
		e.Bytes = section
	}
	return e
}

// VirtualOf is the entry of the virtual threads of a reading, nil if it has none.
func VirtualOf(entries []recording.Entry) *recording.Entry {
	i := slices.IndexFunc(entries, func(e recording.Entry) bool { return e.Kind == recording.Virtual })
	if i < 0 {
		return nil
	}
	return &entries[i]
}

// ParseVirtual reads such an entry as far as it is valid, as a recording may be from anyone.
func ParseVirtual(e *recording.Entry, options ...threaddump.Option) (*threaddump.Dump, error) {
	if e.Err != nil {
		return nil, e.Err
	}
	if len(e.Bytes) > MaxVirtualSection {
		return nil, fmt.Errorf("they take more than %d MB", MaxVirtualSection>>20)
	}
	return threaddump.ParseVirtual(e.Bytes, options...)
}
