package top

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Action is what a key asks of the program around the screen.
type Action int

const (
	// None is of keys that change the screen alone.
	None Action = iota
	// Quit ends the program, Suspend puts it into the background of the shell, Record writes the latest readings.
	Quit
	Suspend
	Record
)

// Key handles a key by its name: "up", "pgdown", "ctrl+c", or the character itself. A longer text is pasted.
func (m *Model) Key(name string) Action {
	m.message = ""
	switch {
	case name == "ctrl+c":
		return Quit
	case name == "ctrl+z":
		return Suspend
	case m.prompt.open:
		m.typed(name)
		return None
	case m.help && name != "q":
		m.help = false
		return None
	}
	if m.moves(name) {
		return None
	}
	return m.command(name)
}

// moves handles the keys that move the selection.
func (m *Model) moves(name string) bool {
	page := max(1, m.layout().rows)
	switch name {
	case "up", "k":
		m.move(-1)
	case "down", "j":
		m.move(1)
	case "pgup", "ctrl+b":
		m.move(-page)
	case "pgdown", "ctrl+f":
		m.move(page)
	case "home":
		m.follows = false
		m.selectRow(0)
	case "end", "G":
		m.move(len(m.rows))
	case "left", "[":
		m.scroll = max(0, m.scroll-1)
	case "right", "]":
		m.scroll = min(m.scroll+1, max(0, len(m.stackLines())-1))
	default:
		return false
	}
	return true
}

func (m *Model) move(by int) {
	m.follows = true
	m.selectRow(m.selected + by)
}

// command handles the other keys.
func (m *Model) command(name string) Action {
	switch name {
	case "q":
		return Quit
	case "w":
		return Record
	case "enter", "tab":
		m.stack, m.scroll = !m.stack, 0
		m.follows = m.follows || m.stack
	case "s":
		m.sort = (m.sort + 1) % sortings
	case "r":
		m.reverse = !m.reverse
	case "f":
		m.state = (m.state + 1) % stateFilters
	case "g":
		m.group = (m.group + 1) % groupings
		m.key = rowKey{}
	case "/":
		m.prompt = prompt{open: true}
		if m.pattern != nil {
			m.prompt.text = m.pattern.String()
		}
	case "esc":
		m.pattern = nil
	case "p", "space", " ":
		m.paused = !m.paused && m.ended == ""
	case "?", "h":
		m.help = true
	default:
		return None
	}
	m.arrange()
	return None
}

// typed handles a key while the pattern is typed. The pattern applies at once.
func (m *Model) typed(name string) {
	p := &m.prompt
	switch name {
	case "enter":
		*p = prompt{}
		return
	case "esc":
		*p, m.pattern = prompt{}, nil
		m.arrange()
		return
	case "backspace":
		_, size := utf8.DecodeLastRuneInString(p.text)
		p.text = p.text[:len(p.text)-size]
	case "ctrl+u":
		p.text = ""
	case "space":
		p.text += " "
	default:
		if utf8.RuneCountInString(name) != 1 {
			return
		}
		p.text += name
	}
	m.match()
}

// Paste handles pasted text, which counts only while the pattern is typed.
func (m *Model) Paste(text string) {
	if m.prompt.open {
		m.prompt.text += strings.TrimSpace(text)
		m.match()
	}
}

// match applies the typed pattern. While it is not a valid regular expression, the one before stays.
func (m *Model) match() {
	p := &m.prompt
	if len(p.text) > maxPattern {
		p.text = strings.ToValidUTF8(p.text[:maxPattern], "")
	}
	re, err := regexp.Compile(p.text)
	switch {
	case err != nil:
		p.wrong = fmt.Sprint(err)
		return
	case p.text == "":
		re = nil
	}
	p.wrong, m.pattern = "", re
	m.arrange()
}
