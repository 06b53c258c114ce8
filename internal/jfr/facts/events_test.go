package facts

import (
	"testing"

	"github.com/jstall/jstall/analysis/detect/recorded"
)

// TestEventsOfFindingsAreRead: a finding from an event that is not read would never come.
func TestEventsOfFindingsAreRead(t *testing.T) {
	if len(recorded.Detector.Events) < 14 {
		t.Fatalf("the findings need %v only", recorded.Detector.Events)
	}
	for _, e := range recorded.Detector.Events {
		if handlerOf["jdk."+e.Name] == nil {
			t.Errorf("nothing reads %s: add it to handlerOf", e.Name)
		}
	}
}
