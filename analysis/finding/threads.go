package finding

import (
	"cmp"
	"math"

	"jstall/threaddump"
)

// Rounded keeps the digits that were measured.
func Rounded(v, perUnit float64) *float64 {
	v = math.Round(v*perUnit) / perUnit
	return &v
}

func (r *ThreadRef) SetFrame(frame *threaddump.Frame) {
	if frame != nil {
		r.Frame, r.File, r.Line = frame.Name(), frame.File, frame.Line
	}
}

func CompareRefs(a, b ThreadRef) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID), cmp.Compare(a.NativeID, b.NativeID))
}
