package facts

import (
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// AtResource names the object that threads wait at; empty where the dump does not.
func AtResource(kind string, s *timeline.Sample) *finding.Resource {
	r := &finding.Resource{Type: kind}
	if l := s.WaitsOn(); l != nil {
		r.Class = l.Class
		if l.Address != 0 {
			r.Address = finding.Hex(l.Address)
		}
	}
	return r
}
