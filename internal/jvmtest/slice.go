//go:build linux

package jvmtest

import (
	"os"
	"slices"
	"testing"
)

// Everywhere reports whether tests run on every JDK and in every mode that they know, as make heavy and make matrix ask
// for by HEAVY=1 and MATRIX=1. Otherwise they take a slice.
func Everywhere() bool { return os.Getenv("HEAVY") != "" || os.Getenv("MATRIX") != "" }

// Some is for tests whose result depends little on the release: JDK 8 and 25, and all of [Available] with HEAVY=1 or
// MATRIX=1.
func Some(tb testing.TB) []JDK {
	tb.Helper()
	all := Available(tb)
	if Everywhere() {
		return all
	}
	some := slices.DeleteFunc(slices.Clone(all), func(j JDK) bool { return j.Version != 8 && j.Version != 25 })
	if len(some) == 0 {
		return all[:1]
	}
	return some
}
