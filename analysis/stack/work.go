package stack

// InTheMiddle reports that a stack has begun something: it is a task, what a library has
// called the program for, or has more on it than the method it was started with. A run method
// with one that waits under it may well be a worker's.
func InTheMiddle(s *Stack) bool {
	if s.Root != nil {
		return IsTask(s)
	}
	if CalledForWork(s) {
		return true
	}
	own := s.Program()
	if len(own) < 2 {
		return false
	}
	worker := own[len(own)-1].Method == "run" && !IsOnce(s.Op.Kind)
	return len(own) > 2 || !worker
}

// CalledForWork reports that a library called the program for what the library does: a
// request, a message. Its run methods only start threads for others.
func CalledForWork(s *Stack) bool {
	for i := len(s.Frames) - 1; i > 0; i-- {
		if OriginOf(s.Frames[i-1]) == OfApplication {
			return OriginOf(s.Frames[i]) == OfLibrary && !IsStart(s.Frames[i])
		}
	}
	return false
}
