package rewrite

// edits are what is to be changed in a part of a chunk, in the order of the part.
type edits struct {
	data     []byte
	from, to int
	all      []edit
}

// edit puts other bytes in the place of those from one place to another.
type edit struct {
	from, to int
	bytes    []byte
}

func (e *edits) replace(from, to int, by []byte) { e.all = append(e.all, edit{from, to, by}) }

// bytes are those of the part with all changes.
func (e *edits) bytes() (b []byte) {
	at := e.from
	for _, c := range e.all {
		b = append(append(b, e.data[at:c.from]...), c.bytes...)
		at = c.to
	}
	return append(b, e.data[at:e.to]...)
}
