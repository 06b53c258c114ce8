package render

import (
	"fmt"
	"github.com/jstall/jstall/analysis/finding"
	"strings"
)

// unknown is shown for a value that the report does not have.
const unknown = "-"

// duration formats seconds: 0.45 ms, 45 ms, 1.23 s, 3 m 12 s, 5 h 3 m, 12 d 4 h.
func duration(seconds float64) string {
	switch {
	case seconds == 0:
		return "0 s"
	case seconds < 0.01:
		return fmt.Sprintf("%.2f ms", seconds*1000)
	case seconds < 0.9995:
		return fmt.Sprintf("%.0f ms", seconds*1000)
	case seconds < 59.995:
		return fmt.Sprintf("%.2f s", seconds)
	}
	return twoUnits(int64(seconds + 0.5))
}

func twoUnits(seconds int64) string {
	switch {
	case seconds < 3600:
		return fmt.Sprintf("%d m %d s", seconds/60, seconds%60)
	case seconds < 48*3600:
		return fmt.Sprintf("%d h %d m", seconds/3600, seconds/60%60)
	}
	return fmt.Sprintf("%d d %d h", seconds/86400, seconds/3600%24)
}

// optDuration is duration, or "-" if unknown.
func optDuration(seconds *float64) string {
	if seconds == nil {
		return unknown
	}
	return duration(*seconds)
}

// byteSize writes a size in units of 1024, as HotSpot counts them: 512 B, 3.4 MB.
func byteSize(n float64) string {
	units := []string{"B", "KB", "MB", "GB", "TB", "PB"}
	i := 0
	for n >= 1023.95 && i < len(units)-1 {
		n /= 1024
		i++
	}
	if i == 0 || n >= 99.95 {
		return fmt.Sprintf("%.0f %s", n, units[i])
	}
	return fmt.Sprintf("%.1f %s", n, units[i])
}

func optBytes(n *int64) string {
	if n == nil {
		return unknown
	}
	return byteSize(float64(*n))
}

// percent formats a share of one core: 99.8, 0.0; a small share that is not zero is <0.1.
func percent(p float64) string {
	if p > 0 && p < 0.05 {
		return "<0.1"
	}
	return fmt.Sprintf("%.1f", p)
}

func optPercent(p *float64) string {
	if p == nil {
		return unknown
	}
	return percent(*p)
}

// cores writes a percentage of one core as a number of cores: 2.31.
func cores(percent float64) string {
	return fmt.Sprintf("%.2f", percent/100)
}

// count formats a number with separators between thousands: 12,345.
func count(n int) string { return finding.Thousands(n) }

// counted is a number with its noun: "1 thread", "12 threads".
func counted(n int, noun string) string { return finding.Counted(n, noun) }

// countedAs is counted for a noun with an irregular plural.
func countedAs(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// nativeID formats a kernel thread id as in top -H and as in older dumps: "3311 (0xcef)".
func nativeID(n int64) string {
	if n == 0 {
		return unknown
	}
	return fmt.Sprintf("%d (0x%x)", n, n)
}

// orUnknown is s, or "-" if s is blank.
func orUnknown(s string) string {
	if strings.TrimSpace(s) == "" {
		return unknown
	}
	return s
}
