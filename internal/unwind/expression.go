package unwind

// Operations of DWARF expressions, as far as call frame information has them: those of the stubs that call other
// libraries (PLT), of functions that align their stack, and of signals.
const (
	opDeref    = 0x06
	opConst1u  = 0x08
	opConst1s  = 0x09
	opConst2u  = 0x0a
	opConst2s  = 0x0b
	opConst4u  = 0x0c
	opConst4s  = 0x0d
	opConstu   = 0x10
	opConsts   = 0x11
	opDup      = 0x12
	opAnd      = 0x1a
	opMinus    = 0x1c
	opMul      = 0x1e
	opOr       = 0x21
	opPlus     = 0x22
	opPlusUcon = 0x23
	opShl      = 0x24
	opShr      = 0x25
	opEq       = 0x29
	opGe       = 0x2a
	opGt       = 0x2b
	opLe       = 0x2c
	opLt       = 0x2d
	opNe       = 0x2e
	opLit0     = 0x30
	opLit31    = 0x4f
	opBreg0    = 0x70
	opBreg31   = 0x8f
)

// mostOperations bounds an expression.
const mostOperations = 64

// evaluate computes an expression over registers and the stack. first is on its stack at the beginning.
func evaluate(text []byte, r *Registers, read func(uint64) (uint64, bool), first ...uint64) (uint64, bool) {
	e := expression{cursor: cursor{bytes: text}, registers: r, read: read, stack: first}
	for n := 0; len(e.bytes) > 0; n++ {
		if n == mostOperations || !e.step(e.u8()) || e.short {
			return 0, false
		}
	}
	value, ok := e.pop()
	return value, ok
}

type expression struct {
	cursor
	registers *Registers
	read      func(uint64) (uint64, bool)
	stack     []uint64
}

func (e *expression) push(n uint64) bool { e.stack = append(e.stack, n); return true }

func (e *expression) pop() (uint64, bool) {
	n := len(e.stack)
	if n == 0 {
		return 0, false
	}
	top := e.stack[n-1]
	e.stack = e.stack[:n-1]
	return top, true
}

func (e *expression) step(op byte) bool {
	switch {
	case op >= opLit0 && op <= opLit31:
		return e.push(uint64(op - opLit0))
	case op >= opBreg0 && op <= opBreg31:
		value, known := e.registers.Get(int(op - opBreg0))
		return known && e.push(value+uint64(e.signed()))
	case op == opDeref, op == opDup, op == opPlusUcon:
		return e.unary(op)
	}
	if n, ok := e.constant(op); ok {
		return e.push(n)
	}
	return e.binary(op)
}

func (e *expression) unary(op byte) bool {
	top, ok := e.pop()
	if !ok {
		return false
	}
	switch op {
	case opDeref:
		value, ok := e.read(top)
		return ok && e.push(value)
	case opDup:
		e.push(top)
		return e.push(top)
	}
	return e.push(top + e.unsigned())
}

func (e *expression) constant(op byte) (uint64, bool) {
	switch op {
	case opConst1u:
		return uint64(e.u8()), true
	case opConst1s:
		return uint64(int64(int8(e.u8()))), true
	case opConst2u:
		return uint64(e.u16()), true
	case opConst2s:
		return uint64(int64(int16(e.u16()))), true
	case opConst4u:
		return uint64(e.u32()), true
	case opConst4s:
		return uint64(int64(int32(e.u32()))), true
	case opConstu:
		return e.unsigned(), true
	case opConsts:
		return uint64(e.signed()), true
	}
	return 0, false
}

// operations are those with two operands.
var operations = map[byte]func(a, b uint64) uint64{
	opAnd: func(a, b uint64) uint64 { return a & b }, opOr: func(a, b uint64) uint64 { return a | b },
	opPlus: func(a, b uint64) uint64 { return a + b }, opMinus: func(a, b uint64) uint64 { return a - b },
	opMul: func(a, b uint64) uint64 { return a * b },
	opShl: func(a, b uint64) uint64 { return a << b }, opShr: func(a, b uint64) uint64 { return a >> b },
	opEq: func(a, b uint64) uint64 { return truth(a == b) }, opNe: func(a, b uint64) uint64 { return truth(a != b) },
	opGe: func(a, b uint64) uint64 { return truth(int64(a) >= int64(b)) },
	opGt: func(a, b uint64) uint64 { return truth(int64(a) > int64(b)) },
	opLe: func(a, b uint64) uint64 { return truth(int64(a) <= int64(b)) },
	opLt: func(a, b uint64) uint64 { return truth(int64(a) < int64(b)) },
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (e *expression) binary(op byte) bool {
	operation := operations[op]
	b, _ := e.pop()
	a, ok := e.pop()
	return operation != nil && ok && e.push(operation(a, b))
}
