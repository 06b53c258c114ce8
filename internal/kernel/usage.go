package kernel

import (
	"bytes"
	"fmt"
	"time"
)

// Usage is how much of something limited is in use.
type Usage struct {
	Used, Limit Opt[int64]
}

// share is the part in use, for choosing the tightest of several limits.
func (u Usage) share() float64 {
	if !u.Used.Known || !u.Limit.Known || u.Limit.Value <= 0 {
		return -1
	}
	return float64(u.Used.Value) / float64(u.Limit.Value)
}

// unlimited is from where on a limit in bytes means none: v1 prints the largest
// multiple of a page.
const unlimited = 1 << 60

// isLimit distinguishes a limit from the words for none: "max", "max 100000", "-1", and
// 9223372036854771712.
func isLimit(text []byte) bool {
	first, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte(" "))
	p := numbers{kind: "limit"}
	n := p.decimal(first)
	return p.err == nil && n >= 0 && n < unlimited
}

// limitOf reads a limit, unknown without one.
func limitOf(text []byte) Opt[int64] {
	if !isLimit(text) {
		return Opt[int64]{}
	}
	return number(text)
}

// Pressure is how long work did not proceed for lack of a resource since boot: some
// of it, and all of it at once. Documentation/accounting/psi.rst.
type Pressure struct {
	Some, Full Opt[time.Duration]
}

// Pressures are the three resources'.
type Pressures struct {
	CPU, Memory, IO Pressure
}

func (f Files) pressures(format string) Pressures {
	of := func(what string) Pressure { return parsePressure(f[fmt.Sprintf(format, what)]) }
	return Pressures{CPU: of("cpu"), Memory: of("memory"), IO: of("io")}
}

// parsePressure reads "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234" and the
// line of "full"; the totals are microseconds.
func parsePressure(text []byte) (p Pressure) {
	for line := range bytes.Lines(text) {
		_, total, ok := bytes.Cut(line, []byte("total="))
		us := number(total)
		if !ok || !us.Known {
			continue
		}
		d := Known(time.Duration(us.Value) * time.Microsecond)
		if bytes.HasPrefix(line, []byte("some ")) {
			p.Some = d
		} else if bytes.HasPrefix(line, []byte("full ")) {
			p.Full = d
		}
	}
	return p
}
