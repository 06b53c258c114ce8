package classfile

// What follows tells kinds of instructions apart, by their codes.

// loads tells an instruction that reads a variable.
func (in *instruction) loads() bool {
	return in.code >= iload && in.code <= aload || in.code >= iload0 && in.code <= aload3
}

// loadsReference tells an instruction that reads a variable which refers to an object.
func (in *instruction) loadsReference() bool {
	return in.code == aload || in.code >= aload0 && in.code <= aload3
}

// loadsInt tells one that reads a variable with an int, loadsNumber with an int or a long.
func (in *instruction) loadsInt() bool {
	return in.code == iload || in.code >= iload0 && in.code < iload0+4
}

func (in *instruction) loadsNumber() bool {
	return in.code == iload || in.code == iload+1 || in.code >= iload0 && in.code < iload0+8
}

// keeps tells an instruction that gives a variable another value, keepsNumber an int or a long.
func (in *instruction) keeps() bool { return in.code >= istore && in.code <= astore3 }

func (in *instruction) keepsNumber() bool {
	return in.code == istore || in.code == istore+1 || in.code >= istore0 && in.code < istore0+8
}

// keepsFraction tells one that gives a variable another float or double.
func (in *instruction) keepsFraction() bool {
	return in.keeps() && !in.keepsNumber() && in.code != astore && (in.code < astore0 || in.code > astore3)
}

// takesPart tells an instruction that takes the remainder of a number, or some of its bits.
func (in *instruction) takesPart() bool {
	return in.code == irem || in.code == irem+1 || in.code == iand || in.code == land
}

// isCondition tells a branch that is taken or not.
func (in *instruction) isCondition() bool {
	return in.op == opBranch && (in.code < gotoS || in.code == ifnull || in.code == ifnonnull)
}

// pushesNumber tells an instruction that pushes a constant: of those of the pool, be it a text.
func (in *instruction) pushesNumber() bool {
	return in.code > aconstNull && in.code <= dconst1 || in.code >= bipush && in.code <= ldc2
}

// asks tells an instruction that gives what is in a field, or what a method gives.
func (in *instruction) asks() bool {
	return in.op == opCall || in.code == getfield || in.code == getstatic
}

// writes tells an instruction that changes a variable, a field or an element.
func (in *instruction) writes() bool {
	return in.code >= istore && in.code <= sastore || in.code == iinc || in.code == putfield || in.code == putstatic
}

// steps tells an instruction that may lead to another element of an array.
func (in *instruction) steps() bool {
	return in.code == iinc || in.code == istore || in.code >= istore0 && in.code < istore0+4 || in.isArithmetic()
}

// isArithmetic tells an instruction that makes numbers of numbers.
func (in *instruction) isArithmetic() bool { return in.code >= iadd && in.code <= i2s }

// mayThrow tells an instruction that may throw something other than for want of memory or time.
func (in *instruction) mayThrow() bool {
	switch {
	case in.op == opCall, in.code == invokedynamic, in.code == newObject, in.code >= newarray && in.code <= checkcast, in.code == multianewarray:
		return true
	case in.code >= iaload && in.code <= saload, in.code >= iastore && in.code <= sastore:
		return true
	case in.code == idiv, in.code == idiv+1, in.code == irem, in.code == irem+1:
		return true
	}
	return in.code == getfield || in.code == putfield || in.code == monitorenter || in.code == monitorexit
}
