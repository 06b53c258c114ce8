package cli

import (
	"context"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/watch"
)

// completionFlag, as the last argument, asks for the completions of the argument before it: one candidate a line, which
// may have a tab and a description. Names of other users' JVMs are among them, so the scripts must never let a shell
// expand a line.
const completionFlag = "--generate-completion"

// filesWord is the line that asks the script for file names; no candidate has its form.
const filesWord = ":files"

const bashCompletion = `# bash completion for jstall; source it, or: jstall completion bash > /etc/bash_completion.d/jstall
_jstall() {
	local typed="${COMP_WORDS[COMP_CWORD]}" cur word file
	cur="${typed#=}" # bash makes a word of the sign in --format=json
	COMPREPLY=()
	while IFS= read -r word; do
		word="${word%%$'\t'*}" # bash shows no descriptions
		if [[ "$word" == :files ]]; then
			# bash quotes file names only, and our own quotes once more
			if ((${#COMPREPLY[@]} == 0)); then compopt -o filenames; fi
			while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$cur")
		elif [[ "$word" == "$cur"* ]]; then
			COMPREPLY+=("$(printf %q "$word")")
		fi
	done < <("${COMP_WORDS[@]:0:COMP_CWORD}" "$typed" --generate-completion 2>/dev/null)
}
complete -F _jstall jstall
`

const zshCompletion = `#compdef jstall
# zsh completion for jstall; put it into a folder of $fpath as _jstall
_jstall() {
	local -a found described
	local line word
	found=("${(@f)$("${(@)words[1,CURRENT-1]}" "${words[CURRENT]}" --generate-completion 2>/dev/null)}")
	for line in "${(@)found:#:files}"; do
		word="${line%%$'\t'*}"
		if [[ -z "$word" ]]; then continue; fi
		word="${${word//\\/\\\\}//:/\\:}" # _describe parts the word from its description by a colon
		if [[ "$line" == *$'\t'* ]]; then word+=":${line#*$'\t'}"; fi
		described+=("$word")
	done
	if (( $#described )); then _describe -V jstall described; fi
	if (( ${found[(Ie):files]} )); then _files; fi
}
# loaded by its name, this file is the function's body the first time
if [[ "${funcstack[1]}" == _jstall ]]; then _jstall "$@"; else compdef _jstall jstall; fi
`

const fishCompletion = `# fish completion for jstall; put it into ~/.config/fish/completions/jstall.fish
function __jstall_complete
	set -l words (commandline -opc)
	set -l current (commandline -ct)
	for word in (command $words "$current" --generate-completion 2>/dev/null)
		if test "$word" = :files
			__fish_complete_path "$current"
		else
			printf '%s\n' $word
		end
	end
end
complete -c jstall -f -a '(__jstall_complete)'
`

func completionCommand(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "completion", Usage: "print a completion script for bash, zsh or fish", ArgsUsage: "bash|zsh|fish",
		Description: `Examples:
   source <(jstall completion bash)
   jstall completion fish > ~/.config/fish/completions/jstall.fish`,
		Action: func(c *cli.Context) error {
			script, err := completionScript(c)
			if err != nil {
				return err
			}
			_, err = io.WriteString(env.Stdout, script)
			return err
		},
	}
}

func completionScript(c *cli.Context) (string, error) {
	if c.NArg() > 1 {
		return "", shell.Usage("jstall completion "+c.Args().First(), "completion is for one shell, not for %d",
			c.NArg())
	}
	switch name := c.Args().First(); name {
	case "bash":
		return bashCompletion, nil
	case "zsh":
		return zshCompletion, nil
	case "fish":
		return fishCompletion, nil
	default:
		return "", shell.Usage("jstall completion bash", "completion needs bash, zsh or fish, not %q", name)
	}
}

// flagValues are the values of the flags that have only a few.
var flagValues = map[string]string{
	"format": "text json markdown", "jfr format": "table json csv ndjson", "color": "auto always never",
	"locks": "auto always never", "virtual": "auto always never", "via": "auto attach memory",
	"fail-on": "critical warning", "schema": "2 3",
	"engine": "auto perf jfr dumps async", "event": "cpu wall alloc lock nativemem", "weight": "cpu wall samples",
	"as": "html pprof collapsed speedscope json",
	"on": "ssh: docker: podman: k8s: exec:",
}

