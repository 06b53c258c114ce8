package redact

import "bytes"

// printable is the minimum length of a run of text in binary data for a search in it.
const printable = 6

// Binary redacts the text within binary data. Each pseudonym has as many letters as the secret, so that all other bytes
// keep their places.
func (r *Redactor) Binary(data []byte) []byte {
	p := r.begin()
	p.fixed = true
	out := bytes.Clone(data)
	p.runsOf(out, 1)
	p.runsOf(out, 2)
	return out
}

// runsOf redacts the runs of printable characters in binary data. width is the number of bytes of a character; all
// bytes but the first are zero.
func (p *pass) runsOf(data []byte, width int) {
	for at := 0; at < len(data); {
		end := at
		for isPrintable(data[end:], width) {
			end += width
		}
		if end-at >= printable*width {
			copy(data[at:end], p.run(data[at:end]))
		}
		at = end + 1
	}
}

// isPrintable reports whether data begins with a printable character of that many bytes.
func isPrintable(data []byte, width int) bool {
	return len(data) >= width && data[0] >= ' ' && data[0] < 0x7f && (width == 1 || data[1] == 0)
}
