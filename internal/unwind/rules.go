package unwind

import "errors"

// mostRegisters are those of aarch64 without the vectors; x86-64 has 17.
const mostRegisters = 33

// Registers are those of one frame, by DWARF's numbers. Those that no rule restores are not known.
type Registers struct {
	values [mostRegisters]uint64
	known  uint64
}

// Set gives a register its value.
func (r *Registers) Set(number int, value uint64) {
	r.values[number] = value
	r.known |= 1 << number
}

// Get is the value of a register, if it is known.
func (r *Registers) Get(number int) (uint64, bool) {
	if number < 0 || number >= mostRegisters || r.known>>number&1 == 0 {
		return 0, false
	}
	return r.values[number], true
}

// Numbers are DWARF's numbers of the registers that have a part in calls. On aarch64 the return address is in one.
type Numbers struct{ PC, SP, FP int }

// X86 and ARM are those of x86-64 and aarch64.
var (
	X86 = Numbers{PC: 16, SP: 7, FP: 6}
	ARM = Numbers{PC: 32, SP: 31, FP: 29}
)

// how is where the caller's value of a register is.
type how byte

const (
	same       how = iota
	undefined      // it is lost
	atOffset       // in the stack, relative to the CFA
	isOffset       // the CFA and a number
	inRegister     // in another register
	atAddress      // in memory, at what an expression gives
	isValue        // what an expression gives
)

type rule struct {
	how        how
	number     int64 // offset, or register
	expression []byte
}

// rules are those of one address.
type rules struct {
	cfa       rule // inRegister with offset, or isValue
	offset    int64
	registers [mostRegisters]rule
	returns   uint64
}

const (
	cfaAdvance = 1 << 6
	cfaOffset  = 2 << 6
	cfaRestore = 3 << 6
	cfaLow     = 1<<6 - 1

	// mostInstructions bounds the program of an entry, mostRemembered the rules that it keeps.
	mostInstructions = 1 << 14
	mostRemembered   = 16
)

// program runs the instructions of an entry up to an address.
type program struct {
	cursor
	description
	now        rules
	initial    rules
	remembered []rules
	at, pc     uint64
}

// rulesAt are the rules of an address within a description.
func rulesAt(d description, pc uint64) (*rules, bool) {
	p := program{description: d, at: d.begin, pc: pc}
	p.now.returns = d.returns
	if !p.run(d.beginnings) {
		return nil, false
	}
	p.initial = p.now
	if !p.run(d.program) {
		return nil, false
	}
	return &p.now, true
}

func (p *program) run(text []byte) bool {
	p.cursor = cursor{bytes: text}
	for n := 0; len(p.bytes) > 0; n++ {
		if n == mostInstructions {
			return false
		}
		if done, ok := p.step(p.u8()); done || !ok || p.short {
			return ok && !p.short
		}
	}
	return true
}

// advance is true if the rules so far are those of the address.
func (p *program) advance(by uint64) bool {
	p.at += by * p.codeAlign
	return p.at > p.pc
}

func (p *program) set(register uint64, r rule) bool {
	if register < mostRegisters {
		p.now.registers[register] = r
	}
	return true
}

// step runs one instruction: DW_CFA_*.
func (p *program) step(code byte) (done, ok bool) {
	low := uint64(code & cfaLow)
	switch code &^ cfaLow {
	case cfaAdvance:
		return p.advance(low), true
	case cfaOffset:
		return false, p.set(low, rule{how: atOffset, number: int64(p.unsigned()) * p.dataAlign})
	case cfaRestore:
		return false, p.restore(low)
	}
	switch code {
	case 0x00: // nop
		return false, true
	case 0x02: // advance_loc1
		return p.advance(uint64(p.u8())), true
	case 0x03:
		return p.advance(uint64(p.u16())), true
	case 0x04:
		return p.advance(uint64(p.u32())), true
	case 0x0a:
		return false, p.remember()
	case 0x0b:
		return false, p.recall()
	case 0x0c, 0x0d, 0x0e, 0x0f, 0x12, 0x13:
		return false, p.define(code)
	case 0x2d: // negate_ra_state of aarch64: return addresses are masked anyway
		return false, true
	case 0x2e: // GNU_args_size
		p.unsigned()
		return false, true
	}
	return false, p.register(code)
}

func (p *program) restore(register uint64) bool {
	if register < mostRegisters {
		p.now.registers[register] = p.initial.registers[register]
	}
	return true
}

func (p *program) remember() bool {
	p.remembered = append(p.remembered, p.now)
	return len(p.remembered) <= mostRemembered
}

func (p *program) recall() bool {
	n := len(p.remembered)
	if n == 0 {
		return false
	}
	p.now, p.remembered = p.remembered[n-1], p.remembered[:n-1]
	return true
}

