package redact

import (
	"bytes"
	"slices"
	"strings"
)

// plainProperties are the families of system properties that tell of the JVM and
// the machine's kind, not of its user.
var plainProperties = []string{
	"java.", "jdk.", "sun.", "os.", "file.", "native.", "stdout.", "stderr.", "stdin.", "awt.",
	"path.separator", "line.separator", "user.language", "user.country", "user.timezone",
}

// Properties redacts lines of key=value, as the JVM lists its system properties: every
// value goes but those of the JDK's own, which are redacted as text.
func (r *Redactor) Properties(text []byte) []byte {
	p := r.begin()
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		key, value, found := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte("="))
		end := line[len(bytes.TrimRight(line, "\r\n")):]
		if !found || len(value) == 0 || isPlainProperty(string(key)) {
			out.Write(p.run(line))
			continue
		}
		out.Write(key)
		out.WriteByte('=')
		if isPublic(value) {
			out.Write(value)
		} else {
			out.Write(p.pseudonym("property", value))
		}
		out.Write(end)
	}
	return out.Bytes()
}

func isPlainProperty(key string) bool {
	return strings.HasPrefix(key, "#") || slices.ContainsFunc(plainProperties, func(f string) bool { return strings.HasPrefix(key, f) })
}
