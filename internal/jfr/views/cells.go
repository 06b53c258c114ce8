package views

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/jfr/query"
)

// unknown stands for no value.
const unknown = "N/A"

// Cell is a value of a column as text, in a time zone. A stack has a frame a line.
func Cell(v query.Value, c *query.Column, zone *time.Location) string {
	switch v.Kind {
	case query.Missing:
		return missing(c.Format)
	case query.Truth:
		return strconv.FormatBool(v.Num != 0)
	case query.Whole, query.Real:
		return number(v, c, zone)
	case query.Text:
		return strings.ReplaceAll(v.Text, "\n", " ")
	}
	return v.Text
}

func missing(f query.Format) string {
	if f.Missing == nil {
		return unknown
	}
	switch *f.Missing {
	case "whitespace":
		return ""
	}
	return *f.Missing
}

func number(v query.Value, c *query.Column, zone *time.Location) string {
	switch c.Unit {
	case query.Time:
		return time.Unix(0, v.Num).In(zone).Format("15:04:05")
	case query.Duration:
		return duration(v, c.Format.Milliseconds)
	case query.Bytes:
		return amount(v.Float(), "bytes", "B", 1024)
	case query.Bits:
		return amount(v.Float(), "bits", "bit", 1024)
	case query.ByteRate:
		return amount(v.Float(), "byte/s", "B/s", 1024)
	case query.BitRate:
		return amount(v.Float(), "bps", "bps", 1024)
	case query.Share:
		return fmt.Sprintf("%.2f%%", math.Floor(v.Float()*1e4+0.5)/100)
	case query.Hertz:
		return strings.ReplaceAll(plain(v), ",", "") + " Hz"
	case query.Address:
		return fmt.Sprintf("0x%08X", uint64(v.Num))
	}
	return plain(v)
}

// plain has commas between thousands.
func plain(v query.Value) string {
	if v.Kind == query.Whole {
		return thousands(strconv.FormatInt(v.Num, 10))
	}
	whole, part, _ := strings.Cut(strconv.FormatFloat(v.Float(), 'f', 3, 64), ".")
	if part = strings.TrimRight(part, "0"); part == "" {
		return thousands(whole)
	}
	return thousands(whole) + "." + part
}

// thousands puts commas between them.
func thousands(digits string) string {
	digits, isNegative := strings.CutPrefix(digits, "-")
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	if isNegative {
		return "-" + digits
	}
	return digits
}

const day = 24 * time.Hour

// duration has three digits that count: "2.25 s", "199 ms", "0.0151 ms".
func duration(v query.Value, decimals int) string {
	if v.Kind == query.Whole && v.Num == query.Forever {
		return "Indefinite"
	}
	nanos := rounded(int64(math.Round(v.Float())))
	if decimals >= 0 {
		return fmt.Sprintf("%.*f ms", decimals, float64(nanos)/1e6)
	}
	switch d := time.Duration(nanos); {
	case d == 0:
		return "0 s"
	case d >= day:
		return fmt.Sprintf("%d d %d h", d/day, d%day/time.Hour)
	case d >= time.Hour:
		return fmt.Sprintf("%d h %d m", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%d m %d s", d/time.Minute, d%time.Minute/time.Second)
	case d >= time.Second:
		return digits(float64(nanos)/1e9) + " s"
	}
	return digits(float64(nanos)/1e6) + " ms"
}

// rounded has three digits that count, above a minute whole seconds.
func rounded(nanos int64) int64 {
	step := int64(1)
	for rest := nanos; rest >= 1000 || rest <= -1000; rest /= 10 {
		step *= 10
	}
	if nanos >= int64(time.Minute) {
		step = int64(time.Second)
	}
	return (nanos + step/2) / step * step
}

// digits are three that count.
func digits(x float64) string {
	decimals := 2 - int(math.Floor(math.Log10(math.Abs(x))+1e-9))
	return strconv.FormatFloat(x, 'f', max(0, decimals), 64)
}

// amount is one of bytes or bits, with one decimal above a step.
func amount(x float64, whole, unit string, step float64) string {
	if math.Abs(x) < step {
		return strconv.FormatFloat(math.Trunc(x), 'f', 0, 64) + " " + whole
	}
	prefixes := "kMGTPE"
	at := -1
	for math.Abs(x) >= step && at < len(prefixes)-1 {
		x /= step
		at++
	}
	return strings.Join([]string{strconv.FormatFloat(x, 'f', 1, 64), prefixes[at:at+1] + unit}, " ")
}
