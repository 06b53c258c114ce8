package jvm

import (
	"path"
	"strconv"
	"strings"
)

// shortVersion removes what the packager has added after the build number, as in "21.0.13+9-Debian-1", "25.0.3+9-LTS".
// A version without a build number is not changed.
func shortVersion(version string) string {
	number, build, ok := strings.Cut(version, "+")
	if !ok {
		return version
	}
	return number + "+" + build[:digits(build)]
}

func digits(text string) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// majorOf is the feature release of "21.0.13+9", "22-ea" or "1.8.0_504".
func majorOf(version string) int {
	version = strings.TrimPrefix(version, "1.")
	n, _ := strconv.Atoi(version[:digits(version)])
	return n
}

// versionOf prefers the build's version to that of the Java platform. On 8 the build's version is that of the VM alone
// ("25.504-b01").
func versionOf(vm, platform string) string {
	if platform == "" || majorOf(platform) > 8 && majorOf(vm) == majorOf(platform) {
		return shortVersion(vm)
	}
	return platform
}

// parseRelease reads JAVA_RUNTIME_VERSION and JAVA_VERSION of a JDK's release file; it is empty without both.
func parseRelease(text string) string {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		values[key] = strings.Trim(value, `"`)
	}
	platform := values["JAVA_VERSION"]
	if platform == "" {
		return ""
	}
	return versionOf(values["JAVA_RUNTIME_VERSION"], platform)
}

// ReleaseFiles are the possible paths of the release file, nearest first: libjvm.so is in lib/server (9 and newer),
// lib/ARCH/server or jre/lib/ARCH/server.
func ReleaseFiles(libjvm string) []string {
	const levels = 4
	var files []string
	dir := path.Dir(path.Dir(libjvm))
	for range levels {
		if dir = path.Dir(dir); dir == "/" || dir == "." {
			break
		}
		files = append(files, path.Join(dir, "release"))
	}
	return files
}

// layoutMajor recognises Java 8 by the path of libjvm.so, jre/lib/ARCH/server, which 9 changed; 0 for any other.
func layoutMajor(libjvm string) int {
	lib := path.Dir(path.Dir(path.Dir(libjvm)))
	if path.Base(lib) == "lib" && path.Base(path.Dir(lib)) == "jre" {
		return 8
	}
	return 0
}
