package stack

// HasBegunWork reports that the thread is in the middle of some work: it runs a task, a library called the application,
// or the application is deeper than the method that the thread was started with. A run method that calls one method
// which waits may be a worker without work.
func HasBegunWork(s *Stack) bool {
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
