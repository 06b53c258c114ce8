package threaddump

import "errors"

// ParseVirtual reads a virtual section that is alone: a Dump of virtual threads only. It returns
// ErrNoDump if b does not begin with one. A section that is cut, forged or damaged is read as
// far as it goes, as a text dump is.
func ParseVirtual(b []byte, opts ...Option) (*Dump, error) {
	r := newReader(newByteSource(b), opts)
	line, ok := r.lines.next()
	for ok && len(line) == 0 {
		line, ok = r.lines.next()
	}
	head, isHead := parseVirtualHead(line)
	if !ok || !isHead {
		return nil, ErrNoDump
	}
	t := newTextDump(&r.input, r.lineNo())
	t.beginVirtual(head)
	d := t.read()
	r.in.endDump()
	if t.next != nil {
		d.Cut = true // another dump begins: it is no part of the section
	}
	if bound := (*BoundError)(nil); errors.As(r.src.err, &bound) {
		return d, bound
	}
	return d, nil
}

// WithVirtual is the dump with the threads of a virtual section that was read at about the same
// time. The dump itself does not change. The lines of the section are counted from lines on.
func (d *Dump) WithVirtual(section *Dump, lines int) *Dump {
	all := *d
	all.Threads = make([]*Thread, 0, len(d.Threads)+len(section.Threads))
	all.Threads = append(all.Threads, d.Threads...)
	for _, th := range section.Threads {
		moved := *th
		moved.Line += lines
		if moved.StackLine > 0 {
			moved.StackLine += lines
		}
		moved.Locks = make([]Lock, len(th.Locks))
		for i, l := range th.Locks {
			l.Line += lines
			moved.Locks[i] = l
		}
		all.Threads = append(all.Threads, &moved)
	}
	all.Problems = append([]Problem(nil), d.Problems...)
	for _, p := range section.Problems {
		p.Line += lines
		all.Problems = append(all.Problems, p)
	}
	all.Problems = all.Problems[:min(len(all.Problems), maxProblems)]
	all.Lost += section.Lost
	all.Cut = d.Cut || section.Cut
	all.VirtualListed, all.VirtualFound, all.VirtualMissing = true, section.VirtualFound, section.VirtualMissing
	return &all
}
