package shell

import (
	"strings"
)

// FlightRecording begins every chunk of a flight recording.
const FlightRecording = "FLR\x00"

// IsBinary reports whether more than one byte in oneIn is a control character. A byte of an encoding other than UTF-8
// does not count as one.
func IsBinary(text []byte, oneIn int) bool {
	control := 0
	for _, c := range text {
		if c < ' ' && !strings.ContainsRune("\a\b\t\n\v\f\r\x1b", rune(c)) {
			control++
		}
	}
	return control > len(text)/oneIn
}
