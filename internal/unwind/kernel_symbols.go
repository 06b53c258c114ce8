package unwind

import (
	"bufio"
	"io"
)

// KernelSymbols are functions of the kernel.
type KernelSymbols struct {
	symbols Symbols
	texts   map[uint64]string
}

// ReadKernelSymbols reads /proc/kallsyms. Without the right to see addresses, which are zero then, no function has a
// name.
func ReadKernelSymbols(text io.Reader) *KernelSymbols {
	k := &KernelSymbols{texts: map[uint64]string{}}
	const usualCount, usualName = 1 << 17, 20
	k.symbols = Symbols{functions: make([]function, 0, usualCount), names: make([]byte, 0, usualCount*usualName)}
	for lines := bufio.NewReader(text); ; {
		line, err := lines.ReadSlice('\n')
		k.add(line)
		if err != nil {
			break
		}
	}
	k.symbols.sort()
	return k
}

// add takes a line such as "ffffffff81000010 t do_read\tmodule".
func (k *KernelSymbols) add(line []byte) {
	address, rest := hexadecimal(line)
	const kind, name = 1, 3 // where they begin behind the address
	if address == 0 || len(rest) <= name || rest[0] != ' ' || rest[name-1] != ' ' {
		return
	}
	switch rest[kind] {
	case 't', 'T', 'w', 'W':
	default:
		return
	}
	rest = rest[name:]
	for i, c := range rest {
		if c == '\t' || c == '\n' { // a module, or the end
			rest = rest[:i]
			break
		}
	}
	all := &k.symbols
	if len(rest) == 0 || len(all.names) > mostSymbolBytes {
		return
	}
	all.functions = append(all.functions, function{begin: address, name: uint32(len(all.names))})
	all.names = append(append(all.names, rest...), 0)
}

// hexadecimal is the number that a text begins with, and what is behind it.
func hexadecimal(text []byte) (n uint64, rest []byte) {
	for i, c := range text {
		switch {
		case '0' <= c && c <= '9':
			n = n<<4 | uint64(c-'0')
		case 'a' <= c && c <= 'f':
			n = n<<4 | uint64(c-'a'+10)
		default:
			return n, text[i:]
		}
	}
	return n, nil
}

// Function is the name of the function that an address of the kernel is in: "[kernel]!do_sys_read". Where it is not
// known the frame says only that it is of the kernel.
func (k *KernelSymbols) Function(address uint64) string {
	text, known := k.texts[address]
	if !known {
		text = "[kernel]"
		if name, ok := k.symbols.readable(address); ok {
			text += "!" + name
		}
		remember(k.texts, address, text)
	}
	return text
}

// remember keeps the text of an address, for the next sample that has it. There is room for those of a usual profile.
func remember(texts map[uint64]string, address uint64, text string) {
	const most = 1 << 14
	if len(texts) >= most {
		clear(texts)
	}
	texts[address] = text
}
