package redact

import "bytes"

// printable is the shortest run of text in binary data that is looked at.
const printable = 6

// Binary redacts the text within binary data, each secret by as many letters: what
// lies behind it stays in its place.
func (r *Redactor) Binary(data []byte) []byte {
	p := r.begin()
	p.fixed = true
	out := bytes.Clone(data)
	p.runsOf(out, 1)
	p.runsOf(out, 2)
	return out
}

// runsOf redacts the runs of printable characters in binary data, which are so many bytes wide:
// the further bytes of a character are zero.
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

// isPrintable reports that data begins with a printable character of that many bytes.
func isPrintable(data []byte, width int) bool {
	return len(data) >= width && data[0] >= ' ' && data[0] < 0x7f && (width == 1 || data[1] == 0)
}
