package form

import (
	"fmt"
	"strings"
	"testing"
)

func TestObjectsFromAnywhere(t *testing.T) {
	const latch = `{"kind":"latch","left":2,"waiterIds":[7]}`
	for text, want := range map[string]string{
		"":             "none",
		"{}":           "none",
		`[1]`:          "none",
		`{"format":2}`: "none",
		`{"format":1`:  "none",
		`{"format":1,"executors":[{"workers":"many"}]}`:                                          "none",
		`{"format":1,"later":{"x":1},"synchronizers":[` + latch + `]}`:                           "1 0 0 0",
		`{"format":1,"synchronizers":[{"kind":"latch","left":-1},{"left":1}]}`:                   "0 0 0 0",
		`{"format":1,"synchronizers":[{"kind":"semaphore","left":-1}]}`:                          "1 0 0 0",
		`{"format":1,"executors":[{"kind":"thread-pool","workers":-1}]}`:                         "0 0 0 0",
		`{"format":1,"executors":[{"kind":"x","queue":{"size":-1}}]}`:                            "0 0 0 0",
		`{"format":1,"queues":[{"size":1,"capacity":-1},{"capacity":-2}]}`:                       "0 0 0 1",
		`{"format":1,"futures":[{"kind":"task","state":"NEW"},{"kind":"task"},{"state":"NEW"}]}`: "0 1 0 0",
		`{"format":1,"queues":[` + strings.Repeat("{},", 2<<20) + `{}]}`:                         "none",
	} {
		got := "none"
		if s := ParseObjects([]byte(text)); s != nil {
			got = fmt.Sprint(len(s.Synchronizers), len(s.Futures), len(s.Executors), len(s.Queues))
		}
		if got != want {
			t.Errorf("%.80s: %s, want %s", text, got, want)
		}
	}
}
