package capture

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/threaddump"
)

// maxVirtualSection bounds, in bytes, the virtual section of a reading: 100,000 threads with a stack
// of their own each take less.
const maxVirtualSection = 256 << 20

// VirtualEntry is the entry of the virtual threads that were read from a JVM's memory next to a dump
// of the same name: a virtual section (see threaddump), or why there is none.
func VirtualEntry(name string, section []byte, err error) recording.Entry {
	if err == nil && len(section) > maxVirtualSection {
		err = fmt.Errorf("the virtual threads take more than %d MB", maxVirtualSection>>20)
	}
	e := recording.Entry{Kind: recording.Virtual, Name: name, Err: err}
	if err == nil {
		e.Bytes = section
	}
	return e
}

// virtualOf is the entry of the virtual threads of a reading, nil if it has none.
func virtualOf(entries []recording.Entry) *recording.Entry {
	i := slices.IndexFunc(entries, func(e recording.Entry) bool { return e.Kind == recording.Virtual })
	if i < 0 {
		return nil
	}
	return &entries[i]
}

// withVirtual is the dump of an entry with the virtual threads of its reading: a copy, or the dump itself
// where there is nothing to add. What an entry says that is damaged is why they are missing.
func (o *observer) withVirtual(e recording.Entry, d *threaddump.Dump, text *inputText) *threaddump.Dump {
	v := o.virtual
	if o.virtual = nil; v == nil || d.VirtualListed {
		return d
	}
	section, err := o.parseVirtual(v)
	if section == nil {
		unlisted := *d
		unlisted.VirtualMissing = err.Error()
		return &unlisted
	}
	all := d.WithVirtual(section, bytes.Count(e.Bytes, []byte("\n")))
	if err != nil && all.VirtualMissing == "" {
		all.VirtualMissing = err.Error()
	}
	o.texts.add(text, v.Bytes)
	return all
}

// parseVirtual reads such an entry as far as it goes; a recording may be from anywhere.
func (o *observer) parseVirtual(e *recording.Entry) (*threaddump.Dump, error) {
	if e.Err != nil {
		return nil, e.Err
	}
	if len(e.Bytes) > maxVirtualSection {
		return nil, fmt.Errorf("they take more than %d MB", maxVirtualSection>>20)
	}
	return threaddump.ParseVirtual(e.Bytes, o.reading()...)
}
