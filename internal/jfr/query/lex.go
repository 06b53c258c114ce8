package query

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind is what a token is.
type tokenKind int

const (
	endToken tokenKind = iota
	wordToken
	textToken
	numberToken
	signToken
)

// token is a word, a text without its quotes, a number with its unit, or a sign.
type token struct {
	kind tokenKind
	text string
	at   int // in bytes
}

// SyntaxError is a query that cannot be read.
type SyntaxError struct {
	// At is where in the query, in bytes.
	At int
	// Problem says what is wrong there, Hint what is valid there; it may be empty.
	Problem, Hint string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s (character %d)", e.Problem, e.At+1) }

// maxQuery is the length of a query in bytes.
const maxQuery = 64 << 10

// tokens splits a query. The last token is its end.
func tokens(text string) ([]token, error) {
	if len(text) > maxQuery {
		return nil, &SyntaxError{Problem: fmt.Sprintf("the query is longer than %d bytes", maxQuery)}
	}
	var found []token
	for at := 0; at < len(text); {
		first, width := utf8.DecodeRuneInString(text[at:])
		if unicode.IsSpace(first) {
			at += width
			continue
		}
		t, err := tokenAt(text, at, first)
		if err != nil {
			return nil, err
		}
		found = append(found, t)
		at = t.at + len(t.text)
		if t.kind == textToken {
			at += 2
		}
	}
	return append(found, token{kind: endToken, at: len(text)}), nil
}

func tokenAt(text string, at int, first rune) (token, error) {
	rest := text[at:]
	switch {
	case first == '\'' || first == '"':
		end := strings.IndexByte(rest[1:], byte(first))
		if end < 0 {
			return token{}, &SyntaxError{At: at, Problem: "the text has no closing quote"}
		}
		return token{textToken, rest[1 : 1+end], at}, nil
	case isDigit(first) || first == '-' && len(rest) > 1 && isDigit(rune(rest[1])):
		return token{numberToken, spanOf(rest, isNumeral), at}, nil
	case isNameStart(first):
		return token{wordToken, spanOf(rest, isName), at}, nil
	}
	for _, sign := range []string{"!=", "<=", ">=", "<", ">", "=", ",", ".", "(", ")", "*", ";", ":"} {
		if strings.HasPrefix(rest, sign) {
			return token{signToken, sign, at}, nil
		}
	}
	return token{}, &SyntaxError{At: at, Problem: fmt.Sprintf("%q has no meaning in a query", first)}
}

// spanOf is the beginning of a text that consists of such characters, at least the first one.
func spanOf(text string, of func(rune) bool) string {
	for i, r := range text {
		if i > 0 && !of(r) {
			return text[:i]
		}
	}
	return text
}

func isDigit(r rune) bool     { return '0' <= r && r <= '9' }
func isNameStart(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }
func isName(r rune) bool      { return isNameStart(r) || isDigit(r) || r == '-' || r == '/' }
func isNumeral(r rune) bool   { return isDigit(r) || r == '.' || r == '%' || unicode.IsLetter(r) }
