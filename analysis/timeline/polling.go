package timeline

// Turns is how often the thread was given a CPU in the capture, 0 if unknown.
func (h *History) Turns() int64 {
	first, last := h.Samples[0].Turns, h.Last().Turns
	if first == Unknown || last == Unknown {
		return 0
	}
	return last - first
}
