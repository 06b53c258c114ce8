package attach

import (
	"fmt"
	"slices"
	"strings"
)

// Refusal returns why Execute never sends the command to the target: the command is not in Operations (CodeRequest), or
// a known bug of the target's release can end the JVM (CodeCrash). It is nil for a command that may be sent, and
// otherwise an *Error. Nothing overrides it, also not Client.Force.
func (c *Client) Refusal(t Target, cmd Command) error {
	if e := refusal(t, cmd); e != nil {
		return e
	}
	return nil
}

func refusal(t Target, cmd Command) *Error {
	operations := Operations()
	for _, request := range cmd.requests() {
		if !cmd.typed && !slices.ContainsFunc(operations, func(o Operation) bool { return o.sends(request) }) {
			return unlisted(t, request)
		}
		for _, o := range operations {
			if e := o.refusal(t, request); e != nil {
				return e
			}
		}
	}
	return nil
}

// refusal is why a request is not sent because of a bug of this operation.
func (o Operation) refusal(t Target, request []string) *Error {
	if !o.isOf(request) {
		return nil
	}
	for _, bug := range o.Crashes {
		if bug.hits(t, request) {
			return bug.refusal(t, request[0])
		}
	}
	return nil
}

// unlisted is the Error of a request that is not in the table.
func unlisted(t Target, request []string) *Error {
	return &Error{Phase: PhaseCheck, PID: t.PID, Code: CodeRequest,
		Cause: fmt.Sprintf("%q is not sent: it is not in the table of what jstall sends",
			strings.Join(request[:min(len(request), 2)], " ")),
		Remedy: "please report this error"}
}

// requests are the commands that the JVM would find in the request, a slice of words each.
func (c Command) requests() [][]string {
	switch {
	case c.name == loadName:
		return [][]string{append([]string{c.name}, c.args...)}
	case c.name != jcmdName:
		return [][]string{strings.Fields(c.name + " " + strings.Join(c.args, " "))}
	}
	var requests [][]string
	for line := range strings.SplitSeq(strings.Join(c.args, "\n"), "\n") {
		words := strings.Split(line, " ")
		if c.typed {
			words = strings.FieldsFunc(line, separates)
		}
		requests = append(requests, words)
	}
	return requests
}

// separates reports whether a character may separate words of a diagnostic command. HotSpot goes by isspace(3), which
// depends on the JVM's locale: all that is not printable ASCII counts here.
func separates(r rune) bool { return r <= ' ' || r > '~' }
