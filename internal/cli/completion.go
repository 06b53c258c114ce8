package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

const bashCompletion = `# bash completion for jstall; source it, or: jstall completion bash > /etc/bash_completion.d/jstall
_jstall() {
	local cur words
	cur="${COMP_WORDS[COMP_CWORD]}"
	words=("${COMP_WORDS[@]:0:COMP_CWORD}")
	if [[ "$cur" == -* ]]; then words+=("$cur"); fi
	COMPREPLY=($(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$cur"))
	if [[ "$cur" != -* ]]; then COMPREPLY+=($(compgen -f -- "$cur")); fi
}
complete -o filenames -F _jstall jstall
`

const zshCompletion = `#compdef jstall
# zsh completion for jstall; put it into a folder of $fpath as _jstall
_jstall() {
	local -a found words_before
	words_before=("${(@)words[1,CURRENT-1]}")
	[[ "$words[CURRENT]" == -* ]] && words_before+=("$words[CURRENT]")
	found=("${(@f)$("${words_before[@]}" --generate-bash-completion 2>/dev/null)}")
	compadd -- $found
	_files
}
compdef _jstall jstall
`

func completionCommand(env *Env) *cli.Command {
	return &cli.Command{
		Name: "completion", Usage: "print a completion script for bash, zsh or fish", ArgsUsage: "bash|zsh|fish",
		Description: `Examples:
   source <(jstall completion bash)
   jstall completion fish > ~/.config/fish/completions/jstall.fish`,
		BashComplete: func(*cli.Context) { fmt.Fprintln(env.Stdout, "bash\nzsh\nfish") },
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
	switch shell := c.Args().First(); shell {
	case "bash":
		return bashCompletion, nil
	case "zsh":
		return zshCompletion, nil
	case "fish":
		return c.App.ToFishCompletion()
	default:
		return "", usage("jstall completion bash", "completion needs bash, zsh or fish, not %q", shell)
	}
}

// completeTargets offers what may follow a command: its flags if one was begun,
// else the pids and names of running JVMs.
func completeTargets(c *cli.Context, env *Env) {
	if last := lastWord(env.Args); strings.HasPrefix(last, "-") {
		cli.DefaultCompleteWithFlags(c.Command)(c)
		return
	}
	_, rows, err := listRows(c.Context, env, nil, 0)
	if err != nil {
		return
	}
	fmt.Fprintln(env.Stdout, "all")
	for _, row := range rows {
		fmt.Fprintln(env.Stdout, row.PID)
		if row.MainClass != "" && !strings.ContainsAny(row.MainClass, " \n") {
			fmt.Fprintln(env.Stdout, row.MainClass)
		}
	}
}

// lastWord is the last argument before the completion flag.
func lastWord(args []string) string {
	if len(args) < 2 {
		return ""
	}
	return args[len(args)-2]
}
