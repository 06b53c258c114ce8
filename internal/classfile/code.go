package classfile

import (
	"encoding/binary"
	"errors"
	"strings"
)

// instruction is what one of them does, as far as it matters.
type instruction struct {
	pc, line int
	op       op
	// code is the operation code, that behind a wide prefix where there is one.
	code byte
	// local is the local variable that is loaded, stored or added to; of an array of several
	// dimensions how many sizes are given; of what makes a lambda the bootstrap method.
	local int
	// to is where a branch goes.
	to int
	// number is the constant that is pushed, if that is an int or a long.
	number int64
	// member is what is called, read or written, "java.util.Map.put", and descriptor its type;
	// for what makes an object its class.
	member, descriptor string
	// interrupted tells that the code goes on here as an InterruptedException is caught.
	interrupted bool
}

// op sorts instructions.
type op uint8

const (
	opOther op = iota // moves, constants, casts of references
	opBranch
	opCall
	opDuplicate
	opKeepReference // in a local variable
	opCount         // additions, as counters make
	opCompute       // all other arithmetic, arrays, and what makes objects
	opMakeArray
	opStoreInArray
	opWriteReference // a field that refers to an object, other than a number or a text
)

// Operation codes, by chapter 6 of the specification; of runs of them the first and the last.
const (
	aconstNull, dconst1 = 0x01, 0x0f
	iconst0, iconst5    = 0x03, 0x08
	lconst0, dconst0    = 0x09, 0x0e
	bipush, sipush      = 0x10, 0x11
	ldc, ldc2           = 0x12, 0x14
	iload, aload        = 0x15, 0x19
	iload0, aload3      = 0x1a, 0x2d
	aload0              = 0x2a
	iaload, saload      = 0x2e, 0x35
	aaload              = 0x32
	istore, astore      = 0x36, 0x3a
	istore0, astore3    = 0x3b, 0x4e
	astore0             = 0x4b
	iastore, sastore    = 0x4f, 0x56
	aastore             = 0x53
	pop, pop2           = 0x57, 0x58
	dup, swap           = 0x59, 0x5f
	dupX1, dup2, dup2X1 = 0x5a, 0x5c, 0x5d
	iadd, ladd          = 0x60, 0x61
	idiv                = 0x6c
	irem, drem          = 0x70, 0x73
	ineg, dneg          = 0x74, 0x77
	ishl, lxor          = 0x78, 0x83
	iand, land          = 0x7e, 0x7f
	iinc                = 0x84
	i2l, i2s            = 0x85, 0x93
	i2d, l2d, f2l       = 0x87, 0x8a, 0x8c
	f2d, d2l            = 0x8d, 0x8f
	i2b                 = 0x91
	lcmp, dcmpg         = 0x94, 0x98
	ifeq, iflt, ifle    = 0x99, 0x9b, 0x9e
	ificmpeq, ifacmpne  = 0x9f, 0xa6
	ificmplt, ificmple  = 0xa1, 0xa4
	gotoS, jsr          = 0xa7, 0xa8
	tableswitch         = 0xaa
	lookupswitch        = 0xab
	ireturn, areturn    = 0xac, 0xb0
	voidReturn          = 0xb1
	getstatic           = 0xb2
	putstatic           = 0xb3
	getfield            = 0xb4
	putfield            = 0xb5
	invokevirtual       = 0xb6
	invokestatic        = 0xb8
	invokeinterface     = 0xb9
	invokedynamic       = 0xba
	newObject           = 0xbb
	newarray            = 0xbc
	anewarray           = 0xbd
	arraylength         = 0xbe
	athrow              = 0xbf
	checkcast           = 0xc0
	instanceof          = 0xc1
	monitorenter        = 0xc2
	monitorexit         = 0xc3
	wide                = 0xc4
	multianewarray      = 0xc5
	ifnull, ifnonnull   = 0xc6, 0xc7
	gotoW, jsrW         = 0xc8, 0xc9
)

// newLength is how many bytes the instruction takes that makes an object.
const newLength = 3

// lengths are the bytes of each instruction, zero for those that tell themselves and for
// codes that there are none of: runs of equal ones.
var lengths = func() (all [256]int) {
	for _, run := range [...]struct{ from, to, bytes int }{
		{0x00, 0x0f, 1}, {0x10, 0x10, 2}, {0x11, 0x11, 3}, {0x12, 0x12, 2}, {0x13, 0x14, 3}, {0x15, 0x19, 2}, {0x1a, 0x35, 1},
		{0x36, 0x3a, 2}, {0x3b, 0x83, 1}, {iinc, iinc, 3}, {0x85, 0x98, 1}, {ifeq, jsr, 3}, {0xa9, 0xa9, 2}, {0xac, 0xb1, 1},
		{0xb2, 0xb8, 3}, {0xb9, 0xba, 5}, {newObject, newObject, 3}, {newarray, newarray, 2}, {anewarray, anewarray, 3},
		{0xbe, 0xbf, 1}, {0xc0, 0xc1, 3}, {0xc2, 0xc3, 1}, {multianewarray, multianewarray, 4}, {ifnull, ifnonnull, 3}, {gotoW, jsrW, 5},
	} {
		for i := run.from; i <= run.to; i++ {
			all[i] = run.bytes
		}
	}
	return all
}()

