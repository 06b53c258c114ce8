package shell

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/source"
)

// ViaFlag is for every command that takes thread dumps of running JVMs.
func ViaFlag() cli.Flag {
	return &cli.StringFlag{Name: "via", Value: "auto",
		Usage: "how dumps are taken; attach: by a request to the JVM; memory: from the JVM's memory, nothing is " +
			"sent; auto: by a request, and from memory if an attach is unsafe or gets no answer"}
}

// CheckVia refuses values that --via does not have.
func CheckVia(via source.Via) error {
	switch via {
	case "", source.ViaAuto, source.ViaAttach, source.ViaMemory: // empty if a command has no such flag
		return nil
	}
	return Usage("--via memory", "--via is auto, attach or memory, not %q", string(via))
}

// ViaMemoryNeedsNo is the error of a flag that needs the JVM's help.
func ViaMemoryNeedsNo(flag string) error {
	return Usage("--via auto, or without "+flag, "--via memory asks the JVM nothing, and %s needs its answer", flag)
}
