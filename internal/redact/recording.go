package redact

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"jstall/internal/jfr"
	"jstall/internal/jfr/rewrite"
)

// Recording copies a flight recording without the secrets in its texts, chunk by chunk, and tells how many chunks it
// wrote. Before an error these are a recording that can be read.
func (r *Redactor) Recording(out io.Writer, in io.Reader) (chunks int, err error) {
	return rewrite.Copy(out, in, recording{r, map[rewrite.Text]string{}})
}

// recording redacts the texts of a flight recording.
type recording struct {
	by *Redactor
	// done are texts that come again and again.
	done map[rewrite.Text]string
}

// mostDone bounds how many texts are kept, each of longestDone bytes at most.
const (
	mostDone    = 1 << 14
	longestDone = 1 << 10
)

// Names of what holds names of users and machines.
var (
	namesOfUsers = []string{"user.name", "USER", "LOGNAME", "USERNAME"}
	namesOfHosts = []string{"HOSTNAME", "COMPUTERNAME", "host"}
)

const systemProperty = "jdk.InitialSystemProperty"

// Learn keeps the names of users and machines in mind, for wherever they stand.
func (r recording) Learn(t rewrite.Text) {
	if slices.Contains(namesOfUsers, t.Name) {
		r.know("user", t.Value)
	}
	if slices.Contains(namesOfHosts, t.Name) {
		r.know("host", t.Value)
	}
}

func (r recording) know(kind, value string) {
	if !slices.ContainsFunc(r.by.known, func(s secret) bool { return string(s.value) == value }) {
		r.by.Know(kind, value)
	}
}

// Change redacts a text as it would be beside its name: "password=hunter2".
func (r recording) Change(t rewrite.Text) string {
	if isSymbol(t) {
		return t.Value
	}
	known, ok := r.done[t]
	if ok {
		return known
	}
	changed := r.change(t)
	if len(r.done) < mostDone && len(t.Value) <= longestDone {
		r.done[t] = changed
	}
	return changed
}

func (r recording) change(t rewrite.Text) string {
	if t.Type != nil && t.Type.Name == systemProperty && t.Field != nil && t.Field.Name == "value" {
		line := strings.ReplaceAll(t.Value, "\n", " ")
		if changed := r.beside(t.Name+"=", line, "", r.by.Properties); changed != line {
			return changed
		}
		return t.Value
	}
	if t.Name == "" {
		return r.text(t.Value)
	}
	changed := r.beside(t.Name+"=", t.Value, "", r.by.Text)
	first, _, more := strings.Cut(t.Value, " ")
	if more && !strings.HasPrefix(changed, first) && !strings.ContainsAny(t.Value, "\"\\\n") {
		// the name tells that it is secret: all of it
		changed = r.beside(t.Name+`="`, t.Value, `"`, r.by.Text)
	}
	return changed
}

// beside redacts a text between two others, and without them if they do not stay.
func (r recording) beside(before, value, after string, redact func([]byte) []byte) string {
	all := redact([]byte(before + value + after))
	rest, begins := bytes.CutPrefix(all, []byte(before))
	inner, ends := bytes.CutSuffix(rest, []byte(after))
	if !begins || !ends {
		return r.text(value)
	}
	return string(inner)
}

func (r recording) text(value string) string { return string(r.by.Text([]byte(value))) }

// isSymbol recognises names of classes, methods and their types, which are no secrets, and what describes events of
// the JVM.
func isSymbol(t rewrite.Text) bool {
	switch {
	case t.Type == nil:
		return strings.HasPrefix(t.Value, "jdk.") || strings.HasPrefix(t.Value, "java.")
	case t.Type.Name == jfr.NameOfSymbol:
		return !strings.ContainsAny(t.Value, ":=@ \\")
	}
	return false
}
