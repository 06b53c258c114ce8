package form

import (
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/recording"
)

// VirtualOfDump is the entry of the virtual threads of a reading, or of the error. It is empty for a JVM before 21.
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
