package redact

import (
	"math/bits"
	"regexp/syntax"
)

// ascii is how many characters of a byte there are.
const ascii = 128

// automaton is an expression as a nondeterministic automaton of at most 64 steps. A step takes
// one character and is one bit, so that a uint64 is a set of steps: user=\d has six, and after
// "us" the set holds the third. Assertions such as \b are assumed to hold: the automaton accepts
// all that the expression accepts, and more.
type automaton struct {
	// takes are the steps that a character can take.
	takes [ascii]uint64
	// next are the steps that may come after one.
	next [64]uint64
	// begin are those that may come first: at the beginning of a line, and elsewhere.
	begin [2]uint64
	// ends are those after which a match may be over.
	ends uint64
}

// newAutomaton is nil for an expression that has more steps, or may match nothing at all.
func newAutomaton(expression string) *automaton {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil
	}
	b := &automatonBuilder{prog: prog, bit: map[uint32]int{}}
	for pc := range prog.Inst {
		if isStep(&prog.Inst[pc]) {
			b.bit[uint32(pc)] = len(b.bit)
		}
	}
	if len(b.bit) > 64 {
		return nil
	}
	return b.build()
}

type automatonBuilder struct {
	prog *syntax.Prog
	bit  map[uint32]int
}

func (b *automatonBuilder) build() *automaton {
	a := &automaton{}
	var empty bool
	if a.begin[0], empty = b.reach(b.prog.Start, true); empty {
		return nil
	}
	a.begin[1], _ = b.reach(b.prog.Start, false)
	for pc, bit := range b.bit {
		inst := &b.prog.Inst[pc]
		for c := range ascii {
			if takes(inst, rune(c)) {
				a.takes[c] |= 1 << bit
			}
		}
		over := false
		if a.next[bit], over = b.reach(int(inst.Out), false); over {
			a.ends |= 1 << bit
		}
	}
	return a
}

// reach are the steps that may come next, and whether the match may be over.
func (b *automatonBuilder) reach(from int, atBegin bool) (steps uint64, over bool) {
	seen := make([]bool, len(b.prog.Inst))
	var visit func(pc uint32)
	visit = func(pc uint32) {
		if seen[pc] {
			return
		}
		seen[pc] = true
		switch inst := &b.prog.Inst[pc]; {
		case isStep(inst):
			steps |= 1 << b.bit[pc]
		case inst.Op == syntax.InstAlt || inst.Op == syntax.InstAltMatch:
			visit(inst.Out)
			visit(inst.Arg)
		case inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&syntax.EmptyBeginText != 0 && !atBegin:
		case inst.Op == syntax.InstMatch:
			over = true
		case inst.Op != syntax.InstFail:
			visit(inst.Out)
		}
	}
	visit(uint32(from))
	return steps, over
}

func isStep(inst *syntax.Inst) bool {
	switch inst.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	}
	return false
}

func takes(inst *syntax.Inst, c rune) bool {
	switch inst.Op {
	case syntax.InstRuneAny:
		return true
	case syntax.InstRuneAnyNotNL:
		return c != '\n'
	}
	return inst.MatchRune(c)
}

// first counts the printable characters that may come first elsewhere.
func (a *automaton) first() int {
	n := 0
	for _, steps := range a.takes[' ':'\x7f'] {
		if steps&a.begin[1] != 0 {
			n++
		}
	}
	return n
}

// mayBegin reports whether a match may begin at a place, at an ASCII character.
func (a *automaton) mayBegin(line []byte, at int) bool {
	return a.takes[line[at]]&a.begin[min(at, 1)] != 0 && a.mayContinue(line, at)
}

// mayContinue looks some characters ahead.
func (a *automaton) mayContinue(line []byte, at int) bool {
	const ahead = 32
	steps := a.begin[min(at, 1)]
	for _, c := range line[at:min(len(line), at+ahead)] {
		if c >= ascii {
			return true
		}
		taken := steps & a.takes[c]
		switch {
		case taken == 0:
			return false
		case taken&a.ends != 0:
			return true
		}
		for steps = 0; taken != 0; taken &= taken - 1 {
			steps |= a.next[bits.TrailingZeros64(taken)]
		}
	}
	return len(line) > at+ahead
}
