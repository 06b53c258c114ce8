package main

import (
	"runtime/debug"
	"testing"
)

func TestVersionOfGoBuild(t *testing.T) {
	for _, c := range []struct {
		module, revision, version, commit string
	}{
		{"v0.1.0", "1121f516c0debb3b6b4d1f5f1d9a4f9d5a5c3c1e", "0.1.0", "1121f516c0de"},
		{"v0.0.0-20261128200652-1121f516c0de+dirty", "1121f516c0debb3b6b4d1f5f1d9a4f9d5a5c3c1e",
			"0.0.0-20261128200652-1121f516c0de+dirty", "1121f516c0de"},
		{"(devel)", "", "dev", "unknown"}, // outside of a clone, or with -buildvcs=false
		{"", "", "dev", "unknown"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.module},
			Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: c.revision}}}
		if version, commit := noted(info); version != c.version || commit != c.commit {
			t.Errorf("%s of %s: %s (%s), want %s (%s)", c.module, c.revision, version, commit, c.version, c.commit)
		}
	}
}
