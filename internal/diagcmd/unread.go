package diagcmd

import (
	"strings"

	"github.com/jstall/jstall/internal/number"
)

// Unread are lines of an answer with a number that could not be read.
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

// check keeps a line if one of its values is unknown.
func (u *Unread) check(line string, values ...Opt[int64]) {
	for _, v := range values {
		if !v.Known {
			u.note(line)
			return
		}
	}
}

// decimalPlaces is the number of decimal places that HotSpot prints for a size.
const decimalPlaces = 2

// figure matches a number in an answer, in any locale. It is a part of other expressions.
const figure = `[\d.,'٫٬’]+`

// latin replaces the digits of other scripts by 0 to 9.
func latin(text string) string { return number.Latin(text) }
