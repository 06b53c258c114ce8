package capture

import (
	"bytes"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/threaddump"
)

// withVirtual is the dump of an entry with the virtual threads of its reading: a copy, or the dump itself
// where there is nothing to add. What an entry says that is damaged is why they are missing.
func (o *observer) withVirtual(e recording.Entry, d *threaddump.Dump, text *inputText) *threaddump.Dump {
	v := o.virtual
	if o.virtual = nil; v == nil || d.VirtualListed {
		return d
	}
	section, err := form.ParseVirtual(v, o.reading()...)
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
