package finding

// Candidate is a finding on its way into the report.
type Candidate struct {
	Finding
	// unlisted counts victims beside those that are named: virtual threads like them.
	Unlisted int
	// behind tells effects of it that no list of victims shows, nil if there are none.
	Behind func(effect *Finding) bool
	// elsewhere tells that it is on another JVM than the others.
	Elsewhere bool
}
