// Package account has the commands that show what a JVM reports about itself: heap, metaspace, classes, compiler,
// flags.
package account

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/shell"
)

// views is the table of these commands.
func views() []view {
	return []view{
		gcHeapInfo(), vmMetaspace(), vmClassloaderStats(), classHistogram(), compilerQueue(),
		vmVitals(), vmFlags(), jvmSupport(), processesView(),
	}
}

// Names are the names of these commands.
func Names() (names []string) {
	for _, v := range views() {
		names = append(names, v.name)
	}
	return names
}

// Commands are the commands of the table.
func Commands(env *shell.Env) []*cli.Command {
	var commands []*cli.Command
	for _, v := range views() {
		commands = append(commands, v.command(env))
	}
	return commands
}
