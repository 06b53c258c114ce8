package classfile

import (
	"slices"
	"strings"
)

// Opaque reports that the program may call what its classes do not show, or by threads that no dump does.
func (a *Ahead) Opaque() bool {
	for _, c := range a.classes {
		if c.callsAny(isOpaque) {
			return true
		}
	}
	return false
}

// callsAny reports that a method of the class calls one of some.
func (c *Class) callsAny(is func(member string) bool) bool {
	return slices.ContainsFunc(c.Methods, func(m Method) bool {
		return slices.ContainsFunc(m.code, func(in instruction) bool { return in.op == opCall && is(in.member) })
	})
}

func isOpaque(member string) bool {
	switch beforeDot(member) {
	case "java.lang.reflect.Method", "java.lang.reflect.Constructor", "java.lang.invoke.MethodHandle", "java.lang.reflect.Proxy", "java.util.ServiceLoader", "java.lang.Thread$Builder$OfVirtual":
		return true
	}
	switch member {
	case "java.lang.Class.forName", "java.lang.Thread.startVirtualThread", "java.lang.Thread.ofVirtual", "java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor":
		return true
	}
	return false
}

// Brings are the ways in which the program has the JDK's own threads bring results, each once: "delay"
// when their time has come, "timeout" when that of others is over, "completion" of tasks into a queue,
// "exit" as a process ends, "http", and "channel" by asynchronous I/O.
func (a *Ahead) Brings() []string {
	var all []string
	for _, c := range a.classes {
		for _, m := range c.Methods {
			for i := range m.code {
				if way := broughtBy(m.code, i); way != "" {
					all = append(all, way)
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func broughtBy(code []instruction, at int) string {
	if code[at].op != opCall {
		return ""
	}
	class, method := beforeDot(code[at].member), afterDot(code[at].member)
	switch {
	case strings.HasPrefix(class, "java.util.concurrent.Scheduled") && method == "schedule" && !(at+1 < len(code) && code[at+1].code == pop),
		class == "java.util.concurrent.CompletableFuture" && method == "delayedExecutor":
		return "delay"
	case class == "java.util.concurrent.CompletableFuture" && isOneOf(" orTimeout completeOnTimeout ", method):
		return "timeout"
	case class == "java.util.concurrent.ExecutorCompletionService" && method == "<init>":
		return "completion"
	case method == "onExit" && strings.HasPrefix(class, "java.lang.Process"):
		return "exit"
	case method == "sendAsync" && class == "java.net.http.HttpClient":
		return "http"
	case strings.HasPrefix(class, "java.nio.channels.Asynchronous"):
		return "channel"
	}
	return ""
}
