package stack

import (
	"encoding/hex"
	"strings"
	"testing"
)

// instructions is code as a disassembler shows it.
func instructions(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestX86Returns finds the return address at each instruction of what compilers write at both ends of a method
// with a frame of 48 bytes.
func TestX86Returns(t *testing.T) {
	const frame = 48
	whole := returnSlot{at: 40, fp: 32}
	onTop, pushed := returnSlot{inRegister: true}, returnSlot{at: 8}
	for name, c := range map[string]struct {
		ahead    string
		complete bool
		want     returnSlot
	}{
		"before the check of the stack": {"89 84 24 00 c0 fe ff 55 48 83 ec 20 90", false, onTop},
		"before push":                   {"55 48 83 ec 20 90", false, onTop},
		"behind push":                   {"48 83 ec 20 90", false, pushed},
		"behind push, a long form":      {"48 81 ec 20 00 00 00", false, pushed},
		"before mov rbp, then lowered":  {"48 8b ec 48 83 ec 20", false, pushed},
		"behind sub":                    {"90 90 41 81 7f 20 01 00 00 00", false, whole},
		"lowered by all of it":          {"48 81 ec 28 00 00 00 48 89 6c 24 20", false, onTop},
		"lowered, before rbp is stored": {"48 89 6c 24 20", false, returnSlot{at: 40, inRegister: true}},
		"in the method":                 {"41 89 c0 48 83 c4 20 5d c3", true, whole},
		"before add":                    {"48 83 c4 20 5d c3", true, whole},
		"before pop":                    {"5d 49 3b 67 28 0f 87 01 00 00 00 c3", true, pushed},
		"before the poll of 17":         {"49 3b a7 48 03 00 00 0f 87 01 00 00 00 c3", true, onTop},
		"before the jump of 17":         {"0f 87 01 00 00 00 c3", true, onTop},
		"before the poll of 11":         {"4d 8b 97 08 01 00 00 41 85 02 c3", true, onTop},
		"before the poll of 8":          {"85 05 00 00 00 00 c3", true, onTop},
		"before ret":                    {"c3", true, onTop},
		"a jump in the method, no ret":  {"0f 87 01 00 00 00 90 90", true, whole},
		"a comparison that no ret ends": {"49 3b 67 28 90 c3", true, whole},
		"vzeroupper before add":         {"c5 f8 77 48 83 c4 20 5d c3", true, whole},
	} {
		got, ok := x86Returns(instructions(t, c.ahead), frame, c.complete)
		if !ok || got != c.want {
			t.Errorf("%s: %+v %v, want %+v", name, got, ok, c.want)
		}
	}
	if slot, ok := x86Returns(instructions(t, "55 90 90"), frame, false); ok {
		t.Errorf("a frame that is set up in an unknown way: %+v", slot)
	}
}

func TestCallTargets(t *testing.T) {
	const at = 0x1000
	for text, want := range map[string]uint64{
		"90 90 90 90 90 90 90 90 e8 10 00 00 00": at + 0x10,
		"90 90 90 90 90 90 90 90 e8 f0 ff ff ff": at - 0x10,
		"49 ba 78 56 34 12 00 00 00 00 41 ff d2": 0x12345678,
		"90 90 90 90 90 90 90 90 90 90 90 ff d0": 0,
		"90 90 90 90 90 90 90 90 90 90 ff 50 40": 0,
		"90 90 90 90 90 90 90 ff 90 40 00 00 00": 0,
	} {
		if got, isCall := x86CallTarget(instructions(t, "00 00 00 "+text), at); !isCall || got != want {
			t.Errorf("%s: %#x %v, want %#x", text, got, isCall, want)
		}
	}
	if got, isCall := x86CallTarget(instructions(t, strings.Repeat("90", 16)), at); isCall {
		t.Errorf("no call: %#x", got)
	}
	if got, isCall := aarch64CallTarget(instructions(t, "ff ff ff 97"), at); !isCall || got != at-8 {
		t.Errorf("bl: %#x %v", got, isCall)
	}
	if got, isCall := aarch64CallTarget(instructions(t, "00 01 3f d6"), at); !isCall || got != 0 {
		t.Errorf("blr: %#x %v", got, isCall)
	}
}
