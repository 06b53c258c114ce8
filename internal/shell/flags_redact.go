package shell

import (
	"os"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/redact"
)

// RedactFlags are the flags of the commands that take captures.
func RedactFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "redact",
			Usage: "replace passwords, tokens, user and host names and similar data with pseudonyms"},
		&cli.StringFlag{Name: "redact-rules",
			Usage: "use the rules in `FILE` in addition to the built-in ones; implies --redact"},
	}
}

// ReadRedactor returns the redactor that the flags ask for, nil without such flags.
func ReadRedactor(c *cli.Context) (*redact.Redactor, error) {
	if !c.Bool("redact") && c.String("redact-rules") == "" {
		return nil, nil
	}
	r, err := NewRedactor(c.String("redact-rules"))
	if err != nil {
		return nil, err
	}
	if host, err := os.Hostname(); err == nil {
		r.Know("host", host)
	}
	return r, nil
}

// NewRedactor has the built-in rules, and those of the file at path unless that is empty.
func NewRedactor(path string) (*redact.Redactor, error) {
	rules, err := redact.Shipped()
	if err != nil {
		return nil, err
	}
	if path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, NoResult("", "%v", err)
		}
		own, err := redact.ParseRules(string(text))
		if err != nil {
			return nil, Usage("jstall redact --help describes the format of rules", "%s: %v", path, err)
		}
		rules = append(own, rules...)
	}
	return redact.New(rules, nil), nil
}
