package threaddump

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Other detectors than those of stuckInfo also report in one line which thread does not end its task and for how long,
// with its stack below:
//
//	TRAS0114W: Request AACR has been running on thread 00000031 for at least 600001.015ms. The following stack   Liberty
//	Blocked system-critical thread has been detected [threadName=sys-stripe-3-#4, blockedFor=12s]                Ignite
//	Stuck Thread: http-thread-pool::http-listener-1(4) for 312345ms                                              Payara
//
// A claim is a word for standing still, the name of a thread and "for" with a time, whatever else the line has.
var (
	claimWord = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(blocked|stuck|hung|frozen|unresponsive|running|active|busy)(?:\b|for=)`)
	})
	claimTime = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)for(?: at least | more than |=| )"?\[?([\d.,]*\d)"?\]? ?` +
			`(ms|milliseconds|s|sec|seconds|min|minutes)\b`)
	})
	claimThread = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\bthreadName=([^,\]]{1,200})|(?i:\bthread):? ` +
			`(?:"([^"]{1,200})"|'([^']{1,200})'|\[([^\]]{1,200})\]|(.{1,200}?)) (?i:for|has|is) `)
	})
)

// claimOf reads a claim: the name of the thread, and Thread.Stuck; nil if the line has none.
func claimOf(line []byte) (name, words []byte) {
	if !mayClaim(line) {
		return nil, nil
	}
	word := claimWord().FindSubmatch(line)
	lasts := claimTime().FindSubmatch(line)
	if word == nil || lasts == nil || !isLong(string(lasts[1]), string(lasts[2])) {
		return nil, nil
	}
	for _, thread := range claimThread().FindAllSubmatch(line, -1) {
		name = bytes.Join(thread[1:], nil)
		if len(name) > 0 && !isVerb(name) {
			words = append(append([]byte("has been "), bytes.ToLower(word[1])...), " for "...)
			words = append(append(append(words, lasts[1]...), ' '), lasts[2]...)
			return name, words
		}
	}
	return nil, nil
}

// mayClaim reports at little cost whether a line may have a claim.
func mayClaim(line []byte) bool {
	if !bytes.Contains(line, []byte("hread")) {
		return false
	}
	for {
		i := bytes.Index(line, []byte("or"))
		if i < 0 || i+len("or ")+1 > len(line) {
			return false
		}
		line = line[i+len("or"):]
		rest := bytes.TrimPrefix(bytes.TrimPrefix(line[1:], []byte("at least ")), []byte("more than "))
		rest = bytes.TrimLeft(rest, `"[`)
		if (line[0] == ' ' || line[0] == '=') && len(rest) > 0 && isDigit(rest[0]) {
			return true
		}
	}
}

// isLong reports whether a time is a second or more: shorter ones are reported of healthy programs too.
func isLong(number, unit string) bool {
	value, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
	if err != nil {
		return false
	}
	if u := strings.ToLower(unit); u == "ms" || u == "milliseconds" {
		value /= float64(time.Second / time.Millisecond)
	}
	return value >= 1
}

// isVerb recognises what follows the word thread where no name does.
func isVerb(name []byte) bool {
	first, _ := cutAt(name, ' ')
	switch string(first) {
	case "has", "is", "was", "may", "that", "which", "pool", "dump", "for", "can", "are", "will":
		return true
	}
	return false
}
