package threaddump

import (
	"bytes"
	"regexp"
	"sync"
)

var freezeShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bfreeze of ([\d.,]*\d) ?(ms|s|min)\b`)
})

// cutFreeze returns "has been frozen for 24 s" of "UI freeze of 24s at 09:41:03.871", nil for less than a second.
func cutFreeze(line []byte) []byte {
	if !bytes.Contains(line, []byte("freeze of ")) {
		return nil
	}
	m := freezeShape().FindSubmatch(line)
	if m == nil || !isLong(string(m[1]), string(m[2])) {
		return nil
	}
	return bytes.Join([][]byte{[]byte("has been frozen for"), m[1], m[2]}, []byte(" "))
}
