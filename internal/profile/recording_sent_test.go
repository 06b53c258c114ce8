package profile

import (
	"testing"
	"time"

	"github.com/jstall/jstall/attach"
)

// What a flight recording asks for is in the table of what may be sent.
func TestRecordingsAskForWhatMayBeSent(t *testing.T) {
	to := attach.Target{PID: 7, Version: "26.0.1+8", Collector: "G1"}
	for _, cmd := range []attach.Command{
		startRecording("x", "/tmp/x", "/tmp/y", time.Second),
		attach.Jcmd("JFR.check"), attach.Jcmd("JFR.stop name=x"),
	} {
		if err := (&attach.Client{}).Refusal(to, cmd); err != nil {
			t.Error(err)
		}
	}
}
