package threaddump

import (
	"bytes"
	"time"
)

// stampOf reads the date and time at the beginning of a log line, as "2026-04-14 02:00:13.402 WARN …" and
// "[2026-04-14T02:00:13,402Z] …". A zone is left out.
func stampOf(line []byte) (time.Time, bool) {
	const day = len(time.DateOnly)
	line = bytes.TrimPrefix(line, []byte("["))
	if len(line) < len(time.DateTime) || line[0] < '0' || line[0] > '9' || line[day] != ' ' && line[day] != 'T' {
		return time.Time{}, false
	}
	end := len(time.DateTime)
	if end < len(line) && (line[end] == '.' || line[end] == ',') {
		for end++; end < len(line) && '0' <= line[end] && line[end] <= '9'; end++ {
		}
	}
	text := bytes.Replace(bytes.Clone(line[:end]), []byte(","), []byte("."), 1)
	text[day] = ' '
	at, err := time.Parse(time.DateTime, string(text))
	return at, err == nil
}

// loggedAt is the time of the current line, else of the line right above it, except for empty ones.
func (r *input) loggedAt() time.Time {
	if at, ok := stampOf(r.raw); ok {
		return at
	}
	if r.loggedLine == r.beforeLine {
		return r.logged
	}
	return time.Time{}
}
