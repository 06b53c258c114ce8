package redact

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

//go:embed rules.txt
var shipped string

// Rule tells one kind of secret.
type Rule struct {
	// Kind is the word for it in pseudonyms and counts.
	Kind string
	// needles are lower-case texts one of which a line must hold.
	needles []string
	pattern *regexp.Regexp
	// starts is made when it is first asked for, as most rules never are.
	starts func() *starts
	// group is the number of the group that is replaced, 0 for the whole match.
	group int
}

// Shipped are the rules that come with jstall (rules.txt).
func Shipped() ([]Rule, error) { return ParseRules(shipped) }

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
	if len(rules) > maxRules {
		return nil, fmt.Errorf("%d rules; %d are the most", len(rules), maxRules)
	}
	return rules, nil
}

// maxRules is how many fit the set of rules that a line is to be tried on.
const maxRules = 64

func parseRule(line string) (Rule, error) {
	parts := strings.SplitN(line, "\t", 3)
	if len(parts) != 3 {
		return Rule{}, fmt.Errorf("a rule is kind, needles and regular expression, with tabs between")
	}
	r := Rule{Kind: strings.TrimSpace(parts[0]), needles: strings.Fields(strings.ToLower(parts[1]))}
	switch {
	case !isWord(r.Kind):
		return r, fmt.Errorf("the kind %q is not a word of letters, digits and dashes", r.Kind)
	case len(r.needles) == 0:
		return r, fmt.Errorf("%s has no needle: a text that its lines hold", r.Kind)
	}
	pattern, err := regexp.Compile(parts[2])
	if err != nil {
		return r, fmt.Errorf("%s: %w", r.Kind, err)
	}
	if pattern.MatchString("") {
		return r, fmt.Errorf("%s: its expression matches nothing at all", r.Kind)
	}
	r.starts = sync.OnceValue(func() *starts { return newStarts(parts[2]) })
	r.pattern, r.group = pattern, max(pattern.SubexpIndex("secret"), 0)
	return r, nil
}

// places are the matches in a line, each as regexp's FindSubmatchIndex tells it.
func (r Rule) places(line []byte) [][]int {
	if s := r.starts(); s != nil {
		if all, ok := s.places(line); ok {
			return all
		}
	}
	return r.pattern.FindAllSubmatchIndex(line, -1)
}

func isWord(s string) bool {
	for _, c := range s {
		if !(c == '-' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9') {
			return false
		}
	}
	return s != ""
}
