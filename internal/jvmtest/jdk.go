//go:build linux

package jvmtest

import (
	"bufio"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// System is the version to ask Find for when any JDK will do.
const System = "system"

// JDK is a Java installation, perhaps only its runtime.
type JDK struct {
	// Version is the feature release: 8, 11, 17 …
	Version int
	// Home is the folder with bin/java.
	Home string
}

// Java is the path of the launcher.
func (j JDK) Java() string { return j.tool("java") }

// Tool is the path of a program of the JDK, such as jcmd; a runtime has none,
// then it is empty.
func (j JDK) Tool(name string) string {
	if path := j.tool(name); executable(path) {
		return path
	}
	return ""
}

func (j JDK) tool(name string) string { return filepath.Join(j.Home, "bin", name) }

// Find is the JDK of a feature release ("8", "21"), or of any with System. It
// looks in $JSTALL_JDKS/jdk (by default ~/.cache/jstall/jdks/jdk, which
// scripts/jdks.sh fills), in /usr/lib/jvm, and for java on the PATH.
func Find(tb testing.TB, version string) JDK {
	tb.Helper()
	if version == System {
		if all := system(); len(all) > 0 {
			return all[0]
		}
	}
	all := installed()
	for _, jdk := range all {
		if version == System || strconv.Itoa(jdk.Version) == version {
			return jdk
		}
	}
	Lack(tb, "no JDK %s here: run make jdks (looked in %s, /usr/lib/jvm and the PATH)", version, ownJDKs())
	return JDK{}
}

// Newest is the JDK with the highest release of at least atLeast.
func Newest(tb testing.TB, atLeast int) JDK {
	tb.Helper()
	all := installed()
	if len(all) > 0 && all[len(all)-1].Version >= atLeast {
		return all[len(all)-1]
	}
	Lack(tb, "no JDK %d or newer here: run make jdks (looked in %s, /usr/lib/jvm and the PATH)", atLeast, ownJDKs())
	return JDK{}
}

// Available is one JDK of each feature release, oldest first, at least one.
// Under REQUIRE_ALL=1 it also proves that 8, 21, 25 and one newer than 25 are there.
func Available(tb testing.TB) []JDK {
	tb.Helper()
	Find(tb, System)
	if os.Getenv("REQUIRE_ALL") == "1" {
		Find(tb, "8")
		Find(tb, "21")
		Find(tb, "25")
		Newest(tb, 26)
	}
	return installed()
}

// Builds is every JDK of this machine, oldest first: of one release those of all
// makers.
func Builds(tb testing.TB) []JDK {
	tb.Helper()
	Find(tb, System)
	all := every()
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(j JDK) bool {
		label := j.Label()
		was := seen[label]
		seen[label] = true
		return was
	})
}

// Label names a build by release and maker: "25 Temurin", "17 Debian", or "8" where
// its release file does not say who made it.
func (j JDK) Label() string {
	text, _ := os.ReadFile(filepath.Join(j.Home, "release"))
	_, maker, _ := strings.Cut(string(text), `IMPLEMENTOR="`)
	maker, _, _ = strings.Cut(maker, `"`)
	maker, _, _ = strings.Cut(strings.ReplaceAll(maker, "Eclipse Adoptium", "Temurin"), " ")
	return strings.TrimSpace(strconv.Itoa(j.Version) + " " + maker)
}

// ownJDKs is the folder that scripts/jdks.sh fills.
func ownJDKs() string {
	if dir := os.Getenv("JSTALL_JDKS"); dir != "" {
		return filepath.Join(dir, "jdk")
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, ".cache/jstall/jdks/jdk")
}

// installed is one JDK of each release, oldest first; our own before the system's.
func installed() []JDK {
	return slices.CompactFunc(every(), func(a, b JDK) bool { return a.Version == b.Version })
}

// every is all JDKs, oldest first; of one release our own before the system's.
func every() []JDK {
	own, _ := filepath.Glob(filepath.Join(ownJDKs(), "*"))
	var all []JDK
	for _, home := range own {
		if version, err := strconv.Atoi(filepath.Base(home)); err == nil &&
			executable(filepath.Join(home, "bin/java")) {
			all = append(all, JDK{version, home})
		}
	}
	all = append(all, system()...)
	slices.SortStableFunc(all, func(a, b JDK) int { return cmp.Compare(a.Version, b.Version) })
	return all
}

// system is what the machine itself offers: first java on the PATH, then /usr/lib/jvm.
func system() []JDK {
	var homes []string
	if java, err := exec.LookPath("java"); err == nil {
		if real, err := filepath.EvalSymlinks(java); err == nil {
			homes = append(homes, filepath.Dir(filepath.Dir(real)))
		}
	}
	packaged, _ := filepath.Glob("/usr/lib/jvm/*")
	var all []JDK
	for _, home := range append(homes, packaged...) {
		if version := release(home); version > 0 {
			all = append(all, JDK{version, home})
		}
	}
	return all
}

var releaseVersion = regexp.MustCompile(`^JAVA_VERSION="(?:1\.)?(\d+)`)

// release reads the feature release from JAVA_VERSION="17.0.15" in a JDK's
// release file ("1.8.0_504" before 9); 0 if it is no JDK.
func release(home string) int {
	file, err := os.Open(filepath.Join(home, "release"))
	if err != nil || !executable(filepath.Join(home, "bin/java")) {
		return 0
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if m := releaseVersion.FindStringSubmatch(strings.TrimSpace(lines.Text())); m != nil {
			version, _ := strconv.Atoi(m[1])
			return version
		}
	}
	return 0
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
