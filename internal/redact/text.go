package redact

// Text redacts text, line by line. It returns its argument if it has no secret.
func (r *Redactor) Text(text []byte) []byte {
	t := r.begin()
	return t.run(text)
}

func (p *pass) run(text []byte) []byte {
	var out []byte
	done := 0
	escapes := holdsEscape(text)
	p.keys = holdsKey(text)
	for at := 0; at < len(text); {
		end, joined := lineEnd(text, at)
		find := p.find
		if joined {
			find = p.findJoined
		}
		if edits := find(text[at:end], escapes); len(edits) > 0 {
			if out == nil {
				out = make([]byte, 0, len(text)+len(text)/4)
			}
			out = append(out, text[done:at]...)
			out = p.replace(out, text[at:end], edits)
			done = end
		}
		at = end + 1
	}
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}
