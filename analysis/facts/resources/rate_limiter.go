package resources

import (
	"jstall/analysis/timeline"
)

// LimiterKey tells apart rate limiters that threads wait in: by the method of the
// program that asks, as no dump names the limiter. It is empty for all else.
func LimiterKey(s *timeline.Sample) string {
	p := s.Position()
	if p == nil || !p.Not || p.What != "limiter" || s.Stack.Application == nil {
		return ""
	}
	return s.Stack.Application.Name()
}
