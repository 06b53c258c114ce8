package profile

import (
	"archive/zip"
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
)

// readAsync reads the library from a file: the file itself, or an entry of a jar. jar reports which.
func readAsync(name string) (content []byte, jar bool, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return nil, false, err
	}
	if !info.Mode().IsRegular() {
		return nil, false, errors.New("it is not a regular file")
	}
	if archive, notJar := zip.NewReader(file, info.Size()); notJar == nil {
		content, err = asyncInJar(archive)
		jar = true
	} else {
		content, err = readLibrary(file)
	}
	if err != nil {
		return nil, jar, err
	}
	return content, jar, checkAsync(content)
}

func readLibrary(in io.Reader) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(in, maxLibrary+1))
	if err == nil && len(content) > maxLibrary {
		err = fmt.Errorf("it has more than %d MB", maxLibrary>>20)
	}
	return content, err
}

// machines are the names of the supported processors in jars and in ELF files.
var machines = map[string]struct {
	jar string
	elf elf.Machine
}{"amd64": {"linux-x64", elf.EM_X86_64}, "arm64": {"linux-arm64", elf.EM_AARCH64}}

// asyncInJar finds the library for this machine: "libs/libasyncProfiler-4.5-linux-x64.so" in a jar of
// ap-loader, "linux-x64/libasyncProfiler.so" in that of async-profiler.
func asyncInJar(archive *zip.Reader) ([]byte, error) {
	machine := machines[runtime.GOARCH].jar
	for _, f := range archive.File {
		base := path.Base(f.Name)
		if machine == "" || !strings.HasPrefix(base, "libasyncProfiler") || !strings.HasSuffix(base, ".so") ||
			!strings.Contains(f.Name, machine) {
			continue
		}
		entry, err := f.Open()
		if err != nil {
			return nil, err
		}
		defer func() { _ = entry.Close() }()
		return readLibrary(entry)
	}
	return nil, fmt.Errorf("no entry of it is libasyncProfiler.so for %s", runtime.GOARCH)
}

// checkAsync returns an error for a file that a JVM of this machine cannot load, or that is not async-profiler.
func checkAsync(content []byte) error {
	library, err := elf.NewFile(bytes.NewReader(content))
	if err != nil {
		return errors.New("it is neither a library nor a jar")
	}
	if library.Type != elf.ET_DYN || library.Machine != machines[runtime.GOARCH].elf {
		return fmt.Errorf("it is a %v for %v, not a library for %s", library.Type, library.Machine, runtime.GOARCH)
	}
	symbols, err := library.DynamicSymbols()
	has := func(name string) bool {
		return slices.ContainsFunc(symbols, func(s elf.Symbol) bool {
			return s.Name == name && s.Section != elf.SHN_UNDEF
		})
	}
	if err != nil || !has("Agent_OnAttach") || !has("asprof_execute") {
		return errors.New("it is a library, but not async-profiler's")
	}
	return nil
}
