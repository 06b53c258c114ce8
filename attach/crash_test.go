package attach_test

import (
	"testing"

	"jstall/attach"
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
		{"26-ea+5", 26, true}, {"26-internal+0", 26, true}, {"26+35", 26, false}, {"26.0.1+8", 26, false},
		{"27-ea+1", 27, false}, {"28", 28, false},
		{"", 21, false}, {"", 24, true}, {"", 25, true}, {"", 26, true}, {"", 27, false},
		{"", 0, true}, {"unknown", 0, true}, {"unknown", 25, true}, {"-25", 0, true}, {"25", 21, true},
	} {
		client := &attach.Client{Force: true}
		target := attach.Target{PID: 7, Version: c.version, Major: c.major}
		err := client.Refusal(target, attach.Jcmd(writesThreads+" /tmp/x"))
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
		if err := (&attach.Client{}).Refusal(target, attach.Jcmd(line)); refused != (err != nil) {
			t.Errorf("%q: %v, want it refused: %v", line, err, refused)
		}
	}
}
