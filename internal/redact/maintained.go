package redact

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Parts that the rules of gitleaks share. Its generator puts them around every secret.
const (
	// theirPrefix matches the text before a vendor's name. It does not affect the result, and is slow.
	theirPrefix = `[\w.-]{0,50}?`
	// theirEnd and theirOtherEnd require what follows a secret in source code. In text much else may follow it.
	theirEnd      = `(?:[\x60'"\s;]|\\[nr]|$)`
	theirOtherEnd = `(?:$|[\\'"\x60\s<),])`
	// theirAssignment matches the text between a name and its value, ourAssignment the same including XML and lists.
	theirAssignment = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`
	ourAssignment   = `(?:[\\\])]{0,2}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=\\\[({]{0,5}|value\s*=\s*["'])`
)

// leftOut are rules of gitleaks that do not suit text: one takes any long word after "key" or "access", one is tried on
// every line with "sk", and the others span lines. The rules in rules.txt find the same secrets.
var leftOut = map[string]bool{
	"generic-api-key": true, "twilio-api-key": true, "kubernetes-secret-yaml": true, "private-key": true,
	"curl-auth-header": true, "curl-auth-user": true,
}

//go:embed gitleaks/gitleaks.toml
var theirFile []byte

// maintained are the rules of gitleaks, as in its release (gitleaks/README.md). Their limits on randomness and their
// lists of exceptions are not used, as an unnecessary pseudonym does less harm than a secret.
var maintained = sync.OnceValues(func() ([]Rule, error) {
	file, err := theirRulesIn(theirFile)
	if err != nil {
		return nil, fmt.Errorf("the rules of gitleaks: %w", err)
	}
	var rules []Rule
	for _, r := range file {
		if r.regex == "" || len(r.keywords) == 0 || leftOut[r.id] {
			continue
		}
		rules = append(rules, maintainedRule(r.id, r.regex, r.keywords))
	}
	return rules, nil
})

// theirRule is what we use of a rule of gitleaks.
type theirRule struct {
	id, regex string
	keywords  []string
}

// theirRulesIn returns the rules in a file of gitleaks. Only the parser of go-toml is used: its decoder would add 0.14
// MB to the binary.
func theirRulesIn(file []byte) (rules []theirRule, err error) {
	var p unstable.Parser
	p.Reset(file)
	inRule := false
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.KeyValue { // the head of a table: [[rules]], [[rules.allowlists]]
			if inRule = key(e) == "rules"; inRule {
				rules = append(rules, theirRule{})
			}
			continue
		}
		if !inRule {
			continue
		}
		r := &rules[len(rules)-1]
		switch value := e.Value(); key(e) {
		case "id":
			r.id = string(value.Data)
		case "regex":
			r.regex = string(value.Data)
		case "keywords":
			for each := value.Children(); each.Next(); {
				r.keywords = append(r.keywords, string(each.Node().Data))
			}
		}
	}
	return rules, p.Error()
}

// key is the key of a value, or the name of a table, with dots.
func key(e *unstable.Node) string {
	var parts []string
	for part := e.Key(); part.Next(); {
		parts = append(parts, string(part.Node().Data))
	}
	return strings.Join(parts, ".")
}

// maintainedRule converts a rule of gitleaks. Its expression is compiled at the first line with one of its keywords, as
// most rules are never used.
func maintainedRule(id, expression string, keywords []string) Rule {
	adapted := strings.NewReplacer(theirPrefix, "", theirEnd, "", theirOtherEnd, "", theirAssignment, ourAssignment).
		Replace(expression)
	var needles []string
	for _, k := range keywords {
		if len(k) < 4 && strings.Contains(expression, `\b`) { // "s." is in every other line, but rarely begins a word
			k = "^" + k
		}
		needles = append(needles, strings.ToLower(k))
	}
	r := Rule{
		Kind: strings.ToLower(id), needles: needles, toDelimiter: true,
		inFrames: !strings.Contains(expression, theirAssignment),
	}
	r.pattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(adapted) })
	r.group = firstGroup
	return r
}
