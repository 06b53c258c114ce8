package watch

import (
	"encoding/json"
	"time"
)

// eventSchema is the version of Event's JSON form, a public contract.
const eventSchema = 1

// Event is a line of JSON: an event has begun, or has ended. Keys that do not apply are absent.
type Event struct {
	Schema int `json:"schema"`
	// Event is "begin" or "end".
	Event string `json:"event"`
	// ID is the same in both lines of an event.
	ID string `json:"id"`
	// Time is when it began or ended, in RFC 3339 with milliseconds.
	Time string `json:"time"`
	// Trigger is the trigger as the user typed it: "cpu>90%".
	Trigger string `json:"trigger"`
	PID     int    `json:"pid"`
	// Name is the main class or jar of the JVM.
	Name string `json:"name"`
	// Summary states the condition in a sentence; Verdict and Headline are those of the report at the event.
	Summary  string `json:"summary,omitempty"`
	Verdict  string `json:"verdict,omitempty"`
	Headline string `json:"headline,omitempty"`
	// File is the recording; HistorySeconds is how much time before the event the recording covers.
	File           string   `json:"file,omitempty"`
	HistorySeconds *float64 `json:"historySeconds,omitempty"`
	// NotRecorded is why there is no recording.
	NotRecorded string `json:"notRecorded,omitempty"`
	// Seconds is how long the event lasted, and Reason why it ended: "over", "jvm-ended", "stopped" with jstall.
	Seconds *float64 `json:"seconds,omitempty"`
	Reason  string   `json:"reason,omitempty"`
}

// The reasons of an end.
const (
	reasonOver    = "over"
	reasonEnded   = "jvm-ended"
	reasonStopped = "stopped"
)

func stamp(at time.Time) string { return at.Format("2006-01-02T15:04:05.000Z07:00") }

// Line is the event as one line, without its line break.
func (e Event) Line() []byte {
	text, err := json.Marshal(e)
	if err != nil { // it has neither functions nor cycles
		panic(err)
	}
	return text
}

func seconds(d time.Duration) *float64 {
	s := float64(d.Milliseconds()) / 1000
	return &s
}
