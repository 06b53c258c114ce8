package redact

import (
	"io"
	"slices"
	"strings"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/jfr/rewrite"
)

// Recording copies one flight recording without its secrets.
type Recording struct {
	by     *Redactor
	copied rewrite.Copied
	// done are texts that recur, names whether the name of a value shows that it is secret.
	done  map[rewrite.Text]redacted
	names map[string]string
	known map[string]bool
	// telling are the secrets that [Recording.Check] searches for, everywhere those that it has found.
	telling    map[string]string
	everywhere []secret
}

// redacted is a text without its secrets, and the kind of each.
type redacted struct {
	text  string
	kinds []string
}

// Recording returns a redactor for one flight recording.
func (r *Redactor) Recording() *Recording {
	return &Recording{by: r, names: map[string]string{}, known: map[string]bool{}}
}

// Copy writes the recording without the secrets in its texts, chunk by chunk, and returns how many chunks it wrote.
// After an error these chunks are a valid recording. The counts of the redactor are those of the last copy.
func (c *Recording) Copy(out io.Writer, in io.Reader) (chunks int, err error) {
	c.by.mu.Lock()
	clear(c.by.counts)
	c.by.mu.Unlock()
	c.done, c.telling = map[rewrite.Text]redacted{}, map[string]string{}
	c.copied, err = rewrite.Copy(out, in, texts{c})
	return c.copied.Chunks(), err
}

// texts redacts the texts of a flight recording.
type texts struct{ *Recording }

// Bounds on what is kept: texts, of at most longestDone bytes, names of values, and names of users and hosts, each of
// which is searched for in every text.
const (
	mostDone    = 1 << 14
	longestDone = 1 << 10
	mostNames   = 1 << 12
	mostKnown   = 256
)

// Learn remembers the names of users and machines, to find them in every place.
func (c texts) Learn(t rewrite.Text) {
	if kind, name := nameIn(t); name != "" && len(c.known) < mostKnown && !c.known[name] {
		c.known[name] = true
		c.by.Know(kind, name)
		clear(c.done)
	}
}

