package threaddump

import (
	"encoding/binary"
	"fmt"
	"html"
	"strings"
	"testing"
	"unicode/utf16"
)

// copies are what becomes of a dump on its way to us: each must give the same threads.
var copies = map[string]func(text string) string{
	"UTF-16LE with a mark": func(t string) string { return "\xff\xfe" + inUTF16(t, binary.LittleEndian) },
	"UTF-16BE with a mark": func(t string) string { return "\xfe\xff" + inUTF16(t, binary.BigEndian) },
	"UTF-16LE":             func(t string) string { return inUTF16(t, binary.LittleEndian) },
	"UTF-16BE":             func(t string) string { return inUTF16(t, binary.BigEndian) },
	"UTF-8 with a mark":    func(t string) string { return "\ufeff" + t },
	"CR LF":                func(t string) string { return strings.ReplaceAll(t, "\n", "\r\n") },
	"HTML": func(t string) string {
		return "<html><body><pre>\n" + html.EscapeString(t) + "</pre></body></html>\n"
	},
	"HTML with breaks": func(t string) string {
		return "<p>" + strings.ReplaceAll(html.EscapeString(t), "\n", "<br/>\n") + "</p>"
	},
	"HTML in one line": func(t string) string {
		return "<div>" + strings.ReplaceAll(html.EscapeString(t), "\n", "<br>") + "</div>"
	},
	"HTML with hard blanks": func(t string) string {
		return "<pre>" + strings.ReplaceAll(html.EscapeString(t), "   ", "&nbsp;&nbsp; ") + "</pre>"
	},
	"raw in pre": func(t string) string {
		return "<details><summary>dump</summary>\n<pre>\n" + t + "</pre></details>\n"
	},
	"hard blanks": func(t string) string {
		return strings.ReplaceAll(strings.ReplaceAll(t, "\t",
			"    "), "  ", "\u00a0 ")
	},
	"typographic quotes": typographic,
	"colours":            eachLine(func(l string) string { return "\x1b[32m" + l + "\x1b[0m" }),
	"quoted":             eachLine(func(l string) string { return strings.TrimRight("> "+l, " ") }),
	"quoted twice":       eachLine(func(l string) string { return ">> " + l }),
	"indented":           eachLine(func(l string) string { return strings.TrimRight("    "+l, " ") }),
	"in a fence": func(t string) string {
		return "Hello,\n\nit hangs:\n\n```\n" + t + "```\n\nAny idea?\nBob\n"
	},
	"in Jira's noformat": func(t string) string {
		return "It hangs.\n{noformat}\n" + t + "{noformat}\nAny idea?\n"
	},
	"every second line empty":    func(t string) string { return strings.ReplaceAll(t, "\n", "\n\n") },
	"no blanks at the beginning": eachLine(func(l string) string { return strings.TrimLeft(l, " \t") }),
	"blanks for tabs":            func(t string) string { return strings.ReplaceAll(t, "\t", "        ") },
	"wrapped at blanks":          eachLine(func(l string) string { return wrapSoft(l, 72) }),
	"wrapped at 80 columns": func(t string) string {
		return eachLine(func(l string) string { return wrapHard(l, 80) })(strings.ReplaceAll(t, "\t", "        "))
	},
	"containerd's log": eachLine(func(l string) string { return "2026-11-20T15:00:18.2Z stdout F " + l }),
	"docker compose":   eachLine(func(l string) string { return "shop-1  | " + l }),
	"journal":          eachLine(func(l string) string { return "Nov 20 15:00:18 host java[4711]: " + l }),
	"a logger's":       eachLine(func(l string) string { return "2026-11-20 15:00:18,123 INFO  [stdout] (main) " + l }),
}

func inUTF16(text string, order binary.AppendByteOrder) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func eachLine(change func(string) string) func(string) string {
	return func(text string) string {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		for i, l := range lines {
			lines[i] = change(l)
		}
		return strings.Join(lines, "\n") + "\n"
	}
}

