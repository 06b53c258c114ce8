package redact

import (
	"bytes"
)

// find finds the secrets of a line, in the order of their places.
func (p *pass) find(line []byte, escapes bool) []edit {
	var before []edit // secrets of names in other lines
	if p.inKey || p.keys && holdsKey(line) {
		before = p.keyParts(line)
	}
	if p.open != nil {
		before = append(before, p.findOpen(line)...)
	}
	text := line
	if len(before) > 0 {
		text = without(line, before)
	}
	inFrame := isFrame(text)
	edits := p.findPlain(text, inFrame)
	if len(before) > 0 {
		edits = append(before, edits...)
	}
	if escapes && !inFrame {
		edits = append(edits, p.findEscaped(text, deepest)...)
	}
	if len(before) > 0 {
		for i := range edits {
			edits[i].value = line[edits[i].from:edits[i].to]
		}
	}
	return merge(line, edits)
}

// findOpen finds the value of a name in an earlier line.
func (p *pass) findOpen(line []byte) []edit {
	kind := p.open.kind
	if p.open.form == inColumns {
		return p.findCells(line)
	}
	from, to, after := p.open.next(line)
	p.open = after
	if to <= from || isPublic(line[from:to]) {
		return nil
	}
	return []edit{{from: from, to: to, kind: kind, value: line[from:to]}}
}

// findCells finds the secrets in a row of a table.
func (p *pass) findCells(line []byte) []edit {
	cells, ok := p.open.columns.row(line)
	kind := p.open.kind
	if !ok {
		p.open = nil
	}
	var edits []edit
	for _, c := range cells {
		if !isPublic(line[c.from:c.to]) {
			edits = append(edits, edit{from: c.from, to: c.to, kind: kind, value: line[c.from:c.to]})
		}
	}
	return edits
}

// findEscaped finds the secrets that show when the escapes of a line are decoded, layer by layer.
func (p *pass) findEscaped(line []byte, layers int) []edit {
	d, ok := decode(line)
	if !ok || layers == 0 {
		return nil
	}
	var edits []edit
	if d.changed {
		edits = append(p.findPlain(d.text, false), p.findEscaped(d.text, layers-1)...)
	}
	if d.isQuery {
		edits = append(edits, p.findPlain(bytes.ReplaceAll(d.text, []byte("+"), []byte(" ")), false)...)
	}
	for i := range edits {
		e := &edits[i]
		e.from, e.to, e.order = d.at[e.from], d.at[e.to], e.order+len(line)
	}
	return edits
}

// findPlain finds the secrets of a line that are not escaped.
func (p *pass) findPlain(line []byte, inFrame bool) []edit {
	f := finder{scratch: &p.scratch, line: line, masked: line}
	var set ruleSet
	p.lower = appendLower(p.lower[:0], line)
	f.places = p.r.needles.texts(p.scratch.places[:0], line, p.lower, &set)
	if inFrame {
		f.applyAll(p.r.rules, &set, func(r *Rule) bool { return r.inFrames })
		return f.edits
	}
	f.places = p.r.needles.shapes(f.places, line, &set)
	p.scratch.places = f.places
	if len(f.places) > 0 {
		f.applyAll(p.r.rules, &set, func(*Rule) bool { return true })
	}
	if holdsOption(line) {
		f.options()
	}
	for _, s := range p.known {
		f.word(s)
	}
	if p.open == nil && !p.fixed {
		p.open = f.open
	}
	return f.edits
}

// replace appends a line with pseudonyms for its secrets.
func (p *pass) replace(out, line []byte, edits []edit) []byte {
	done := 0
	for _, e := range edits {
		out = append(out, line[done:e.from]...)
		out = p.appendPseudonym(out, line[e.from:e.to], e)
		done = e.to
	}
	return append(out, line[done:]...)
}
