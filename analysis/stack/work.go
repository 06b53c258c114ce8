package stack

// CalledForWork reports that a library called the application with work, such as a request or a message. The run
// methods of libraries do not count: they only start threads.
func CalledForWork(s *Stack) bool {
	for i := len(s.Frames) - 1; i > 0; i-- {
		if OriginOf(s.Frames[i-1]) == OfApplication {
			return OriginOf(s.Frames[i]) == OfLibrary && !IsStart(s.Frames[i])
		}
	}
	return false
}
