//go:build linux

package jvmtest

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// Locales are those that print numbers with another sign or other digits than C.
var Locales = []string{"de_DE", "fr_FR", "fa_IR", "ar_EG"}

// LocaleEnv is the environment in which a JVM runs under each of Locales, and under C, by name.
// The locales are made of the system's sources, in a folder of the test's own.
func LocaleEnv(tb testing.TB) map[string][]string {
	tb.Helper()
	folder := tb.TempDir()
	envs := map[string][]string{"C": {"LC_ALL=C"}}
	for _, name := range Locales {
		// localedef exits with a nonzero status if a locale lacks something, and makes the locale anyway.
		out, err := exec.Command("localedef", "--no-archive", "-i", name, "-f", "UTF-8",
			filepath.Join(folder, name+".UTF-8")).CombinedOutput()
		made, _ := filepath.Glob(filepath.Join(folder, name+".UTF-8", "LC_NUMERIC"))
		if len(made) == 0 {
			Lack(tb, "no locale %s can be made: %v, %s (Debian: the package locales)", name, err, out)
		}
		envs[name] = []string{"LOCPATH=" + folder, "LC_ALL=" + name + ".UTF-8"}
	}
	return envs
}
