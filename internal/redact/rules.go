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
	// Kind is the word for it in pseudonyms and counts.
	Kind string
	// needles are lower-case texts one of which a line must hold.
	needles []string
	// pattern is made when it is first asked for, as most rules never are. near is the same, or nil for a rule that may
	// match far from its needles.
	pattern func() *regexp.Regexp
	near    func() *near
	// group is the number of the group that is replaced, 0 for the whole match.
	group int
	// named is true if the pattern matches a name, behind which the secret is its value.
	named bool
	// words is true if the value may be several words, as a list of cookies is.
	words bool
	// toDelimiter is true if what follows a match up to a delimiter is a part of the secret.
	toDelimiter bool
	// inFrames is true if the secret is recognised by its form, and looked for in stack frames too.
	inFrames bool
}

// firstGroup stands for the first group that is not empty.
const firstGroup = -1

// Shipped are the rules that come with jstall: its own (rules.txt), and those of gitleaks.
func Shipped() ([]Rule, error) {
	own, err := ParseRules(shipped)
	if err != nil {
		return nil, err
	}
	others, err := maintained()
	return append(own, others...), err
}

// ParseRules reads rules in the format of rules.txt: kind, needles and regular
// expression, between tabs; # begins a comment. An error names the line.
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

// At its end, {value} and {words} in an expression stand for the value of a name.
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

// places are the matches in a line, each as regexp's FindSubmatchIndex returns it. begins are where needles are.
func (r Rule) places(line []byte, begins []int) [][]int {
	if r.near != nil {
		return r.near().places(line, begins)
	}
	return r.pattern().FindAllSubmatchIndex(line, -1)
}

// secret is the part of a match that is to be replaced, empty without one.
func (r Rule) secret(line []byte, match []int) (from, to int) {
	if r.named {
		begin, end := match[2*r.group], match[2*r.group+1]
		if end <= begin { // not the name, but what looks like it
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
