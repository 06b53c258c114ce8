package attach

import (
	"fmt"
	"strconv"
	"strings"
)

// The limits of a request.
const (
	maxCommandV1 = 16          // bytes of the command, AttachOperation::name_length_max
	maxArgV1     = 1024        // bytes of one argument, arg_length_max
	argsV1       = 3           // arguments of every request, arg_count_max
	maxPayloadV2 = 256<<10 - 1 // bytes after the length
)

// The operations of the protocol that a JVM is asked for, but for getversion.
const (
	dumpName = "threaddump"
	jcmdName = "jcmd"
	loadName = "load"
)

// ThreadDump is the command for a thread dump in a JVM of the given Java version
// (0 if unknown), with the owned java.util.concurrent locks if locks is true:
// that walks the heap while the JVM is stopped. From 11 on it asks for
// allocation and defined classes per thread too, which makes the dump take 2 % longer.
func ThreadDump(javaMajor int, locks bool) Command {
	var options []string
	if locks {
		options = append(options, "-l")
	}
	if javaMajor >= 11 {
		options = append(options, "-e")
	}
	return Command{name: dumpName, args: []string{strings.Join(options, " ")}}
}

// PlainThreadDump is the command for a thread dump without owned locks, allocation and
// classes, in a JVM of any version.
func PlainThreadDump() Command { return ThreadDump(0, false) }

// Jcmd is the command that executes diagnostic commands, each a line such as
// "GC.heap_info", in one request. The outputs follow each other without a
// separator; the first command that fails ends the request. Lines that are not a form of
// one of the Operations are not sent.
func Jcmd(lines ...string) Command {
	return Command{name: jcmdName, args: []string{strings.Join(lines, "\n")}}
}

// Typed is Jcmd for what a user typed. It may be any diagnostic command, but not one with a known crash on the target's
// release.
func Typed(line string) Command {
	return Command{name: jcmdName, args: []string{line}, typed: true}
}

// LoadAgent is the command that has the JVM load the agent library at an absolute path, or find it loaded,
// and call its Agent_OnAttach with the options. The answer is "return code: N" (before 9 "N"), or says why the
// library was not loaded. The library stays loaded.
func LoadAgent(path, options string) Command {
	return Command{name: loadName, args: []string{path, "true", options}}
}

// GetVersion is the command for the protocol version and its options: "2 streaming" from 24 on. Older JVMs do not know
// it.
func GetVersion() Command {
	return Command{name: "getversion", args: []string{"options"}}
}

// title is the command for people: a diagnostic command by its own name.
func (c Command) title() string {
	if c.name == jcmdName && len(c.args) > 0 {
		if words := strings.Fields(c.args[0]); len(words) > 0 {
			return words[0]
		}
	}
	return c.name
}

// check returns why no version of the protocol can carry the command.
func (c Command) check() error {
	if c.name == "" {
		return fmt.Errorf("the command is empty")
	}
	for _, s := range append([]string{c.name}, c.args...) {
		if strings.Contains(s, "\x00") {
			return fmt.Errorf("%q holds a NUL character", s)
		}
	}
	return nil
}

// encodeV1 returns the request in version 1, or why that cannot carry it.
func (c Command) encodeV1() ([]byte, error) {
	if len(c.name) > maxCommandV1 {
		return nil, fmt.Errorf("the command has %d bytes, this JVM takes %d", len(c.name), maxCommandV1)
	}
	if len(c.args) > argsV1 {
		return nil, fmt.Errorf("%d arguments, this JVM takes %d", len(c.args), argsV1)
	}
	for i, a := range c.args {
		if len(a) > maxArgV1 {
			return nil, fmt.Errorf("argument %d has %d bytes, this JVM takes %d", i+1, len(a), maxArgV1)
		}
	}
	return append([]byte("1\x00"), c.strings(c.name)...), nil
}

// encodeV2 returns the request in version 2, with the option that makes the JVM
// run on before the answer is read.
func (c Command) encodeV2() ([]byte, error) {
	payload := c.strings(c.name + " streaming=0")
	if len(payload) > maxPayloadV2 {
		return nil, fmt.Errorf("the request has %d bytes, this JVM takes %d", len(payload), maxPayloadV2)
	}
	request := append([]byte("2\x00"), strconv.Itoa(len(payload))...)
	return append(append(request, 0), payload...), nil
}

// strings returns name and at least three arguments, each ended by a NUL: the
// JVM's operations look at their first arguments unasked.
func (c Command) strings(name string) []byte {
	b := append([]byte(name), 0)
	for i := range max(len(c.args), argsV1) {
		if i < len(c.args) {
			b = append(b, c.args[i]...)
		}
		b = append(b, 0)
	}
	return b
}
