package stack

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/threaddump"
)

// frames are a stack of "CLASS METHOD", innermost first.
func frames(names ...string) []*threaddump.Frame {
	all := make([]*threaddump.Frame, len(names))
	for i, name := range names {
		class, method, _ := strings.Cut(name, " ")
		all[i] = &threaddump.Frame{Class: class, Method: method, Text: name}
	}
	return all
}

// Between a dispatcher and the listener that it calls may be frames of lambdas, proxies, accessors, reflection and
// iterations. Below the start of a thread is no dispatcher.
func TestCalledForWorkThroughOtherFrames(t *testing.T) {
	const listener, dispatch = "App onMessage", "com.hazelcast.topic.impl.TopicService dispatchEvent"
	for through, want := range map[string]bool{
		"": true,
		"com.hazelcast.topic.impl.TopicService lambda$dispatchEvent$1":                                true,
		"App$$Lambda$13/0x7f onMessage; com.hazelcast.topic.impl.TopicService$$Lambda$14/0x7f run":    true,
		"jdk.proxy2.$Proxy7 onMessage; com.hazelcast.topic.impl.TopicService access$000":              true,
		"java.util.concurrent.CopyOnWriteArrayList forEach":                                           true,
		"com.hazelcast.Topics lambda$all$0; java.util.ArrayList forEach; com.hazelcast.Topics all":    true,
		"java.util.stream.ForEachOps$ForEachOp$OfRef accept; java.util.stream.ReferencePipeline each": true,
		"java.security.AccessController executePrivileged":                                            true,
		"java.util.concurrent.CompletableFuture postComplete":                                         true,
		"org.apache.kafka.Broker $anonfun$call$1":                                                     true,
		"com.hazelcast.Worker run; java.lang.Thread run":                                              false,
		"com.hazelcast.Worker lambda$start$0; java.lang.Thread run":                                   false,
		"com.hazelcast.Worker access$100; com.hazelcast.Worker$1 run; java.lang.Thread run":           false,
		"java.util.ArrayList forEach; java.lang.Thread run":                                           false,
		"java.util.HashMap get": false,
	} {
		names := []string{listener}
		if through != "" {
			names = append(names, strings.Split(through, "; ")...)
		}
		if got := CalledForWork(NewStack(frames(append(names, dispatch)...), 0)); got != want {
			t.Errorf("%q: %v", through, got)
		}
	}
}
