package account

import (
	"testing"

	"github.com/jstall/jstall/attach"
)

// What the views ask for is in the table of what may be sent.
func TestViewsAskForWhatMayBeSent(t *testing.T) {
	target := attach.Target{PID: 7, Version: "26.0.1+8", Collector: "G1"}
	for _, v := range views() {
		for _, alternatives := range v.commands {
			for _, command := range alternatives {
				if err := (&attach.Client{}).Refusal(target, attach.Jcmd(command)); err != nil {
					t.Errorf("%s: %v", v.name, err)
				}
			}
		}
	}
}
