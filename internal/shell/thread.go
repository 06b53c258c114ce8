package shell

import (
	"regexp"
	"strconv"
	"strings"
)

// Chooser reports whether a thread of that name and native id is chosen; nil chooses all.
type Chooser = func(name string, nid int64) bool

// ThreadFilter reads --thread. Decimal digits and 0x… are a native id. Hex digits without 0x, as printf %x prints them,
// are both a native id and a regular expression over names. All else is a regular expression. nil chooses all threads.
func ThreadFilter(word string) (Chooser, error) {
	if word == "" {
		return nil, nil
	}
	id, only := NativeID(word)
	if only {
		return func(_ string, nid int64) bool { return nid == id }, nil
	}
	re, err := regexp.Compile(word)
	if err != nil {
		return nil, Usage(`--thread 'worker-\d+', or --thread 0x1a2b`, "--thread %q: %v", word, err)
	}
	return func(name string, nid int64) bool { return nid == id || re.MatchString(name) }, nil
}

// NativeID is the native id that a word may mean, -1 for no id; only reports that it cannot mean anything else.
func NativeID(word string) (id int64, only bool) {
	digits, base := word, 10
	if hex, ok := strings.CutPrefix(strings.ToLower(word), "0x"); ok {
		digits, base = hex, 16
	}
	if n, err := strconv.ParseUint(digits, base, 63); err == nil {
		return int64(n), true
	}
	if n, err := strconv.ParseUint(word, 16, 63); err == nil {
		return int64(n), false
	}
	return -1, false
}