// define sets the rule of the CFA.
func (p *program) define(code byte) bool {
	switch code {
	case 0x0c: // def_cfa
		p.now.cfa = rule{how: inRegister, number: int64(p.unsigned())}
		p.now.offset = int64(p.unsigned())
	case 0x0d: // def_cfa_register
		p.now.cfa = rule{how: inRegister, number: int64(p.unsigned())}
	case 0x0e: // def_cfa_offset
		p.now.offset = int64(p.unsigned())
	case 0x0f: // def_cfa_expression
		p.now.cfa = rule{how: isValue, expression: p.take(p.unsigned())}
	case 0x12: // def_cfa_sf
		p.now.cfa = rule{how: inRegister, number: int64(p.unsigned())}
		p.now.offset = p.signed() * p.dataAlign
	case 0x13: // def_cfa_offset_sf
		p.now.offset = p.signed() * p.dataAlign
	}
	return true
}

// register sets the rule of a register.
func (p *program) register(code byte) bool {
	number := p.unsigned()
	switch code {
	case 0x05: // offset_extended
		return p.set(number, rule{how: atOffset, number: int64(p.unsigned()) * p.dataAlign})
	case 0x06: // restore_extended
		return p.restore(number)
	case 0x07:
		return p.set(number, rule{how: undefined})
	case 0x08:
		return p.set(number, rule{how: same})
	case 0x09:
		return p.set(number, rule{how: inRegister, number: int64(p.unsigned())})
	case 0x10: // expression
		return p.set(number, rule{how: atAddress, expression: p.take(p.unsigned())})
	case 0x11: // offset_extended_sf
		return p.set(number, rule{how: atOffset, number: p.signed() * p.dataAlign})
	case 0x14: // val_offset
		return p.set(number, rule{how: isOffset, number: int64(p.unsigned()) * p.dataAlign})
	case 0x15: // val_offset_sf
		return p.set(number, rule{how: isOffset, number: p.signed() * p.dataAlign})
	case 0x16: // val_expression
		return p.set(number, rule{how: isValue, expression: p.take(p.unsigned())})
	case 0x2f: // GNU_negative_offset_extended
		return p.set(number, rule{how: atOffset, number: -int64(p.unsigned()) * p.dataAlign})
	}
	return false
}

// mostRules bounds the rules that are kept.
const mostRules = 1 << 14

// Errors of [Modules.Step].
var (
	// ErrOutermost: the frame has no caller.
	ErrOutermost = errors.New("the outermost frame")
	// ErrUnknown: nothing describes the frame, or what does cannot be right.
	errUnknown = errors.New("no call frame information")
)

// Step gives the registers of the caller. innermost reports that the frame was not left by a call: its address is that
// of the next instruction, else of the one after the call. read reads a word of the stack.
func (m *Modules) Step(r *Registers, n Numbers, innermost bool, read func(uint64) (uint64, bool)) (Registers, error) {
	pc, known := r.Get(n.PC)
	if !known || pc == 0 {
		return Registers{}, ErrOutermost
	}
	if !innermost {
		pc--
	}
	found := m.rulesOf(pc)
	switch {
	case found == nil:
		return Registers{}, errUnknown
	case found.registers[found.returns].how == undefined:
		return Registers{}, ErrOutermost
	}
	caller, ok := found.apply(r, n, read)
	if !ok {
		return caller, errUnknown
	}
	return caller, nil
}

func (m *Modules) rulesOf(pc uint64) *rules {
	if found, known := m.rules[pc]; known {
		return found
	}
	if len(m.rules) >= mostRules {
		clear(m.rules)
	}
	var found *rules
	if in := m.at(pc); in != nil && len(in.entries) > 0 {
		at, _ := in.entry(pc)
		if d, ok := describe(m.memory, at); ok && pc >= d.begin && pc < d.end {
			if of, ok := rulesAt(d, pc); ok {
				found = of
			}
		}
	}
	m.rules[pc] = found
	return found
}

// apply computes the caller's registers.
func (s *rules) apply(r *Registers, n Numbers, read func(uint64) (uint64, bool)) (caller Registers, ok bool) {
	var cfa uint64
	switch s.cfa.how {
	case inRegister:
		base, known := r.Get(int(s.cfa.number))
		if !known {
			return caller, false
		}
		cfa = base + uint64(s.offset)
	case isValue:
		if cfa, ok = evaluate(s.cfa.expression, r, read); !ok {
			return caller, false
		}
	default:
		return caller, false
	}
	for number := range s.registers {
		if value, known := s.registers[number].value(number, r, cfa, read); known {
			caller.Set(number, value)
		}
	}
	if s.registers[n.SP].how == same {
		caller.Set(n.SP, cfa)
	}
	// aarch64 has the return address in its own register, which is not the program counter.
	address, known := caller.Get(int(s.returns))
	if !known {
		return caller, false
	}
	caller.Set(n.PC, address)
	sp, _ := caller.Get(n.SP)
	before, _ := r.Get(n.SP)
	return caller, sp >= before
}

func (u rule) value(number int, r *Registers, cfa uint64, read func(uint64) (uint64, bool)) (uint64, bool) {
	switch u.how {
	case same:
		return r.Get(number)
	case atOffset:
		return read(cfa + uint64(u.number))
	case isOffset:
		return cfa + uint64(u.number), true
	case inRegister:
		return r.Get(int(u.number))
	case isValue:
		return evaluate(u.expression, r, read, cfa)
	case atAddress:
		at, ok := evaluate(u.expression, r, read, cfa)
		if !ok {
			return 0, false
		}
		return read(at)
	}
	return 0, false
}
