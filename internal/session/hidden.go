package session

import (
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/shell"
)

func PrintHidden(env *shell.Env, found *jvm.Found) {
	if found.Hidden > 0 {
		env.Say("jstall: %s\n", HiddenOnes(found))
	}
	for _, pid := range found.TimedOut {
		env.Say("jstall: process %d left out: the kernel did not answer in time; its state: cat /proc/%d/status\n", pid,
			pid)
	}
}
