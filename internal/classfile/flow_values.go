package classfile

import "fmt"

// shuffle is for the instructions that copy and drop values.
func (fl *flow) shuffle(code byte) {
	a := fl.pop()
	switch code - dup {
	case 0: // dup
		fl.push(a)
	case 1: // dup_x1
		b := fl.pop()
		fl.stack = append(fl.stack, a, b)
	case 2: // dup_x2
		b := fl.pop()
		if b.wide {
			fl.stack = append(fl.stack, a, b)
			break
		}
		c := fl.pop()
		fl.stack = append(fl.stack, a, c, b)
	case 3: // dup2
		if a.wide {
			fl.push(a)
			break
		}
		b := fl.pop()
		fl.stack = append(fl.stack, b, a, b)
	case 4: // dup2_x1
		b := fl.pop()
		if a.wide {
			fl.stack = append(fl.stack, a, b)
			break
		}
		c := fl.pop()
		fl.stack = append(fl.stack, b, a, c, b)
	case 5: // dup2_x2
		b := fl.pop()
		if a.wide && b.wide {
			fl.stack = append(fl.stack, a, b)
			break
		}
		c := fl.pop()
		if a.wide {
			fl.stack = append(fl.stack, a, c, b)
			break
		}
		if c.wide {
			fl.stack = append(fl.stack, b, a, c, b)
			break
		}
		d := fl.pop()
		fl.stack = append(fl.stack, b, a, d, c, b)
	case 6: // swap
		b := fl.pop()
		fl.push(a)
		a = b
	default: // pop, pop2
		if code == pop2 && !a.wide {
			fl.pop()
		}
		return
	}
	fl.push(a)
}

// compute is for arithmetic.
func (fl *flow) compute(code byte) {
	if code >= ineg && code <= dneg {
		return
	}
	b, a := fl.pop(), fl.pop()
	v := value{many: a.many || b.many, wide: a.wide, small: true, ever: (a.ever || b.ever) && code < idiv, of: a.of | b.of}
	masks := (code == iand || code == land) && !(a.many && b.many)
	if masks || code >= irem && code <= drem {
		v.many, v.of = false, 0
	}
	fl.push(v)
}

// access is for fields. What an unchanging field of few objects holds is few, and so are the
// collections and arrays of unchanging fields.
func (fl *flow) access(p *program, in *instruction) {
	t := firstLetter(in.descriptor)
	v := value{many: p.changes[afterDot(in.member)], wide: isWide(t), small: isPrimitive(t), ever: p.isEver(in.member)}
	switch in.code {
	case putstatic, putfield:
		given := fl.pop()
		fl.kept(p, in, given)
		fl.noteWritten(p, in, given)
		if in.code == putfield {
			fl.pop()
		}
	case getstatic:
		v.ever = v.ever && p.counted[in.member]
		fl.push(fl.fetched(p, in, v))
	case getfield:
		of := fl.pop()
		v.many = v.many || of.many && !holdsOthers(in.descriptor)
		v.made, v.ever = of.made, v.ever && (of.ever || p.counted[in.member])
		fl.push(fl.fetched(p, in, v))
	}
}

// place is the method and the line of an instruction: "shop.Cart.add:17".
func (fl *flow) place(pc int) string {
	line := 0
	for i := range fl.code {
		if fl.code[i].pc == pc {
			line = fl.code[i].line
		}
	}
	return fmt.Sprintf("%s.%s:%d", fl.class, fl.name, line)
}
