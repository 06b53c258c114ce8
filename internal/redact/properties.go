package redact

import (
	"bytes"
)

// Properties redacts lines of key=value, as the JVM lists its system properties. Every value is replaced except those
// of the JDK's own properties, which are redacted as text.
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
		if isPublic(value) || isSetting(value) {
			out.Write(p.run(line))
			continue
		}
		out.Write(key)
		out.WriteByte('=')
		out.Write(p.pseudonym("property", value))
		out.Write(end)
	}
	return out.Bytes()
}