// complete prints the completions of the last of the words.
func complete(ctx context.Context, env *shell.Env, commands []*cli.Command, words []string) error {
	if values, ok := valuesFor(words, commands); ok {
		return offer(env, values)
	}
	words = joinValues(words)
	current := words[len(words)-1]
	before, err := split(words[:len(words)-1], commands, verbatim)
	if err != nil {
		return err
	}
	command, first := find(commands, "status"), len(before.words) == 0
	if !first && !before.dashed {
		if c := find(commands, before.words[0]); c != nil {
			command = c
		}
	}
	switch {
	case verbatim[command.Name] && len(before.words) > 1: // its words are not ours
		return offer(env, arguments(ctx, env, command, commands, before.words))
	case strings.HasPrefix(current, "-") && current != source.Stdin && !before.dashed:
		return offer(env, flagsOf(command))
	case first && !before.dashed:
		return offer(env, append(append(commandNames(commands), targetNames(ctx, env)...), filesToo))
	}
	return offer(env, arguments(ctx, env, command, commands, before.words))
}

// valuesFor returns the completions of the last of the words as a value of a flag; false if it is not such a value.
func valuesFor(words []string, commands []*cli.Command) ([]candidate, bool) {
	last := words[len(words)-1]
	words = joinValues(words)
	current := words[len(words)-1]
	if flag, _, ok := strings.Cut(current, "="); ok && strings.HasPrefix(flag, "-") {
		before := flag + "="
		if last != current { // bash takes the value for a separate word
			before = ""
		}
		if before == "" && takesFile(shell.FlagName(flag), commands) {
			return []candidate{filesToo}, true
		}
		return valuesOf(before, ofCommand(words, shell.FlagName(flag)), strings.TrimPrefix(current, flag+"=")), true
	}
	if len(words) == 1 {
		return nil, false
	}
	flag := words[len(words)-2]
	if words[0] == "jfr" && flag == "--schema" { // the flag has no value there
		return nil, false
	}
	if !strings.HasPrefix(flag, "-") || strings.Contains(flag, "=") || !valuedFlags(commands)(shell.FlagName(flag)) {
		return nil, false
	}
	if takesFile(shell.FlagName(flag), commands) {
		return []candidate{filesToo}, true
	}
	return valuesOf("", ofCommand(words, shell.FlagName(flag)), current), true
}

// ofCommand returns the flag with its command if its values differ from those in other commands.
func ofCommand(words []string, flag string) string {
	if own := words[0] + " " + flag; flagValues[own] != "" {
		return own
	}
	return flag
}

// valuesOf returns the values of a flag, each with the prefix. typed is the part that was typed. Triggers are a list.
func valuesOf(prefix, flag, typed string) []candidate {
	if flag != "when" {
		return plain(prefix, strings.Fields(flagValues[flag])...)
	}
	return plain(prefix+typed[:strings.LastIndexByte(typed, ',')+1], watch.Names()...)
}

// takesFile reports whether a file or folder is the value of the flag, by its placeholder.
func takesFile(flag string, commands []*cli.Command) bool {
	for _, c := range commands {
		for _, f := range c.Flags {
			if doc, ok := f.(cli.DocGenerationFlag); ok && slices.Contains(f.Names(), flag) {
				value, _ := placeholder(f, doc.GetUsage())
				return slices.Contains([]string{"FILE", "BASE", "DIR", "FOLDER"}, value)
			}
		}
	}
	return false
}

// joinValues joins flags with their values, which bash splits into separate words: --format, =, json.
func joinValues(words []string) []string {
	var out []string
	for i, word := range words {
		n := len(out) - 1
		sign := word == "=" || i > 0 && words[i-1] == "="
		if sign && n >= 0 && strings.HasPrefix(out[n], "-") {
			out[n] += word
			continue
		}
		out = append(out, word)
	}
	return out
}

// arguments returns the candidates for the next argument of a command, given the words before it.
func arguments(ctx context.Context, env *shell.Env, c *cli.Command, commands []*cli.Command,
	before []string) []candidate {
	switch {
	case before[0] == "help":
		return commandNames(commands)
	case c.Name == "completion":
		return plain("", "bash", "zsh", "fish")
	case verbatim[c.Name] && (len(before) == 2 || len(before) == 3 && before[2] == "help"):
		return diagnosticCommands()
	case c.Name == "schema", c.Name == "man":
		return nil
	case (verbatim[c.Name] || c.Name == "classes" || c.Name == "methods") && len(before) > 1:
		return nil
	case verbatim[c.Name], c.Name == "list", c.Name == "doctor", c.Name == "top", c.Name == "watch",
		c.Name == "methods":
		return targetNames(ctx, env)
	}
	return append(targetNames(ctx, env), filesToo)
}

// typable matches the names that mean the same to every shell once they are quoted.
var typable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.$][A-Za-z0-9_.$-]*$`) })
