package main

import (
	"runtime/debug"
	"strings"
)

// version and commit are set by the linker where make or a release build it.
var version, commit string

// built are the version and the commit of this program: those of the linker, else those that go build notes of the
// checkout that it builds in, which are absent outside of one.
func built() (string, string) {
	if version != "" {
		return version, commit
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev", "unknown"
	}
	return noted(info)
}

func noted(info *debug.BuildInfo) (string, string) {
	version, commit := "dev", "unknown"
	if v := strings.TrimPrefix(info.Main.Version, "v"); v != "" && v != "(devel)" {
		version = v
	}
	const short = 12 // digits, as git rev-parse --short=12
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= short {
			commit = s.Value[:short]
		}
	}
	return version, commit
}
