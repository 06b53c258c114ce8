package rewrite

import (
	"errors"
	"fmt"
	"io"

	"github.com/jstall/jstall/internal/jfr"
)

// Copied is what [Copy] wrote.
type Copied struct {
	// events has of each chunk the sum of a number for each event, which depends on its type.
	events []uint64
}

// Chunks is how many there are.
func (c Copied) Chunks() int { return len(c.events) }

// ErrDiffers is of a copy that has other events than it should have.
var ErrDiffers = errors.New("the copy does not have the events of the original")

// Check reads a copy anew: it must have as many chunks, and each as many events of each type, as were written. Events
// and constants must be readable. look sees the bytes of each chunk.
func (c Copied) Check(in io.Reader, look func(chunk []byte)) error {
	r := jfr.NewReader(in)
	for n := 0; ; n++ {
		chunk, err := r.Next()
		if err == io.EOF && n == len(c.events) {
			return nil
		}
		if err != nil && err != io.EOF {
			return err
		}
		if err == io.EOF || n == len(c.events) {
			return fmt.Errorf("%w: chunks", ErrDiffers)
		}
		events, err := sumOf(chunk)
		if err != nil {
			return r.Fail(err)
		}
		if events != c.events[n] {
			return r.Fail(ErrDiffers)
		}
		look(chunk.Data)
	}
}

// sumOf reads all of a chunk, and is the sum for its events.
func sumOf(chunk *jfr.Chunk) (events uint64, err error) {
	if _, err := chunk.Constants(); err != nil {
		return 0, err
	}
	isEvent := func(t *jfr.Type) bool { return t.ID != metadataType && t.ID != checkpointType }
	err = chunk.Events(isEvent, func(t *jfr.Type, in *jfr.Decoder) error {
		events += mixed(uint64(t.ID))
		in.Object(t, nil)
		return in.Err
	})
	return events, err
}

// mixed spreads a number over all 64 bits, so that sums of others are not like it.
func mixed(v uint64) uint64 {
	v += 0x9e3779b97f4a7c15
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}
