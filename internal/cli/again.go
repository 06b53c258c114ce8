package cli

import (
	"strings"

	"jstall/analysis"
	"jstall/internal/capture"
)

// failure is failure with a hint that can be typed as it is: where a file is to be piped
// to us, to the command that it was for.
func (e *Env) failure(err error) *analysis.Failure {
	f := failure(err)
	if foreign, ok := errAs[*capture.ForeignError](err); ok {
		f.Remedy = strings.Replace(f.Remedy, "| jstall -", "| jstall "+e.again(foreign.Name), 1)
	}
	return f
}

// again is what was typed, with standard input in the place of a file. Of many words it
// is the command alone.
func (e *Env) again(file string) string {
	const many = 8
	if len(e.Args) > many {
		if isCommand(e.Args[0]) {
			return e.Args[0] + " -"
		}
		return standard
	}
	words := make([]string, len(e.Args))
	for i, arg := range e.Args {
		if flag, found := strings.CutSuffix(arg, "="+file); found {
			arg = flag + "=" + standard
		} else if arg == file {
			arg = standard
		}
		words[i] = capture.ShellWord(arg)
	}
	return strings.Join(words, " ")
}
