package timeline

// Moved reports that a thread's stack or state changed over its samples, or that
// it used CPU.
func (f *Timeline) Moved(samples []*Sample) bool {
	for _, s := range samples {
		if s.Stack != samples[0].Stack || s.State != samples[0].State {
			return true
		}
	}
	share := f.History(samples[0]).Share()
	return share.Known && share.Value > 0.1
}