// nameIn is the name of a user or host in a text, empty without one.
func nameIn(t rewrite.Text) (kind, name string) {
	switch t.Name {
	case "user.name", "USER", "LOGNAME", "USERNAME":
		return "user", t.Value
	case "user.home", "HOME", "USERPROFILE":
		path := strings.ReplaceAll(t.Value, `\`, "/")
		folder, user := "", strings.TrimRight(path, "/")
		if i := strings.LastIndexByte(user, '/'); i >= 0 {
			folder, user = user[:i], user[i+1:]
		}
		if strings.HasSuffix(folder, "/home") || strings.HasSuffix(folder, "/Users") {
			return "user", user
		}
	case "HOSTNAME", "COMPUTERNAME":
		return "host", t.Value
	}
	if !isHost(t.Name) || strings.ContainsAny(t.Value, " /=\n") || strings.Trim(t.Value, "0123456789.") == "" {
		return "", ""
	}
	return "host", t.Value
}

// isHost reports whether the field with that name has a host: host, peerHost.
func isHost(name string) bool { return name == "host" || strings.HasSuffix(name, "Host") }

// Change redacts a text as if it followed its name: "password=hunter2".
func (c texts) Change(t rewrite.Text) string {
	done, ok := c.done[t]
	if !ok {
		done = c.redacted(t)
		if len(c.done) < mostDone && len(t.Value) <= longestDone {
			c.done[t] = done
		}
	}
	if len(done.kinds) > 0 {
		c.by.mu.Lock()
		for _, kind := range done.kinds {
			c.by.counts[kind]++
		}
		c.by.mu.Unlock()
	}
	return done.text
}

// redacted redacts a text. It counts the secrets, and keeps those that identify themselves in every place.
func (c texts) redacted(t rewrite.Text) redacted {
	a := attempt{of: c.Recording, by: &Redactor{
		rules: c.by.rules, needles: c.by.needles, key: c.by.key, known: c.by.known, counts: map[string]int{},
	}}
	a.by.replaced = a.replaced
	done := redacted{text: a.change(t)}
	for _, s := range a.secrets {
		done.kinds = append(done.kinds, s.kind)
		if isTelling(s) && len(c.telling) < mostTelling {
			c.telling[string(s.value)] = s.kind
		}
	}
	return done
}

// attempt redacts one text.
type attempt struct {
	of *Recording
	// by has separate counts, as several ways to redact a text may be tried.
	by      *Redactor
	secrets []secret
}

func (a *attempt) replaced(kind string, value []byte) {
	a.secrets = append(a.secrets, secret{kind, value})
}

func (a *attempt) change(t rewrite.Text) string {
	value := a.withoutKnown(t.Value)
	switch {
	case t.Type == nil && (strings.HasPrefix(value, "jdk.") || strings.HasPrefix(value, "java.")):
		return value // a description of events of the JVM
	case isSymbol(t, value):
		return a.code(value)
	case t.Type == nil:
		return a.description(value)
	case t.Name == "":
		return a.text(value)
	case t.Name == "PWD" || t.Name == "OLDPWD": // folders
		t.Name = "path"
	}
	kind := a.kindOf(t.Name)
	if kind != "" && !isPublic([]byte(value)) {
		a.secrets = nil
		return string(a.by.begin().pseudonym(kind, []byte(value)))
	}
	return a.named(t, value)
}

// withoutKnown replaces the secrets that an earlier copy had left.
func (a *attempt) withoutKnown(value string) string {
	for _, s := range a.of.everywhere {
		if strings.Contains(value, string(s.value)) {
			value = strings.ReplaceAll(value, string(s.value), string(a.by.begin().pseudonym(s.kind, s.value)))
		}
	}
	return value
}

// isSymbol recognises a name in code, including C++. Other symbols are paths and places of modules.
func isSymbol(t rewrite.Text, value string) bool {
	if t.Type == nil || t.Type.Name != jfr.NameOfSymbol || strings.HasPrefix(value, "/") {
		return false
	}
	return isCode([]byte(value)) || strings.Contains(value, "::") && !strings.ContainsAny(value, `=@\/`)
}

// code redacts a name in code like the frames of a stack.
func (a *attempt) code(value string) string {
	p := a.by.begin()
	line := []byte(value)
	return string(p.replace(nil, line, merge(line, p.findPlain(line, true))))
}

// description redacts a text that describes events. Words alone are not secret: "Basic statistics".
func (a *attempt) description(value string) string {
	changed := a.text(value)
	isOdd := func(c byte) bool { return c < 'a' || c > 'z' }
	if slices.ContainsFunc(a.secrets, func(s secret) bool { return slices.ContainsFunc(s.value, isOdd) }) {
		return changed
	}
	a.secrets = nil
	return value
}

// named redacts a value whose name does not show that it is secret.
func (a *attempt) named(t rewrite.Text, value string) string {
	switch of(t) {
	case "jdk.InitialSystemProperty.value":
		if strings.Contains(t.Name, "=") || isPlainProperty(t.Name) || isPublic([]byte(value)) {
			break
		}
		a.secrets = nil
		return string(a.by.begin().pseudonym("property", []byte(value)))
	case "jdk.JVMInformation.jvmArguments": // options may have blanks
		return a.inContext("jvm_args: ", value, "", a.by.Text)
	case "jdk.JVMInformation.javaArguments":
		return a.inContext("java_command: ", value, "", a.by.Text)
	case "jdk.SystemProcess.commandLine":
		return a.inContext("Command Line: ", value, "", a.by.Text)
	}
	return a.inContext(t.Name+"=", value, "", a.by.Text)
}

// of returns the field, with its type, that a text is in.
func of(t rewrite.Text) string {
	if t.Type == nil || t.Field == nil {
		return ""
	}
	return t.Type.Name + "." + t.Field.Name
}

// sample is an arbitrary value.
const sample = "q7Zk2pXw9v"

// kindOf is the kind of secret of the values of a name, empty if they may be harmless.
func (a *attempt) kindOf(name string) string {
	const longestName = 256
	kind, known := a.of.names[name]
	switch {
	case known:
		return kind
	case isHost(name):
		return "host"
	case len(name) > longestName || strings.ContainsAny(name, "=\n"):
		return ""
	}
	p := a.by.begin()
	for _, e := range p.find([]byte(name+"="+sample), false) {
		if e.from == len(name)+1 && e.to == len(name)+1+len(sample) {
			kind = e.kind
		}
	}
	if len(a.of.names) < mostNames {
		a.of.names[name] = kind
	}
	return kind
}

// inContext redacts a value between two other texts, or without them if the redaction changes those.
func (a *attempt) inContext(before, value, after string, redact func([]byte) []byte) string {
	kept := len(a.secrets)
	all := string(redact([]byte(before + value + after)))
	rest, begins := strings.CutPrefix(all, before)
	inner, ends := strings.CutSuffix(rest, after)
	if !begins || !ends {
		a.secrets = a.secrets[:kept]
		return a.text(value)
	}
	return inner
}

func (a *attempt) text(value string) string { return string(a.by.Text([]byte(value))) }
