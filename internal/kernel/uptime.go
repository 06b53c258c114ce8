package kernel

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"time"
)

// Uptime is the time since the machine's boot, sleep included, on the clock
// that Stat.StartTime counts on. On the live system the clock itself is asked:
// containers may show another uptime file.
func (r *Reader) Uptime() (time.Duration, error) {
	if r.Root == "/proc" {
		return bootClock()
	}
	text, err := readFile(filepath.Join(r.Root, "uptime"))
	if err != nil {
		return 0, err
	}
	first, _, _ := bytes.Cut(text, []byte(" "))
	seconds, err := strconv.ParseFloat(string(bytes.TrimSpace(first)), 64)
	if err != nil || !(seconds >= 0 && seconds < 1e9) { // so that NaN fails too
		return 0, fmt.Errorf("uptime: %q is no number of seconds", clip(text))
	}
	return time.Duration(seconds * float64(time.Second)), nil
}

// Age is how long ago a process with this Stat.StartTime started, given the
// uptime of now. It is never negative.
func Age(uptime time.Duration, startTime uint64) time.Duration {
	return max(0, uptime-ticks(int64(min(startTime, 1<<50))))
}
