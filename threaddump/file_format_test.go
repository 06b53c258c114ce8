package threaddump

import (
	"errors"
	"testing"
)

func TestWhatIsNoDumpIsNamed(t *testing.T) {
	for content, want := range map[string]string{
		"\x1f\x8b\x08":                         "it is compressed with gzip",
		"\xfd7zXZ\x00\x00":                     "it is compressed with xz",
		"PK\x03\x04dump.txt":                   "it is a zip archive",
		"\x7fELF\x02":                          "it is a program or a library",
		"JAVA PROFILE 1.0.2\x00":               "it is a heap dump",
		"FLR\x00\x00\x02":                      "it is a flight recording",
		"\xff\xfeF\x00u\x00":                   `1 line of other text that begins "Fu"`,
		"101\n":                                "it is a JVM's refusal of the attach protocol's version",
		"-1\nno\n":                             `it is a JVM's refusal of an attach command: "no"`,
		"-12\n":                                `1 line of other text that begins "-12"`,
		"text\x00":                             "the input is binary",
		" \n\n":                                "the input is empty",
		"\tat a.B.c(B.java:1)\n":               "it has stack traces, but no threads",
		"0SECTION       TITLE\n":               "it is a javacore of OpenJ9 (IBM J9)",
		"Full thread\nof something\nelse\n":    `3 lines of other text that begins "Full thread"`,
		"a line of\nGIF \x1f\x8b later on\n":   `2 lines of other text that begins "a line of"`,
		"#\n# A fatal error has been detected": `2 lines of other text that begins "#"`,
	} {
		_, err := Parse([]byte(content))
		if !errors.Is(err, ErrNoDump) || err.Error() != "no thread dump: "+want {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
}

func TestBeginningsFitWhatIsRead(t *testing.T) {
	for _, b := range beginnings {
		if len(b.bytes) > FileFormatLen || FileFormatOf([]byte(b.bytes)) != b.format ||
			FileFormatOf([]byte(b.bytes[1:])) == b.format {
			t.Errorf("%q: %s", b.bytes, b.format)
		}
	}
}
