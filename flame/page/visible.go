package page

import (
	"fmt"
	"strings"
	"unicode"
)

// maxName is the longest name, in bytes, that a page holds whole.
const maxName = 2000

// visible makes a name one line of text that looks like what it is: control
// characters, line ends, invisible ones and those that turn the direction of writing
// show as \n or \u202e, and what is far too long to be read is cut.
func visible(name string) string {
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "") + "…"
	}
	name = strings.ToValidUTF8(name, "\uFFFD")
	if strings.IndexFunc(name, hidden) < 0 {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

func hidden(r rune) bool { return !unicode.IsPrint(r) }
