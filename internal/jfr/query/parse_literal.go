package query

import (
	"strconv"
	"strings"
	"time"
)

// condition reads a comparison of a field with a value.
func (p *parser) condition() Condition {
	c := Condition{Path: p.path()}
	for _, operator := range []string{"=", "!=", "<=", ">=", "<", ">", "CONTAINS"} {
		if p.accept(operator) {
			c.Operator = operator
			c.Value = p.literal()
			return c
		}
	}
	p.fail("name = 'Pause Young'", "a comparison (= != < <= > >= CONTAINS) expected, not %s", p.peek())
	return c
}

// literal reads a value: a text, a number, true or false.
func (p *parser) literal() Literal {
	t := p.peek()
	switch t.kind {
	case textToken:
		p.take()
		return Literal{Text: t.text}
	case wordToken: // true, false
		p.take()
		return Literal{Text: t.text}
	case numberToken:
		if n, ok := quantity(t.text); ok {
			p.take()
			return Literal{Text: t.text, Number: n, IsNumber: true}
		}
	}
	p.fail("put a text in quotes; a number may have a unit: 10ms, 2MB, 50%", "a value expected, not %s", t)
	return Literal{}
}

// quantity reads a number with a unit. Times are in nanoseconds, sizes in bytes, and 50% is 0.5.
func quantity(text string) (float64, bool) {
	end := strings.LastIndexAny(text, "0123456789.") + 1
	n, err := strconv.ParseFloat(text[:end], 64)
	factor, known := units()[text[end:]]
	return n * factor, err == nil && known
}

// units maps the unit of a number to its factor. As in the JVM, 1 kB is 1024 bytes.
func units() map[string]float64 {
	return map[string]float64{
		"": 1, "ns": 1, "us": float64(time.Microsecond), "ms": float64(time.Millisecond), "s": float64(time.Second),
		"m": float64(time.Minute), "h": float64(time.Hour), "d": float64(24 * time.Hour),
		"kB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "%": 0.01,
	}
}

// format reads the properties of a column, separated by semicolons.
func (p *parser) format() Format {
	f := Format{Milliseconds: -1}
	p.property(&f)
	for p.err == nil && p.accept(";") {
		p.property(&f)
	}
	return f
}

func (p *parser) property(f *Format) {
	name := p.name("a property")
	switch name {
	case "none":
	case "normalized":
		f.Normalized = true
	case "truncate-beginning":
		f.FromBeginning = true
	case "truncate-end":
		f.FromBeginning = false
	case "cell-height":
		p.expect(":", "cell-height:5")
		f.CellHeight = p.whole("cell-height")
	case "missing":
		p.expect(":", "missing:whitespace")
		word := p.alias()
		if word == "whitespace" {
			word = ""
		}
		f.Missing = &word
	case "ms-precision":
		p.expect(":", "ms-precision:6")
		f.Milliseconds = p.whole("ms-precision")
	default:
		p.next--
		p.fail("properties: none, normalized, truncate-beginning, truncate-end, cell-height:N, missing:WORD, "+
			"ms-precision:N", "there is no property %q", name)
	}
}
