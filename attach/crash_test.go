package attach_test

import (
	"runtime"
	"testing"

	"github.com/jstall/jstall/attach"
)

const writesThreads = "Thread.dump_to_file"

// Releases with the bug are refused, and those that may have it.
func TestReleasesThatADumpToFileCrashes(t *testing.T) {
	for _, c := range []struct {
		version string
		major   int
		refused bool
	}{
		{"1.8.0_504", 8, false}, {"17.0.13+11", 17, false}, {"21.0.5+11", 21, false}, {"21-ea+3", 21, false},
		{"22.0.2+9", 22, false}, {"23.0.1+11", 23, false},
		{"24+36", 24, true}, {"24.0.2+12", 24, true}, {"24-ea+1", 24, true},
		{"25+36", 25, true}, {"25.0.1+8", 25, true}, {"25.0.5+9", 25, true}, {"25.0.99+1", 25, true},
		{"25-ea+12", 25, true}, {"25-internal", 25, true},
		{"26-ea+5", 26, true}, {"26-internal+0", 26, true},
		{"26.0.1-ea+2", 26, false}, {"26+35", 26, false}, {"26.0.1+8", 26, false},
		{"27-ea+1", 27, false}, {"28", 28, false},
		{"", 21, false}, {"", 24, true}, {"", 25, true}, {"", 26, true}, {"", 27, false},
		{"", 0, true}, {"unknown", 0, true}, {"unknown", 25, true}, {"-25", 0, true}, {"25", 21, true},
	} {
		client := &attach.Client{Force: true}
		target := attach.Target{PID: 7, Version: c.version, Major: c.major}
		err := client.Refusal(target, attach.Jcmd(writesThreads+" -format=json /tmp/x"))
		if c.refused != (err != nil) {
			t.Errorf("%q, %d: %v, want it refused: %v", c.version, c.major, err, c.refused)
		}
		if err != nil {
			wantError(t, err, attach.CodeCrash)
		}
	}
}

// A request is refused wherever the JVM would find the command in it.
func TestACommandThatCrashesIsFoundInEveryLine(t *testing.T) {
	target := attach.Target{PID: 7, Version: "25.0.5+9", Major: 25}
	for line, refused := range map[string]bool{
		writesThreads: true, writesThreads + " -format=json /tmp/x": true, "  \t" + writesThreads + "\t/tmp/x": true,
		"VM.version\n" + writesThreads + " /tmp/x": true, "VM.version\n\v\f\r " + writesThreads: true,
		"\u00a0" + writesThreads: true, "\x85" + writesThreads + "\xa0/tmp/x": true, writesThreads + "\n": true,
		"": false, "\n": false, "help " + writesThreads: false, "GC.heap_dump " + writesThreads: false,
		"Thread.print -l": false, "Thread.dump_to_files": false,
	} {
		if err := (&attach.Client{}).Refusal(target, attach.Typed(line)); refused != (err != nil) {
			t.Errorf("%q: %v, want it refused: %v", line, err, refused)
		}
	}
}

// Bugs that need a garbage collector, a processor or an option are those of the JVMs and requests with it alone.
func TestConditionsOfCrashes(t *testing.T) {
	const histogram, dump = "GC.class_histogram", "GC.heap_dump /tmp/x"
	shenandoah := attach.Target{PID: 7, Collector: "Shenandoah"}
	by := func(options ...string) attach.Target { return attach.Target{PID: 7, Options: options} }
	for _, c := range []struct {
		target  attach.Target
		version string
		line    string
		refused bool
	}{
		{shenandoah, "17.0.13+11", histogram, true}, {shenandoah, "17.0.13+11", dump, true},
		{shenandoah, "21.0.6+7", histogram, true}, {shenandoah, "21.0.7+6", histogram, false},
		{shenandoah, "21.0.7-ea+2", histogram, true}, {shenandoah, "21.0.8-ea+2", histogram, false},
		{shenandoah, "21.0.13.0.3+1", histogram, false}, {shenandoah, "21-ea+1", histogram, true},
		{shenandoah, "23.0.2+7", histogram, true}, {shenandoah, "24-ea+3", histogram, true},
		{shenandoah, "24+36", histogram, false}, {shenandoah, "1.8.0_504", histogram, true},
		{shenandoah, "", histogram, true},
		{shenandoah, "17.0.13+11", histogram + " -all", false},
		{shenandoah, "17.0.13+11", histogram + " -all=true", false},
		{shenandoah, "17.0.13+11", histogram + " -all=false", true},
		{shenandoah, "17.0.13+11", histogram + " -parallel=2", true},
		{shenandoah, "17.0.13+11", "VM.version\n" + histogram, true},
		{shenandoah, "17.0.13+11", "Thread.print", false},
		{attach.Target{PID: 7, Collector: "G1"}, "17.0.13+11", histogram, false},
		{attach.Target{PID: 7}, "17.0.13+11", histogram, true},
		{by("-XX:+UseShenandoahGC"), "17.0.13+11", histogram, true}, {by("-Xmx1g"), "17.0.13+11", histogram, false},
		{attach.Target{PID: 7, Options: []string{"-Xmx1g"}, Unread: []string{"args"}}, "17.0.13+11", histogram, true},
		{by("-Xmx1g"), "11.0.28+6", "VM.native_memory scale=1", true},
		{by("-Xmx1g"), "11.0.28+6", "VM.native_memory summary scale=KB", true},
		{by("-Xmx1g"), "11.0.28+6", "VM.native_memory summary", false},
		{by("-Xmx1g"), "17.0.13+11", "VM.native_memory scale=1", false},
		{by("-Xmx1g"), "11.0.28+6", "Compiler.CodeHeap_Analytics all", true},
		{by("-Xmx1g"), "17.0.13+11", "Compiler.CodeHeap_Analytics", false},
		{by("-Xmx1g"), "25.0.2+10", "JFR.start", runtime.GOARCH == "arm64"},
		{by("-Xmx1g"), "25.0.3+9", "JFR.start", false},
	} {
		c.target.Version = c.version
		err := (&attach.Client{Force: true}).Refusal(c.target, attach.Typed(c.line))
		if c.refused != (err != nil) {
			t.Errorf("%+v, %q: %v, want it refused: %v", c.target, c.line, err, c.refused)
		}
	}
}
