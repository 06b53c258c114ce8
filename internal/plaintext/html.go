package plaintext

import (
	"bytes"
	"html"
	"strings"
)

// htmlSigns are texts that a line of a web page has and a line of a dump does not.
var htmlSigns = [...]string{"&quot;", "&lt;", "&#34;", "&#x22;", "&#60;", "&#39;", "&nbsp;"}

// isHTML recognises a line of a web page; all following lines count as such.
func (r *Reader) isHTML(line []byte) bool {
	if r.html {
		return true
	}
	if bytes.IndexByte(line, '<') < 0 && bytes.IndexByte(line, '&') < 0 {
		return false
	}
	line = withoutQuoted(line)
	if bytes.IndexByte(line, '&') >= 0 {
		for _, sign := range htmlSigns {
			r.html = r.html || bytes.Contains(line, []byte(sign))
		}
	}
	for rest := line; !r.html; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			break
		}
		if len(rest) > i+1 && rest[i+1] != '0' { // otherwise it is an address, as in most lines of a dump
			_, isTag := tags[tagName(rest[i:])]
			r.html = isTag && bytes.IndexByte(rest[i:], '>') >= 0
		}
		rest = rest[i+1:]
	}
	return r.html
}

// withoutQuoted removes text in quotes, as a thread may have any name.
func withoutQuoted(line []byte) []byte {
	first := bytes.IndexByte(line, '"')
	if first < 0 {
		return line
	}
	last := bytes.LastIndexByte(line, '"')
	if first == last {
		return line
	}
	if i := bytes.IndexByte(line, '<'); i >= 0 && i < first && tagName(line[i:]) != "" {
		return line // of a tag
	}
	return append(bytes.Clone(line[:first]), line[last:]...)
}

// tags are the tags that are removed; true for those that end a line.
var tags = map[string]bool{
	"br": true, "p": true, "div": true, "li": true, "tr": true, "pre": true, "h1": true, "h2": true, "h3": true,
	"h4": true, "html": true, "head": true, "body": true, "title": true, "table": true, "ul": true, "ol": true,
	"blockquote": true, "details": true, "summary": true, "!doctype": true, "textarea": true, "section": true,
	"article": true,
	"span":    false, "b": false, "i": false, "em": false, "strong": false, "code": false, "tt": false, "font": false,
	"a": false, "td": false, "th": false, "tbody": false, "thead": false, "kbd": false, "samp": false, "u": false,
	"meta": false, "link": false, "small": false, "big": false, "mark": false, "wbr": false, "img": false, "hr": false,
}

// tagName is the name of the tag that begins here, in small letters, empty without one: "<0x00000000fc00d798>" and
// "<init>" are not tags.
func tagName(b []byte) string {
	b = bytes.TrimPrefix(b[1:], []byte("/"))
	n := 0
	for n < len(b) && n < 12 && (b[n] == '!' && n == 0 || b[n] >= '0' && b[n] <= '9' ||
		b[n]|0x20 >= 'a' && b[n]|0x20 <= 'z') {
		n++
	}
	if n == 0 || n < len(b) && bytes.IndexByte([]byte(" \t/>"), b[n]) < 0 {
		return ""
	}
	return strings.ToLower(string(b[:n]))
}

// withoutTags removes the tags from a line of a web page, and returns the lines in it.
func (r *Reader) withoutTags(line []byte) [][]byte {
	var parts [][]byte
	var part []byte
	ended := false // the line before ended at a tag, and nothing has followed
	if r.inTag {
		end := bytes.IndexByte(line, '>')
		if end < 0 {
			return [][]byte{nil}
		}
		line, r.inTag = line[end+1:], false
	}
	for len(line) > 0 {
		i := bytes.IndexByte(line, '<')
		if i < 0 {
			break
		}
		breaks, known := tags[tagName(line[i:])]
		if !known {
			part, line = append(part, line[:i+1]...), line[i+1:]
			continue
		}
		end := bytes.IndexByte(line[i:], '>')
		part = append(part, line[:i]...)
		if end < 0 {
			r.inTag, line = true, nil
			break
		}
		isBR := strings.HasPrefix(tagName(line[i:]), "br")
		line = line[i+end+1:]
		if breaks && (isBR || len(bytes.TrimSpace(part)) > 0) {
			parts, part = append(parts, unescaped(part)), nil
			ended = true
		}
	}
	part = append(part, line...)
	if ended && len(bytes.TrimSpace(part)) == 0 {
		return parts
	}
	return append(parts, unescaped(part))
}

// unescaped replaces entities by characters.
func unescaped(text []byte) []byte {
	if bytes.IndexByte(text, '&') < 0 {
		return text
	}
	return plainCharacters([]byte(html.UnescapeString(string(text))))
}
