package timeline

const (
	// GroupShare is the least that a thread must use to count in a group.
	GroupShare = 0.05
)

// Dominant is the thread's last sample with the work that most of its samples
// have; on a tie the later one. One between two tasks tells of no work, unless all do.
func (h *History) Dominant() *Sample {
	if s := h.Most(func(s *Sample) bool { return s.Stack.Application != nil }); s != nil {
		return s
	}
	return h.Last()
}