func typographic(text string) string {
	return eachLine(func(l string) string {
		if !strings.HasPrefix(l, `"`) {
			return l
		}
		return "“" + strings.Replace(l[1:], `"`, "”", 1)
	})(text)
}

// wrapSoft breaks a line at blanks, as mails do.
func wrapSoft(line string, width int) string {
	var out []string
	for len(line) > width {
		at := strings.LastIndexByte(strings.TrimRight(line[:width], " "), ' ')
		if at <= 0 || strings.TrimSpace(line[:at]) == "" {
			break
		}
		out = append(out, strings.TrimRight(line[:at], " "))
		line = strings.TrimLeft(line[at:], " ")
	}
	return strings.Join(append(out, line), "\n")
}

// wrapHard breaks a line anywhere, as terminals do.
func wrapHard(line string, width int) string {
	var out []string
	for len(line) > width {
		out = append(out, line[:width])
		line = line[width:]
	}
	return strings.Join(append(out, line), "\n")
}

// content is what the copies of a dump have in common.
func content(d *Dump) string {
	var b strings.Builder
	for _, t := range d.Threads {
		fmt.Fprintf(&b, "%s #%d %d %x %v %s %v %s", t.Name, t.ID, t.NativeID, t.TID, t.State, t.StateDetail, t.CPU,
			t.Condition)
		for _, f := range t.Stack {
			fmt.Fprintf(&b, "\n  %s", f.Text)
		}
		for _, l := range t.Locks {
			fmt.Fprintf(&b, "\n  %v %x %s at %d", l.Op, l.Address, l.Class, l.Depth)
		}
		b.WriteByte('\n')
	}
	for _, dl := range d.Deadlocks {
		for _, m := range dl.Members {
			fmt.Fprintf(&b, "%s by %s %x %s\n", m.Thread, m.HeldBy, m.Address, m.Class)
		}
	}
	return b.String()
}

func TestCopiesOfDumpsSayTheSame(t *testing.T) {
	for _, file := range []string{"jdk8/mondl-threaddump-l.txt", "jdk17/mondl-threaddump-l.txt",
		"jdk21/waits-threaddump-l-e.txt", "jdk27/rldl-threaddump-l.txt"} {
		text := string(read(t, "../testdata/dumps/"+file))
		want := content(one(t, []byte(text)))
		for name, change := range copies {
			copied := change(text)
			dumps, err := Parse([]byte(copied))
			if err != nil || len(dumps) != 1 {
				t.Errorf("%s, %s: %d dumps, %v", file, name, len(dumps), err)
				continue
			}
			if got := content(dumps[0]); got != want {
				t.Errorf("%s, %s: %s", file, name, firstDifference(want, got))
			}
			if dumps[0].Lost > 0 || len(dumps[0].Problems) > 0 {
				t.Errorf("%s, %s: lost %d, %+v", file, name, dumps[0].Lost, dumps[0].Problems)
			}
		}
	}
}

// Evidence quotes the line of the file, not that of the text that was made of it.
func TestLinesOfCopiesAreThoseOfTheFile(t *testing.T) {
	text := string(read(t, "../testdata/dumps/jdk17/mondl-threaddump-l.txt"))
	for _, name := range []string{"wrapped at blanks", "HTML with breaks", "UTF-16LE with a mark", "quoted",
		"every second line empty"} {
		copied := copies[name](text)
		plain := copied
		if strings.HasPrefix(name, "UTF-16") {
			plain = text
		}
		lines := strings.Split(plain, "\n")
		for _, th := range one(t, []byte(copied)).Threads {
			if line := lines[th.Line-1]; !strings.Contains(line, strings.Fields(th.Name)[0]) {
				t.Errorf("%s: %q is at line %d: %q", name, th.Name, th.Line, line)
			}
			for _, l := range th.Locks {
				if line := lines[l.Line-1]; !strings.Contains(line, fmt.Sprintf("%016x", l.Address)) {
					t.Errorf("%s: lock %x at line %d: %q", name, l.Address, l.Line, line)
				}
			}
		}
	}
}