var errCode = errors.New("the code cannot be read")

// decode splits code into instructions.
func decode(code []byte, pool constants) ([]instruction, error) {
	var all []instruction
	for pc := 0; pc < len(code); {
		n := lengthAt(code, pc)
		if n <= 0 || pc+n > len(code) {
			return nil, errCode
		}
		all = append(all, instructionAt(code[pc:pc+n], pc, pool))
		pc += n
	}
	return all, nil
}

// lengthAt is how many bytes an instruction takes, zero if it cannot be told.
func lengthAt(code []byte, pc int) int {
	number := func(at int) int {
		if at+4 > len(code) {
			return -1 << 20
		}
		return int(int32(binary.BigEndian.Uint32(code[at:])))
	}
	table := pc&^3 + 4 // aligned to four bytes
	switch code[pc] {
	case wide:
		if pc+1 < len(code) && code[pc+1] == iinc {
			return 6
		}
		return 4
	case tableswitch:
		return table + 12 + 4*(number(table+8)-number(table+4)+1) - pc
	case lookupswitch:
		return table + 8 + 8*number(table+4) - pc
	}
	return lengths[code[pc]]
}

// instructionAt says what one does.
func instructionAt(text []byte, pc int, pool constants) instruction {
	code := text[0]
	in := instruction{pc: pc, code: code, local: localOf(text), number: numberOf(text, pool)}
	if code == wide {
		in.code = text[1]
	}
	switch code {
	case newObject:
		in.member = pool.class(int(binary.BigEndian.Uint16(text[1:])))
	case checkcast:
		in.descriptor = "L" + strings.ReplaceAll(pool.class(int(binary.BigEndian.Uint16(text[1:]))), ".", "/") + ";"
	}
	if code >= getstatic && code <= invokedynamic {
		in.member, in.descriptor = pool.member(int(binary.BigEndian.Uint16(text[1:])))
	}
	if code == invokedynamic {
		in.local = pool.at(int(binary.BigEndian.Uint16(text[1:]))).a
	}
	switch {
	case code >= ifeq && code <= jsr, code == ifnull, code == ifnonnull:
		in.op, in.to = opBranch, pc+int(int16(binary.BigEndian.Uint16(text[1:])))
	case code == gotoW, code == jsrW:
		in.op, in.to = opBranch, pc+int(int32(binary.BigEndian.Uint32(text[1:])))
	case code >= invokevirtual && code <= invokeinterface:
		in.op = opCall
	case code == putstatic, code == putfield:
		if refersToMore(in.descriptor) {
			in.op = opWriteReference
		}
	case code == dup:
		in.op = opDuplicate
	case code == astore, code >= astore0 && code <= astore3, code == wide && text[1] == astore:
		in.op = opKeepReference
	case code == iadd, code == ladd, code == iinc, code == wide && text[1] == iinc:
		in.op = opCount
	case code == aastore:
		in.op = opStoreInArray
	case code == anewarray, code == multianewarray:
		in.op = opMakeArray
	case code >= iaload && code <= saload, code >= iastore && code <= sastore, code > ladd && code <= lxor,
		code >= i2l && code <= i2s, code > lcmp && code <= dcmpg, code == invokedynamic, code == newObject, code == newarray,
		code == tableswitch, code == lookupswitch:
		in.op = opCompute
	}
	return in
}

// refersToMore tells fields, by descriptor, of more than a number or a text: these come and go as
// states and names do, and are small.
func refersToMore(descriptor string) bool {
	switch dotted(strings.TrimSuffix(strings.TrimPrefix(descriptor, "L"), ";")) {
	case "java.lang.String", "java.lang.Integer", "java.lang.Long", "java.lang.Double", "java.lang.Boolean":
		return false
	}
	return strings.HasPrefix(descriptor, "L") || strings.HasPrefix(descriptor, "[")
}

// localOf is the local variable of an instruction.
func localOf(text []byte) int {
	switch code := text[0]; {
	case code == wide:
		return int(binary.BigEndian.Uint16(text[2:]))
	case code >= iload && code <= aload, code >= istore && code <= astore, code == iinc:
		return int(text[1])
	case code > aload && code < iaload:
		return int(code-aload-1) % 4
	case code > astore && code < iastore:
		return int(code-astore-1) % 4
	case code == multianewarray:
		return int(text[3])
	}
	return 0
}

// numberOf is the int or long that an instruction pushes.
func numberOf(text []byte, pool constants) int64 {
	switch code := text[0]; {
	case code >= iconst0 && code <= iconst5:
		return int64(code - iconst0)
	case code == lconst0+1:
		return 1
	case code == bipush:
		return int64(int8(text[1]))
	case code == sipush:
		return int64(int16(binary.BigEndian.Uint16(text[1:])))
	case code == ldc:
		return pool.at(int(text[1])).number
	case code > ldc && code <= ldc2:
		return pool.at(int(binary.BigEndian.Uint16(text[1:]))).number
	}
	return 0
}
