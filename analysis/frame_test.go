package analysis_test

import (
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func TestApplicationFrame(t *testing.T) {
	module := func(f *threaddump.Frame, m string) *threaddump.Frame { f.Module = m; return f }
	frame := func(name string) *threaddump.Frame { return Trace(name)[0] }
	tests := []struct {
		name  string
		stack []*threaddump.Frame
		want  string // empty: none
	}{
		{"the top itself", Trace("shop.Order.reserve", "shop.Main.main"), "shop.Order.reserve"},
		{"below the JDK, by package",
			Trace("!sun.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park",
				"shop.Order$Line.wait"), "shop.Order$Line.wait"},
		{"below the JDK, by module",
			[]*threaddump.Frame{module(frame("org.jcp.xml.Signature.sign"), "java.xml.crypto"),
				frame("shop.Main.main")}, "shop.Main.main"},
		{"a module of the application", []*threaddump.Frame{module(frame("shop.Main.main"), "shop")}, "shop.Main.main"},
		{"below a framework", Trace("io.netty.channel.nio.NioEventLoop.run", "shop.Handler.read"), "shop.Handler.read"},
		{"below generated code", Trace("shop.Main$$Lambda/0x00007f.run", "shop.Main.work"), "shop.Main.work"},
		{"a name that only looks like a package", Trace("javaish.Main.main"), "javaish.Main.main"},
		{"wholly inside a framework",
			Trace("java.lang.Object.wait", "org.apache.tomcat.util.net.NioEndpoint$Poller.run",
				"java.lang.Thread.run"), ""},
		{"no frames", nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if f := stack.ApplicationFrame(test.stack); f != nil {
				got = f.Name()
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// The frame that stands for a thread is the application's, else a library's, never a parked one of the JDK.
func TestFrameThatRepresentsAThread(t *testing.T) {
	for _, test := range []struct {
		name, want string
		stack      []string
	}{
		{"the application", "shop.Order.pay",
			[]string{"!jdk.internal.misc.Unsafe.park", "org.quartz.core.Job.run", "shop.Order.pay"}},
		{"a library", "org.quartz.core.QuartzSchedulerThread.run",
			[]string{"!java.lang.Object.wait", "org.quartz.core.QuartzSchedulerThread.run"}},
		{"an agent below the application", "shop.Order.pay",
			[]string{"org.glowroot.agent.Weave.on", "org.zeroturnaround.javarebel.Hook.call", "shop.Order.pay"}},
		{"a look and feel", "shop.Window.show", []string{"com.formdev.flatlaf.ui.FlatButtonUI.paint",
			"javax.swing.JComponent.paint", "shop.Window.show"}},
		{"the JDK alone", "", []string{"!jdk.internal.misc.Unsafe.park",
			"java.util.concurrent.ThreadPoolExecutor.getTask", "java.lang.Thread.run"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Diagnose(Observe(0, Thread(1, "a", At(test.stack...)))).Threads[0].Frame; got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestWhatThreadsWaitFor(t *testing.T) {
	parked := func(class string, frames ...string) Part {
		return func(th *threaddump.Thread) {
			th.State, th.StateDetail, th.Condition = threaddump.Waiting, "parking", "waiting on condition"
			th.Stack = Trace(append([]string{"!jdk.internal.misc.Unsafe.park"}, frames...)...)
			if class != "" {
				LockOn(th, threaddump.Parking, 0xa, class)
			}
		}
	}
	const aqs = "java.util.concurrent.locks.AbstractQueuedSynchronizer."
	tests := []struct {
		name string
		part Part
		want stack.WaitKind
	}{
		{"running", At("App.run"), stack.Running},
		{"monitor entry", BlockedOn(0xa), stack.WaitMonitor},
		{"monitor entry without its line", func(th *threaddump.Thread) {
			th.State, th.Condition = threaddump.Blocked, "waiting for monitor entry"
		}, stack.WaitMonitor},
		{"a monitor that was handed over", Handed(0xa), stack.Running},
		{"Object.wait", Waiting(0xa), stack.WaitNotify},
		{"Object.wait without its line", func(th *threaddump.Thread) {
			th.State, th.Condition = threaddump.Waiting, stack.InObjectWait
		}, stack.WaitNotify},
		{"back from wait on JDK 8", func(th *threaddump.Thread) {
			Waiting(0xa)(th)
			th.State = threaddump.Blocked
		}, stack.WaitMonitor},
		{"sleep", Sleeping, stack.WaitSleep},
		{"reentrant lock", ParkedFor(0xa), stack.WaitExclusive},
		{"read lock", parked("java.util.concurrent.locks.ReentrantReadWriteLock$FairSync", aqs+"acquireShared"),
			stack.WaitShared},
		{"write lock", parked("java.util.concurrent.locks.ReentrantReadWriteLock$FairSync", aqs+"acquire"),
			stack.WaitExclusive},
		{"stamped read lock",
			parked("java.util.concurrent.locks.StampedLock",
				"java.util.concurrent.locks.StampedLock.acquireRead"), stack.WaitShared},
		{"own synchronizer", parked("app.Mutex$Sync", aqs+"acquireQueued", aqs+"acquire"), stack.WaitExclusive},
		{"own shared synchronizer", parked("app.Gate$Sync", aqs+"doAcquireSharedInterruptibly"), stack.WaitSignal},
		{"semaphore", parked("java.util.concurrent.Semaphore$NonfairSync", aqs+"acquireShared"), stack.WaitPermit},
		{"latch", parked("java.util.concurrent.CountDownLatch$Sync"), stack.WaitSignal},
		{"condition", parked("java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject"),
			stack.WaitCondition},
		{"future", parked("java.util.concurrent.CompletableFuture$Signaller"), stack.WaitFuture},
		{"hand-over", parked("java.util.concurrent.SynchronousQueue$TransferStack"), stack.WaitHandoff},
		{"idle worker", parked("java.util.concurrent.ForkJoinPool"), stack.WaitWork},
		{"bare park", parked(""), stack.WaitPark},
		{"park on a text", parked("java.lang.String"), stack.WaitPark},
		{"socket read", At("!sun.nio.ch.SocketDispatcher.read0", "App.run"), stack.WaitIO},
		{"selector", At("!sun.nio.ch.EPoll.wait", "App.run"), stack.WaitSelect},
		{"native code that computes", At("!java.util.zip.Deflater.deflateBytesBytes", "App.run"), stack.Running},
		{"a carrier of 21", func(th *threaddump.Thread) {
			th.State, th.Condition = threaddump.StateUnknown, ""
		}, stack.WaitUnknown},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := timeline.NewSnapshot(Saved(Dump(Thread(1, "t", test.part))), 0, timeline.NewInterner())
			if got := s.Samples[0].Wait; got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}

// A thread that calls a lambda whose class is still being initialised is in no method of the lambda yet.
func TestACallerOfALambdaIsAtTheCall(t *testing.T) {
	const lambda = "Drugs$$Lambda/0x00007f0d78001210.apply"
	pipeline := []string{"java.util.stream.ReferencePipeline$3$1.accept",
		"java.util.concurrent.ForkJoinWorkerThread.run"}
	for _, c := range []struct {
		frames []string
		want   string
	}{
		{append([]string{lambda}, pipeline...), lambda},
		{append([]string{"java.util.Map.get", lambda}, pipeline...), ""},
		{append([]string{"java.util.stream.Collectors$$Lambda/0x1.apply"}, pipeline...), ""},
		{[]string{lambda, "Drugs.load"}, "Drugs.load"},
	} {
		r := Diagnose(Observe(0, Thread(1, "a", At(c.frames...))))
		if got := r.Threads[0].Frame; got != c.want {
			t.Errorf("%q: %q, want %q", c.frames[0], got, c.want)
		}
	}
}
