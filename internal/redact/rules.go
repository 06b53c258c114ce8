package redact

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed rules.txt
var shipped string

// Rule recognises one kind of secret.
type Rule struct {
	// Kind is the name of the kind in pseudonyms and counts.
	Kind string
	// needles are lower-case texts. A line must contain one of them.
	needles []string
	// pattern is compiled on first use, as most rules are never used. near is the same expression for places around the
	// needles, or nil for a rule that may match far from them.
	pattern func() *regexp.Regexp
	near    func() *near
	// group is the number of the group to replace, 0 for the whole match.
	group int
	// named reports that the pattern matches a name, and that the secret is the value after it.
	named bool
	// words reports that the value may be several words, such as a list of cookies.
	words bool
	// toDelimiter reports that the text after a match, up to a delimiter, belongs to the secret.
	toDelimiter bool
	// inFrames reports that the secret is recognised by its form, and searched for in stack frames too.
	inFrames bool
}

// firstGroup means the first group that is not empty.
const firstGroup = -1

// Shipped returns the rules that are a part of jstall: its own (rules.txt), and those of gitleaks.
func Shipped() ([]Rule, error) {
	own, err := ParseRules(shipped)
	if err != nil {
		return nil, err
	}
	others, err := maintained()
	return append(own, others...), err
}

// ParseRules reads rules in the format of rules.txt: kind, needles and regular expression, separated by tabs; # begins
// a comment. An error names the line.
func ParseRules(text string) ([]Rule, error) {
	var rules []Rule
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		rule, err := parseRule(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		rules = append(rules, rule)
	}
	if len(rules) > maxOwnRules {
		return nil, fmt.Errorf("%d rules; %d are the most", len(rules), maxOwnRules)
	}
	return rules, nil
}

// maxOwnRules leaves room for the rules of gitleaks in the set of rules to try on a line.
const maxOwnRules = 100

// At the end of an expression, {value} and {words} are placeholders for the value of a name.
const valueMark, wordsMark = "{value}", "{words}"

func parseRule(line string) (Rule, error) {
	parts := strings.SplitN(line, "\t", 3)
	if len(parts) != 3 {
		return Rule{}, fmt.Errorf("a rule is kind, needles and regular expression, with tabs between")
	}
	r := Rule{Kind: strings.TrimSpace(parts[0]), needles: strings.Fields(strings.ToLower(parts[1]))}
	kind, before, isNear := strings.Cut(r.Kind, "^")
	most, err := strconv.Atoi(cmp.Or(before, usuallyBefore))
	if err != nil {
		return r, fmt.Errorf("%s: %q is not the number of characters before a needle", kind, before)
	}
	r.Kind, r.inFrames = strings.CutSuffix(kind, "!")
	r.toDelimiter = r.inFrames
	switch {
	case !isWord(r.Kind):
		return r, fmt.Errorf("the kind %q is not a word of letters, digits and dashes", r.Kind)
	case len(r.needles) == 0:
		return r, fmt.Errorf("%s has no needle: a text that its lines hold", r.Kind)
	}
	expression, value := strings.CutSuffix(parts[2], valueMark)
	expression, words := strings.CutSuffix(expression, wordsMark)
	r.named, r.words = value || words, words
	pattern, err := regexp.Compile(expression)
	if err != nil {
		return r, fmt.Errorf("%s: %w", r.Kind, err)
	}
	if pattern.MatchString("") {
		return r, fmt.Errorf("%s: its expression matches nothing at all", r.Kind)
	}
	r.pattern = func() *regexp.Regexp { return pattern }
	if isNear {
		r.near = sync.OnceValue(func() *near { return newNear(expression, most) })
	}
	r.group = max(pattern.SubexpIndex("secret"), 0)
	if r.named {
		r.group = max(pattern.SubexpIndex("name"), 0)
	}
	return r, nil
}

// places appends the matches in a line as regexp's FindSubmatchIndex does. begins are the places of the needles.
func (r *Rule) places(all [][]int, line []byte, begins []int) [][]int {
	if r.near != nil {
		return r.near().places(all, line, begins)
	}
	return append(all, r.pattern().FindAllSubmatchIndex(line, -1)...)
}

// secret returns the part of a match that is to be replaced, empty without one.
func (r *Rule) secret(line []byte, match []int) (from, to int) {
	if r.named {
		begin, end := match[2*r.group], match[2*r.group+1]
		if end <= begin { // not the name, but similar text
			return 0, 0
		}
		return namedValue(line, begin, end, r.words)
	}
	from, to = match[0], match[1]
	switch {
	case r.group > 0:
		from, to = match[2*r.group], match[2*r.group+1]
	case r.group == firstGroup:
		for g := 2; g < len(match); g += 2 {
			if match[g] >= 0 && match[g] < match[g+1] {
				from, to = match[g], match[g+1]
				break
			}
		}
	}
	if r.toDelimiter && from < to {
		to += tokenLength(line[to:])
	}
	return from, to
}

func isWord(s string) bool {
	for _, c := range s {
		if c != '-' && (c >= utf8.RuneSelf || !isAlphanumeric(byte(c))) {
			return false
		}
	}
	return s != ""
}
