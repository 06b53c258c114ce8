package top

// Apply shows a new reading. A reading that comes while the screen is paused is dropped. A reading without a report has
// the reason in its Failure.
func (m *Model) Apply(r Reading) {
	switch {
	case m.paused:
		return
	case r.Report == nil: // it failed, and the one before stays
		if m.now != nil {
			m.now.Failure = r.Failure
		}
		return
	}
	m.now = &r
	if r.Failure == "" { // else the threads are those of an earlier reading
		m.waits.follow(r.At, r.Report)
	}
	m.findings.follow(r.At, r.Report.Findings)
	m.arrange()
}
