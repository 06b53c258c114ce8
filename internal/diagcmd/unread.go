package diagcmd

import (
	"strings"

	"github.com/jstall/jstall/internal/number"
)

// Unread are lines of an answer with a number that could not be read. What they would tell
// is unknown.
type Unread []string

// maxUnread bounds them.
const maxUnread = 100

// UnreadLines are the lines.
func (u Unread) UnreadLines() []string { return u }

// note keeps a line.
func (u *Unread) note(line string) {
	if line = strings.TrimSpace(line); len(*u) < maxUnread {
		*u = append(*u, line)
	}
}

// check keeps a line of which one of the values is not known.
func (u *Unread) check(line string, values ...Opt[int64]) {
	for _, v := range values {
		if !v.Known {
			u.note(line)
			return
		}
	}
}

// decimalPlaces are those that HotSpot prints of a size.
const decimalPlaces = 2

// figure is what a number looks like in an answer, in any locale; it is used in expressions.
const figure = `[\d.,'٫٬’]+`

// latin has the digits 0 to 9 for those of other scripts.
func latin(text string) string { return number.Latin(text) }
