package timeline

import (
	"slices"
)

// OnlyServes tells the loops of servers, to which requests come and no answers, that
// had none in any dump.
func (h *History) OnlyServes() bool {
	idle := !slices.ContainsFunc(h.Samples, func(s *Sample) bool { return s.Resting() == nil })
	return idle && h.Idle() && slices.ContainsFunc(serverLoops[:], func(class string) bool {
		return h.Last().Stack.IsInside(class, "run")
	})
}

// serverLoops are the threads of servers that take connections and requests.
var serverLoops = [...]string{
	"sun.net.httpserver.ServerImpl$Dispatcher", "sun.rmi.transport.tcp.TCPTransport$AcceptLoop",
	"org.apache.tomcat.util.net.NioEndpoint$Poller", "org.apache.tomcat.util.net.Acceptor",
}
