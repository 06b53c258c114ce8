package live

import (
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/source/form"
)

// What captures ask for is in the table of what may be sent.
func TestCapturesAskForWhatMayBeSent(t *testing.T) {
	target := attach.Target{PID: 7, Version: "26.0.1+8", Collector: "G1"}
	commands := append(slices.Clone(furtherCommands[:]),
		HistogramCommand, HistogramAll, form.HeapInfoCommand, form.CodeCacheCommand, form.LoadersCommand)
	for _, command := range commands {
		if err := (&attach.Client{}).Refusal(target, attach.Jcmd(command)); err != nil {
			t.Error(err)
		}
	}
	for _, cmd := range []attach.Command{
		dumpToFile("json", "/tmp/x"), dumpToFile("plain", "/tmp/x"),
	} {
		if err := (&attach.Client{}).Refusal(target, cmd); err != nil {
			t.Error(err)
		}
	}
}

// The folder of the JVM's temporary files is the JVM's own word: no name of one makes a second command.
func TestAFolderNameMakesNoCommand(t *testing.T) {
	target := attach.Target{PID: 7, Version: "26.0.1+8"}
	for _, path := range []string{"/tmp/a b/x", "/tmp/x\nGC.run", "/tmp/x\tGC.run", "/tmp/x\rGC.run", ""} {
		err := (&attach.Client{}).Refusal(target, dumpToFile("json", path))
		if err == nil || !strings.Contains(err.Error(), "not in the table") {
			t.Errorf("%q: %v", path, err)
		}
	}
}
