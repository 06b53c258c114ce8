package unwind

import (
	"fmt"
	"path"
	"strings"
)

// Function is the name of the function that an address is in, with that of its file: "libc.so.6!read", or
// "libjvm.so!0x7f3a10" with the place in the file where the function begins that has no name. symbols reads those of
// the file that a mapping names ([ReadSymbols]); it is asked once for each. An address in no file has an empty name.
func (m *Modules) Function(pc uint64, symbols func(path string) Symbols) string {
	text, known := m.texts[pc]
	if !known {
		in := m.at(pc)
		if in == nil {
			return ""
		}
		text = in.functionAt(pc, symbols)
		remember(m.texts, pc, text)
	}
	return text
}

func (m *module) functionAt(pc uint64, symbols func(path string) Symbols) string {
	if !m.named {
		m.named = true
		if strings.HasPrefix(m.file, "/") {
			m.symbols = symbols(strings.TrimSuffix(m.file, " (deleted)"))
		}
	}
	base := path.Base(m.file)
	if name, ok := m.symbols.readable(pc - m.bias); ok {
		return base + "!" + name
	}
	if len(m.entries) > 0 {
		if _, function := m.entry(pc); function != 0 {
			return fmt.Sprintf("%s!%#x", base, function-m.bias)
		}
	}
	return base
}
