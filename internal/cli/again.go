package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/source/file"
)

// failure is failure with a hint that can be typed as it is: the user's own command, for
// the target that failed. Where a file is to be piped to us, it goes to that command too.
func (e *Env) failure(err error) *analysis.Failure {
	f := failureOf(err, e.rerun)
	if elsewhere := e.elsewhere(err); elsewhere != "" {
		f.Message, f.Remedy = f.Message+"; "+elsewhere, attach.ShareNamespace
	}
	if foreign, ok := errAs[*file.ForeignError](err); ok {
		f.Remedy = strings.Replace(f.Remedy, "| jstall -", "| jstall "+e.again(foreign.Name), 1)
	}
	return f
}

// elsewhere says, of a process id that means no JVM, that /proc shows other ids than ours.
func (e *Env) elsewhere(err error) string {
	if _, notJVM := errAs[*jvm.NotJVMError](err); !notJVM && !errors.Is(err, jvm.ErrNoProcess) {
		return ""
	}
	return attach.ForeignProc(kernel.New(e.ProcRoot))
}

// again is what was typed, with standard input in the place of a file. Of many words it
// is the command alone.
func (e *Env) again(name string) string {
	const many = 8
	if len(e.Args) > many {
		if isCommand(e.Args[0]) {
			return e.Args[0] + " -"
		}
		return standard
	}
	words := make([]string, len(e.Args))
	for i, arg := range e.Args {
		if flag, found := strings.CutSuffix(arg, "="+name); found {
			arg = flag + "=" + standard
		} else if arg == name {
			arg = standard
		}
		words[i] = file.ShellWord(arg)
	}
	return strings.Join(words, " ")
}

// rerun is what was typed, for one target alone and as the remedy says: with its time
// limit, as another user.
func (e *Env) rerun(r attach.Rerun) string {
	typed := retyping{commands: newApp(&Env{}).Commands, remedy: r, words: []string{"jstall"}}
	for args := e.Args; len(args) > 0; {
		args = typed.next(args)
	}
	typed.limit()
	if len(e.Args) == 0 {
		typed.target()
	}
	return r.Around(strings.Join(typed.words, " "))
}

// retyping is a command line that is written anew, word by word.
type retyping struct {
	commands []*cli.Command
	remedy   attach.Rerun
	words    []string
	// command is the command's name, empty before it or if there is none.
	command string
	// limited is true if the time limit is written, targeted if the target is.
	limited, targeted bool
}

// next writes the first of the arguments and returns the rest.
func (t *retyping) next(args []string) []string {
	arg := args[0]
	switch {
	case arg == "--" && t.command == "flame":
		t.add(args...) // a program to start
		return nil
	case arg == "--":
		t.limit()
		t.add(arg)
		for range args[1:] {
			t.target()
		}
		return nil
	case len(arg) > 1 && arg[0] == '-':
		return args[t.flag(args):]
	case t.command == "" && !t.targeted && find(t.commands, arg) != nil:
		t.command = arg
		t.add(arg)
		t.limit()
		return args[1:]
	}
	t.limit()
	t.target()
	if verbatim[t.command] {
		t.add(args[1:]...)
		return nil
	}
	return args[1:]
}

// flag writes a flag with its value, but no time limit in the place of which the remedy
// has another. It returns how many arguments that were.
func (t *retyping) flag(args []string) int {
	name, n := flagName(args[0]), 1
	if valuedFlags(t.commands)(name) && !strings.Contains(args[0], "=") {
		n = min(2, len(args))
	}
	if name != "timeout" || t.remedy.Timeout == 0 {
		t.add(args[:n]...)
	}
	return n
}

// limit writes the remedy's time limit, once.
func (t *retyping) limit() {
	if t.remedy.Timeout > 0 && !t.limited {
		t.add("--timeout", fmt.Sprint(t.remedy.Timeout))
	}
	t.limited = true
}

// target writes the process in the place of what was typed for it, and of other targets
// nothing.
func (t *retyping) target() {
	if !t.targeted {
		t.add(strconv.Itoa(t.remedy.PID))
	}
	t.targeted = true
}

func (t *retyping) add(args ...string) {
	for _, arg := range args {
		t.words = append(t.words, file.ShellWord(arg))
	}
}
