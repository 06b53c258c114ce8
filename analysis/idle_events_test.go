package analysis_test

import (
	"slices"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
)

// Threads that wait for events in a native call, and readers of commands, rest: they neither run nor wait for anybody.
func TestEventLoopsAndCommandReadersRest(t *testing.T) {
	for _, test := range []struct {
		name  string
		stack []string
		rests bool
	}{
		{"SWT on GTK",
			[]string{"!org.eclipse.swt.internal.gtk.OS.Call", "org.eclipse.swt.widgets.Display.sleep",
				"app.Shell.loop"}, true},
		{"SWT on Windows", []string{"!org.eclipse.swt.internal.win32.OS.WaitMessage",
			"org.eclipse.swt.widgets.Display.sleep", "app.Shell.loop"}, true},
		{"SWT on macOS", []string{
			"!org.eclipse.swt.internal.cocoa.OS.objc_msgSend_bool", "org.eclipse.swt.internal.cocoa.NSRunLoop.runMode",
			"org.eclipse.swt.widgets.Display.sleep", "app.Shell.loop"}, true},
		{"SWT that calls the application", []string{
			"app.View.paint", "org.eclipse.swt.widgets.Display.windowProc",
			"!org.eclipse.swt.internal.gtk.OS._g_main_context_iteration",
			"org.eclipse.swt.widgets.Display.readAndDispatch", "app.Shell.loop"}, false},
		{"AWT on Windows",
			[]string{"!sun.awt.windows.WToolkit.eventLoop", "sun.awt.windows.WToolkit.run",
				"java.lang.Thread.run"}, true},
		{"JavaFX", []string{"!com.sun.glass.ui.gtk.GtkApplication._runLoop",
			"com.sun.glass.ui.gtk.GtkApplication.lambda$null$450", "java.lang.Thread.run"}, true},
		{"JavaFX that calls the application", []string{"app.Table.sort",
			"com.sun.glass.ui.InvokeLaterDispatcher$Future.run", "!com.sun.glass.ui.gtk.GtkApplication._runLoop"},
			false},
		{"Surefire", []string{
			"!java.io.FileInputStream.readBytes", "java.io.FileInputStream.read", "java.io.DataInputStream.readInt",
			"org.apache.maven.surefire.booter.MasterProcessCommand.decode",
			"org.apache.maven.surefire.booter.CommandReader$CommandRunnable.run", "java.lang.Thread.run"}, true},
		{"a language server", []string{
			"!java.io.FileInputStream.readBytes", "java.io.BufferedInputStream.read",
			"org.eclipse.lsp4j.jsonrpc.json.StreamMessageProducer.listen",
			"org.eclipse.lsp4j.jsonrpc.json.ConcurrentMessageProcessor.run"}, true},
		{"IntelliJ's file watcher", []string{
			"!java.io.FileInputStream.readBytes", "java.io.BufferedInputStream.fill",
			"com.intellij.util.io.BaseInputStreamReader.read",
			"com.intellij.util.io.BaseOutputReader.readAvailableBlocking",
			"com.intellij.util.io.BaseOutputReader.doRun",
			"java.util.concurrent.FutureTask.run", "java.util.concurrent.ThreadPoolExecutor$Worker.run"}, true},
		{"a language server at work", []string{
			"!java.io.FileInputStream.readBytes", "app.Index.load",
			"org.eclipse.lsp4j.jsonrpc.json.StreamMessageProducer.handleMessage",
			"org.eclipse.lsp4j.jsonrpc.json.StreamMessageProducer.listen"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Diagnose(Observe(0, Thread(1, "a", At(test.stack...))))
			if got := r.Threads[0].Idle != ""; got != test.rests {
				t.Errorf("rests: %v, want %v", got, test.rests)
			}
			if s := stack.NewStack(Trace(test.stack...), 0); test.rests && s.Native == stack.Running {
				t.Error("counts as running")
			}
		})
	}
}

// The thread of a window that waits without a time limit in a handler does not rest, also if main runs its loop: that
// is no main which waits for the end of the program.
func TestWindowsThatWaitInAHandlerDoNotRest(t *testing.T) {
	window := []string{"app.View.refresh", "app.View.selected", "org.eclipse.swt.widgets.EventTable.sendEvent",
		"org.eclipse.swt.widgets.Display.runDeferredEvents", "org.eclipse.swt.widgets.Display.readAndDispatch",
		"app.Shell.loop", "app.Shell.main"}
	park := []string{"!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park"}
	for name, wait := range map[string][]string{
		"a child process": {"!java.lang.Object.wait", "java.lang.Object.wait", "java.lang.ProcessImpl.waitFor"},
		"a latch":         append(park, "java.util.concurrent.CountDownLatch.await"),
		"a task": append(park, "java.util.concurrent.FutureTask.awaitDone",
			"java.util.concurrent.FutureTask.get"),
		"a stage":  append(park, "java.util.concurrent.CompletableFuture.join"),
		"a notify": {"!java.lang.Object.wait", "java.lang.Object.wait"},
		"a thread": {"!java.lang.Object.wait", "java.lang.Thread.join"},
	} {
		th := Thread(1, "main", At(slices.Concat(wait, window)...), WaitingState)
		if r := Diagnose(Observe(0, th)); len(r.Findings) == 0 || r.Threads[0].Idle != "" ||
			r.Findings[0].Kind != finding.KindSingleThreadBlocked || r.Findings[0].Culprits[0].Name != "main" {
			t.Errorf("%s: idle %q, %s", name, r.Threads[0].Idle, r.Verdict.Summary)
		}
		th = Thread(1, "main", At(slices.Concat(wait, window[len(window)-1:])...), WaitingState)
		if r := Diagnose(Observe(0, th)); r.Threads[0].Idle == "" || len(r.Findings) > 0 {
			t.Errorf("%s without a handler: idle %q, %s", name, r.Threads[0].Idle, r.Verdict.Summary)
		}
	}
}
