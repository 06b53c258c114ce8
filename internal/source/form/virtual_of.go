package form

import (
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/recording"
)

// VirtualOfDump is the entry of the virtual threads of a reading, or why there is none. A JVM before 21 has none.
func VirtualOfDump(d *hotspot.Dump, err error) []recording.Entry {
	if err == nil && d.Virtual == nil {
		return nil
	}
	var section []byte
	if err == nil {
		section = d.VirtualText()
	}
	return []recording.Entry{VirtualEntry("", section, err)}
}
