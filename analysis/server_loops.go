package analysis

import "slices"

// onlyServes tells the loops of servers, to which requests come and no answers, that
// had none in any dump.
func (h *history) onlyServes() bool {
	idle := !slices.ContainsFunc(h.samples, func(s *Sample) bool { return s.resting() == nil })
	return idle && h.idle() && slices.ContainsFunc(serverLoops[:], func(class string) bool {
		return h.last().Stack.isInside(class, "run")
	})
}

// serverLoops are the threads of servers that take connections and requests.
var serverLoops = [...]string{
	"sun.net.httpserver.ServerImpl$Dispatcher", "sun.rmi.transport.tcp.TCPTransport$AcceptLoop",
	"org.apache.tomcat.util.net.NioEndpoint$Poller", "org.apache.tomcat.util.net.Acceptor",
}
