package threaddump

// renumber gives what a dump says of lines the numbers that they have in the input, where
// that was made plain before it was read.
func (r *Reader) renumber(d *Dump) {
	if r.plain == nil || d == nil {
		return
	}
	r.renumbered(&d.Line)
	for _, t := range d.Threads {
		r.renumbered(&t.Line)
		r.renumbered(&t.StackLine)
		for i := range t.Locks {
			r.renumbered(&t.Locks[i].Line)
		}
		for i := range t.MountedLocks {
			r.renumbered(&t.MountedLocks[i].Line)
		}
	}
	for i := range d.Deadlocks {
		r.renumbered(&d.Deadlocks[i].Line)
		for j := range d.Deadlocks[i].Members {
			r.renumbered(&d.Deadlocks[i].Members[j].Line)
		}
	}
	for i := range d.Problems {
		r.renumbered(&d.Problems[i].Line)
	}
}

func (r *Reader) renumbered(line *int) {
	if *line > 0 {
		*line = r.plain.Line(*line)
	}
}
