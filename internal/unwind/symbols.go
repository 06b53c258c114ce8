package unwind

import (
	"bytes"
	"cmp"
	"debug/elf"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"jstall/internal/caught"
)

// symbols are functions in the order of their addresses.
type symbols []symbol

type symbol struct {
	begin, size uint64
	name        string
}

const (
	// mostSymbolBytes bounds a table of symbols of a file, and the names of one.
	mostSymbolBytes = 64 << 20
	// mostName bounds the name of a function, in bytes.
	mostName = 512
)

// fileSymbols reads the functions of an ELF file; none of a file that is no such.
func fileSymbols(file []byte) symbols {
	var found symbols
	_ = caught.Try(func() { // the file is the target's
		parsed, err := elf.NewFile(bytes.NewReader(file))
		if err != nil {
			return
		}
		for _, section := range parsed.Sections {
			if section.Size > mostSymbolBytes && section.Type != elf.SHT_PROGBITS && section.Type != elf.SHT_NOBITS {
				return
			}
		}
		static, _ := parsed.Symbols()
		dynamic, _ := parsed.DynamicSymbols()
		found = make(symbols, 0, len(static)+len(dynamic))
		for _, s := range slices.Concat(static, dynamic) {
			if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Value != 0 {
				found = append(found, symbol{s.Value, s.Size, s.Name})
			}
		}
	})
	return found.sorted()
}

func (s symbols) sorted() symbols {
	slices.SortFunc(s, func(a, b symbol) int {
		if a.begin != b.begin {
			return cmp.Compare(a.begin, b.begin)
		}
		return cmp.Or(cmp.Compare(b.size, a.size), strings.Compare(a.name, b.name))
	})
	return s
}

// at is the function that an address is in. One without a size ends where the next one begins.
func (s symbols) at(address uint64) (name string, ok bool) {
	i, exact := slices.BinarySearchFunc(s, address, func(f symbol, at uint64) int { return cmp.Compare(f.begin, at) })
	if !exact {
		i--
	}
	for ; i > 0 && s[i-1].begin == s[i].begin; i-- {
	}
	if i < 0 || s[i].size != 0 && address >= s[i].begin+s[i].size {
		return "", false
	}
	return s[i].name, true
}

// KernelSymbols are functions of the kernel.
type KernelSymbols struct{ symbols symbols }

// ParseKernelSymbols reads /proc/kallsyms. Without the right to see addresses, which are zero then, there are none.
func ParseKernelSymbols(text []byte) KernelSymbols {
	const usualLine = 40
	found := make(symbols, 0, len(text)/usualLine)
	for rest := string(text); rest != ""; { // names share its memory
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		address, line, _ := strings.Cut(line, " ")
		kind, name, _ := strings.Cut(line, " ")
		name, _, _ = strings.Cut(name, "\t") // the module
		if name == "" || !strings.Contains("tTwW", kind) {
			continue
		}
		if at, err := strconv.ParseUint(address, 16, 64); err == nil && at != 0 {
			found = append(found, symbol{begin: at, name: name})
		}
	}
	return KernelSymbols{found.sorted()}
}

// Function is the name of the function that an address of the kernel is in: "[kernel]!do_sys_read". Where it is not
// known the frame says only that it is of the kernel.
func (k KernelSymbols) Function(address uint64) string {
	if name, ok := k.symbols.at(address); ok {
		return "[kernel]!" + readable(name)
	}
	return "[kernel]"
}

// Function is the name of the function that an address is in, with that of its file: "libc.so.6!read", or
// "libjvm.so!0x7f3a10" with the place in the file where the function begins that has no name. file reads the file
// that a mapping names; it is asked once for each. An address in no file has an empty name.
func (m *Modules) Function(pc uint64, file func(path string) []byte) string {
	in := m.at(pc)
	if in == nil {
		return ""
	}
	if in.symbols == nil {
		in.symbols = symbols{}
		if strings.HasPrefix(in.file, "/") {
			in.symbols = append(in.symbols, fileSymbols(file(strings.TrimSuffix(in.file, " (deleted)")))...)
		}
	}
	base := path.Base(in.file)
	if name, ok := in.symbols.at(pc - in.bias); ok {
		return base + "!" + readable(name)
	}
	if len(in.entries) > 0 {
		if _, function := in.entry(pc); function != 0 {
			return fmt.Sprintf("%s!%#x", base, function-in.bias)
		}
	}
	return base
}

// readable is the name of a C++ function as people write it, without arguments, or any other name as it is.
func readable(name string) string {
	if len(name) > mostName {
		name = name[:mostName]
	}
	return demangle.Filter(name, demangle.NoParams, demangle.NoTemplateParams)
}
