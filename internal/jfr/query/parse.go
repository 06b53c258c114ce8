package query

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads a query. Its errors are *SyntaxError.
func Parse(text string) (*Query, error) {
	all, err := tokens(text)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: all}
	q := p.query()
	if p.err != nil {
		return nil, p.err
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	return q, nil
}

// parser walks the tokens of a query. After the first error it changes nothing.
type parser struct {
	tokens []token
	next   int
	err    error
}

func (p *parser) peek() token { return p.tokens[p.next] }

func (p *parser) take() token {
	t := p.peek()
	if t.kind != endToken {
		p.next++
	}
	return t
}

// fail keeps the first error, at the next token.
func (p *parser) fail(hint, format string, args ...any) {
	if p.err == nil {
		p.err = &SyntaxError{At: p.peek().at, Problem: fmt.Sprintf(format, args...), Hint: hint}
		p.next = len(p.tokens) - 1
	}
}

// is reports that the next token is a word of the language, or a sign.
func (p *parser) is(word string) bool {
	t := p.peek()
	return t.kind == wordToken && strings.EqualFold(t.text, word) || t.kind == signToken && t.text == word
}

// accept takes the next token if it is the word or sign.
func (p *parser) accept(word string) bool {
	if !p.is(word) {
		return false
	}
	p.take()
	return true
}

func (p *parser) expect(word, hint string) {
	if !p.accept(word) {
		p.fail(hint, "%s expected, not %s", word, p.peek())
	}
}

// String is a token as errors quote it.
func (t token) String() string {
	if t.kind == endToken {
		return "the end of the query"
	}
	return strconv.Quote(t.text)
}

// list reads what is separated by commas.
func (p *parser) list(one func()) {
	one()
	for p.err == nil && p.accept(",") {
		one()
	}
}

func (p *parser) query() *Query {
	q := &Query{}
	var titles []string
	var formats []Format
	if p.accept("COLUMN") {
		p.list(func() { titles = append(titles, p.text("COLUMN")) })
	}
	if p.accept("FORMAT") {
		p.list(func() { formats = append(formats, p.format()) })
	}
	p.expect("SELECT", "SELECT startTime, duration FROM jdk.GarbageCollection")
	if !p.accept("*") {
		p.list(func() { q.Items = append(q.Items, p.item(true)) })
	}
	p.expect("FROM", "FROM names the events: FROM jdk.GarbageCollection")
	p.list(func() { q.Sources = append(q.Sources, p.source()) })
	if p.accept("WHERE") {
		q.Where = append(q.Where, p.condition())
		for p.err == nil && p.accept("AND") {
			q.Where = append(q.Where, p.condition())
		}
	}
	if p.accept("GROUP") {
		p.expect("BY", "GROUP BY eventThread")
		p.list(func() { q.GroupBy = append(q.GroupBy, p.path()) })
	}
	if p.accept("ORDER") {
		p.expect("BY", "ORDER BY duration DESC")
		p.list(func() { q.OrderBy = append(q.OrderBy, p.order()) })
	}
	if p.accept("LIMIT") {
		q.Limit = p.whole("LIMIT")
	}
	if p.peek().kind != endToken {
		p.fail("clauses come in the order SELECT, FROM, WHERE, GROUP BY, ORDER BY, LIMIT",
			"%s was not expected here", p.peek())
	}
	p.headings(q, titles, formats)
	return q
}

// headings gives the items the titles and formats before SELECT.
func (p *parser) headings(q *Query, titles []string, formats []Format) {
	for _, given := range []struct {
		clause string
		count  int
	}{{"COLUMN", len(titles)}, {"FORMAT", len(formats)}} {
		if given.count > 0 && given.count != len(q.Items) {
			p.fail("", "%s has %d values for %d columns", given.clause, given.count, len(q.Items))
			return
		}
	}
	for i := range titles {
		q.Items[i].Title = titles[i]
	}
	for i := range formats {
		q.Items[i].Format = formats[i]
	}
}

func (p *parser) text(of string) string {
	if p.peek().kind != textToken {
		p.fail(of+" 'Name'", "a text in quotes expected, not %s", p.peek())
		return ""
	}
	return p.take().text
}

func (p *parser) whole(of string) int {
	n, err := strconv.Atoi(p.peek().text)
	if p.peek().kind != numberToken || err != nil || n < 1 {
		p.fail(of+" 25", "a whole number above 0 expected, not %s", p.peek())
		return 0
	}
	p.take()
	return n
}

func (p *parser) name(what string) string {
	if p.peek().kind != wordToken {
		p.fail("", "%s expected, not %s", what, p.peek())
		return ""
	}
	return p.take().text
}

func (p *parser) path() Path {
	path := Path{p.name("a field")}
	for p.err == nil && p.accept(".") {
		path = append(path, p.name("a field"))
	}
	return path
}

// item reads a column; the alias may be a name or a text.
func (p *parser) item(aliased bool) Item {
	i := Item{Format: Format{Milliseconds: -1}}
	if word := p.peek(); word.kind == wordToken && p.tokens[p.next+1].text == "(" {
		if !isFunction(word.text) {
			p.fail(functionNames(), "there is no function %s", word)
			return i
		}
		p.next += 2
		i.Function = Function(strings.ToUpper(word.text))
		if !p.accept("*") {
			i.Path = p.path()
		} else if i.Function != Count {
			p.fail("COUNT(*)", "%s needs a field", i.Function)
		}
		p.expect(")", "")
	} else {
		i.Path = p.path()
	}
	if aliased && p.accept("AS") {
		i.Alias = p.alias()
	}
	return i
}

func functionNames() string {
	var names []string
	for _, f := range Functions() {
		names = append(names, string(f))
	}
	return "functions: " + strings.Join(names, " ")
}

func (p *parser) alias() string {
	if p.peek().kind == textToken {
		return p.take().text
	}
	return p.name("a name")
}

func (p *parser) source() Source {
	var s Source
	if p.accept("*") {
		s.Type = "*"
	} else {
		s.Type = p.path().String()
	}
	if p.accept("AS") {
		s.Alias = p.alias()
	}
	return s
}

func (p *parser) order() Order {
	o := Order{Item: p.item(false)}
	switch {
	case p.accept("DESC"):
		o.Desc = true
	case p.accept("ASC"):
	}
	return o
}
