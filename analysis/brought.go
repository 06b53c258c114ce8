package analysis

import "slices"

// bringers are the classes of the JDK, 8 to 28, in which its threads stand that bring results by
// themselves as long as the program has asked for some. One that runs what is due after a delay is
// none of them: it may have been given no result to bring.
var bringers = [...]string{
	"java.lang.ProcessHandleImpl",
	"jdk.internal.net.http.HttpClientImpl$SelectorManager",
	"sun.nio.ch.EPollPort",
	"sun.nio.ch.KQueuePort",
}

// mayBeBrought reports that a thread waits for a result, and that a thread of the JDK may bring it.
func (f *facts) mayBeBrought(s *Sample) bool {
	return s.Stack.op.kind == opResult && slices.ContainsFunc(f.alive(), func(h *history) bool {
		return slices.ContainsFunc(bringers[:], func(class string) bool { return h.last().Stack.isInside(class, "") })
	})
}
