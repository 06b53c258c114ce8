package unwind

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// liveMemory is that of a process.
type liveMemory struct{ file *os.File }

func (m liveMemory) ReadAt(addr uint64, buf []byte) error {
	if addr>>63 != 0 {
		return os.ErrInvalid
	}
	_, err := m.file.ReadAt(buf, int64(addr))
	return err
}

// sleeper starts a program of C and returns its memory and what is mapped.
func sleeper(t *testing.T) (liveMemory, []Mapping) {
	t.Helper()
	sleep := exec.CommandContext(t.Context(), "sleep", "600")
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sleep.Wait() })
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", sleep.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = memory.Close() })
	for { // until the loader has mapped the C library
		var mappings []Mapping
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", sleep.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			var m Mapping
			var rest string
			n, _ := fmt.Sscanf(lines.Text(), "%x-%x %s %s %s %s %s",
				&m.Start, &m.End, &rest, &rest, &rest, &rest, &m.File)
			if n == 7 && strings.HasPrefix(m.File, "/") {
				mappings = append(mappings, m)
			}
		}
		if bytes.Contains(text, []byte("libc.so")) && bytes.Contains(text, []byte("LC_")) || len(mappings) > 15 {
			return liveMemory{memory}, mappings
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestEntriesOfTheCLibrary: where a function begins, the return address is on top of the stack, whatever else its
// description says. Only parts of functions that are elsewhere (cold ones), and bytes that are not code,
// differ.
func TestEntriesOfTheCLibrary(t *testing.T) {
	memory, mappings := sleeper(t)
	m := NewModules(memory, mappings)
	for _, mapping := range mappings {
		if !strings.Contains(mapping.File, "libc.so") {
			continue
		}
		in := m.at(mapping.Start)
		all, right := len(in.entries)/entrySize, 0
		for i := range all {
			_, function := in.entry(in.function(i))
			found := m.rulesOf(function)
			if found != nil && found.cfa.how == inRegister && found.cfa.number == int64(X86.SP) && found.offset == 8 &&
				found.registers[X86.PC].number == -8 {
				right++
			}
		}
		t.Logf("%d of %d", right, all)
		if all < 1000 || right < all*95/100 {
			t.Errorf("%d of %d entries of %s are those of a function's first instruction", right, all, mapping.File)
		}
		return
	}
	t.Fatal("no C library")
}

func TestFunctionsOfTheCLibrary(t *testing.T) {
	memory, mappings := sleeper(t)
	m := NewModules(memory, mappings)
	asked := 0
	file := func(path string) Symbols {
		asked++
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return symbolsOf(text)
	}
	for _, mapping := range mappings {
		if !strings.Contains(mapping.File, "libc.so") {
			continue
		}
		m.Function(mapping.Start, file)
		in := m.at(mapping.Start)
		found := false
		for _, s := range in.symbols.functions {
			if string(in.symbols.name(s)) == "qsort" {
				found = true
				if got := m.Function(s.begin+in.bias+1, file); !strings.HasSuffix(got, "!qsort") {
					t.Error(got)
				}
			}
		}
		if !found || asked != 1 {
			t.Errorf("qsort %v, the file was asked for %d times", found, asked)
		}
		return
	}
	t.Fatal("no C library")
}
