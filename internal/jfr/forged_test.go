package jfr

import (
	"bytes"
	"errors"
	"testing"

	"github.com/jstall/jstall/internal/jfr/jfrtest"
)

// numbers is a type that nothing uses.
var numbers = []jfrtest.Class{{ID: 1, Name: "long"}}

// constantsOf reads the constants of a forged chunk.
func constantsOf(t *testing.T, data []byte) error {
	t.Helper()
	chunk, err := NewReader(bytes.NewReader(data)).Next()
	if err != nil {
		t.Fatal(err)
	}
	_, err = chunk.Constants()
	return err
}

// TestConstantsInACircle: each of two places says that the other was before it.
func TestConstantsInACircle(t *testing.T) {
	var places []byte
	for _, before := range []int64{20, -20} {
		place := []byte{20, 1, 0, 0}
		for shift := range 8 {
			place = append(place, byte(before>>(7*shift))|0x80)
		}
		places = append(places, append(place, byte(before>>56), 0, 0, 0, 0, 0, 0, 0)...)
	}
	if err := constantsOf(t, jfrtest.Chunk(numbers, nil, places)); !errors.Is(err, ErrForged) {
		t.Error(err)
	}
}

// TestConstantsOverOneAnother: places that have the same bytes would be read as often as there are
// places.
func TestConstantsOverOneAnother(t *testing.T) {
	const places, size = 20, 1000
	event := make([]byte, size) // of no constants
	one := jfrtest.Sized(event)[:4]
	var pools []byte
	for left := places; left > 0; left-- {
		next := byte(len(one) + 6)
		if left == 1 {
			next = 0
		}
		pools = append(append(pools, one...), 1, 0, 0, next, 1, 0)
	}
	if err := constantsOf(t, jfrtest.Chunk(numbers, nil, append(pools, event...))); !errors.Is(err, ErrForged) {
		t.Error(err)
	}
}
