package analysis_test

import (
	"testing"

	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
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
			"app.View.paint", "org.eclipse.swt.widgets.Display.windowProc", "!org.eclipse.swt.internal.gtk.OS._g_main_context_iteration",
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
			"!java.io.FileInputStream.readBytes", "java.io.BufferedInputStream.read", "org.eclipse.lsp4j.jsonrpc.json.StreamMessageProducer.listen",
			"org.eclipse.lsp4j.jsonrpc.json.ConcurrentMessageProcessor.run"}, true},
		{"a language server at work", []string{
			"!java.io.FileInputStream.readBytes", "app.Index.load", "org.eclipse.lsp4j.jsonrpc.json.StreamMessageProducer.handleMessage",
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
