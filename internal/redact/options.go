package redact

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// options finds the values of -Dkey=value with the same rules as Properties: "jvm_args: -Xmx32m -Dour.own=thing".
func (f *finder) options() {
	spaced := isOptionList(f.line)
	for at := 0; ; {
		i := bytes.Index(f.masked[at:], optionMark)
		if i < 0 {
			return
		}
		from := at + i
		at = from + len(optionMark)
		key, rest, hasValue := bytes.Cut(f.line[at:], []byte("="))
		if !hasValue || bytes.ContainsAny(key, " \t\"'") ||
			from > 0 && !bytes.ContainsAny(f.line[from-1:from], " \t\"'=:[,") {
			continue
		}
		within := byte(0)
		if from > 0 {
			within = f.line[from-1]
		}
		skip, value := optionValue(rest, within, spaced)
		begin := at + len(key) + 1 + skip
		at = begin + len(value)
		if !isPlainProperty(string(key)) && !isSetting(value) {
			f.add("property", begin, at)
		}
	}
}

// isOptionList recognises the lines in which the JVM joins options by blanks, even if the options have blanks: hs_err,
// VM.command_line, and the counter with them.
func isOptionList(line []byte) bool {
	for _, begin := range [...]string{"-", "jvm_args:", "Command Line:"} {
		if bytes.HasPrefix(line, []byte(begin)) {
			return true
		}
	}
	return false
}

// optionValue finds the value at the beginning of a text, after an opening quote that is skipped. In a list of options,
// and within a quote around the option, it ends at the next option of the JVM. In quotes it ends with them. Otherwise
// it ends at the next blank or quote.
func optionValue(text []byte, within byte, spaced bool) (skip int, value []byte) {
	switch {
	case spaced:
		return 0, upToOption(text)
	case isQuote(within):
		return 0, upToOption(upTo(text, string(within)))
	case len(text) > 0 && isQuote(text[0]):
		return 1, upTo(text[1:], string(text[0]))
	}
	if end := bytes.IndexAny(text, " \t\"'"); end >= 0 {
		return 0, text[:end]
	}
	return 0, text
}

// jvmOption matches the beginning of an option of the JVM. Other text with a dash belongs to the value before it. It is
// compiled on first use, as most runs do not need it.
var jvmOption = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\A-(?:[DX]|(?:agentlib|agentpath|javaagent|splash):|` +
		`(?:cp|classpath|jar|server|client|verbose|ea|da|esa|dsa|(?:en|dis)able(?:system)?assertions)(?:[ :]|$)|` +
		`-(?:add-(?:modules|opens|exports|reads)|(?:upgrade-)?module-path|class-path|limit-modules|patch-module|` +
		`finalization|enable-(?:preview|native-access)|illegal-(?:native-)?access|` +
		`sun-misc-unsafe-memory-access)(?:[ =]|$))`)
})

// upToOption returns the text before the next option of the JVM in a list, or the whole text.
func upToOption(text []byte) []byte {
	for at := range text {
		if text[at] == ' ' && jvmOption().Match(text[at+1:]) {
			return text[:at]
		}
	}
	return text
}

// upTo returns the text before an end, or the whole text.
func upTo(text []byte, end string) []byte {
	before, _, _ := bytes.Cut(text, []byte(end))
	return before
}

// optionMark begins a system property on a command line.
var optionMark = []byte("-D")

// holdsOption reports whether a line contains the mark. Most lines have dashes, few have a D.
func holdsOption(line []byte) bool {
	for at := bytes.IndexByte(line, 'D'); at >= 0; {
		if at > 0 && line[at-1] == '-' {
			return true
		}
		next := bytes.IndexByte(line[at+1:], 'D')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return false
}

// isSetting recognises a small number, a size or a time: "3600", "512m", "30s", "1.5".
func isSetting(value []byte) bool {
	const most = 5 // digits
	rest := bytes.TrimLeft(value, "0123456789.")
	if n := len(value) - len(rest); n == 0 || n > most {
		return false
	}
	switch string(bytes.ToLower(rest)) {
	case "", "%", "ms", "s", "m", "h", "d", "b", "k", "g", "kb", "mb", "gb", "sec", "min":
		return true
	}
	return false
}

func isPlainProperty(key string) bool {
	return strings.HasPrefix(key, "#") ||
		slices.ContainsFunc(plainProperties, func(f string) bool { return strings.HasPrefix(key, f) })
}

// plainProperties are the families of system properties that describe the JVM and the kind of machine, not the user.
var plainProperties = []string{
	"java.", "jdk.", "sun.", "os.", "file.", "native.", "stdout.", "stderr.", "stdin.", "awt.",
	"path.separator", "line.separator", "user.language", "user.country", "user.timezone",
}
