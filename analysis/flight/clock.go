package flight

import (
	"fmt"
	"time"
)

// local is a moment in the time zone of the JVM.
func (r *Recording) local(m Moment) time.Time {
	return time.Unix(0, int64(m)).In(time.FixedZone("", r.Zone))
}

// Clock is the local time of day, with the date if the recording spans several days: "14:02:10".
func (r *Recording) Clock(m Moment) string {
	if r.local(r.Begin).Format(time.DateOnly) != r.local(r.End).Format(time.DateOnly) {
		return r.local(m).Format(time.DateTime)
	}
	return r.local(m).Format(time.TimeOnly)
}

// From and To are the ends of the recording in RFC 3339, with the time zone of the JVM.
func (r *Recording) From() string { return r.local(r.Begin).Format(time.RFC3339) }

// To is the end of the recording.
func (r *Recording) To() string { return r.local(r.End).Format(time.RFC3339) }

// Between is "14:02:10–14:02:40".
func (r *Recording) Between(from, to Moment) string {
	first, last := r.Clock(from), r.Clock(to)
	if first == last {
		return first
	}
	if r.local(from).Format(time.DateOnly) == r.local(to).Format(time.DateOnly) {
		last = r.local(to).Format(time.TimeOnly)
	}
	return first + "–" + last
}

// When lists some spells: "14:02:10–14:02:40, 14:05:00–14:05:20 and 3 more".
func (r *Recording) When(spells []Spell) string {
	const most = 3
	text := ""
	for i, s := range spells {
		if i == most {
			return text + fmt.Sprintf(" and %d more", len(spells)-most)
		}
		if i > 0 {
			text += ", "
		}
		text += r.Between(max(s.From, r.Begin), min(s.To, r.End))
	}
	return text
}

// Worst is when the worst spell was, and how many more there are: "14:02:10–14:02:40 (and 2 more times)".
func (r *Recording) Worst(spells []Spell) string {
	text := r.When([]Spell{Worst(spells)})
	switch n := len(spells) - 1; n {
	case 0:
	case 1:
		text += " (and once more)"
	default:
		text += fmt.Sprintf(" (and %d more times)", n)
	}
	return text
}
