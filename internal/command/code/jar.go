package code

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// maxDirectory bounds how many bytes of a jar are read: its list of files, which has 2 MB for the 20,000 classes of a
// JDK.
const maxDirectory = 32 << 20

// jarList is the list of files of a jar. The classes themselves are not read.
type jarList struct {
	file string
	// classes are their names in Java's notation, sorted, each once.
	classes []string
	// jars counts the nested jars.
	jars int
}

func readJar(name string) (*jarList, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a file")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, pathless(err))
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, pathless(err))
	}
	defer func() { _ = file.Close() }()
	all, err := zip.NewReader(&boundedReader{file, maxDirectory}, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	jar := &jarList{file: name}
	for _, f := range all.File {
		if strings.HasSuffix(f.Name, ".jar") {
			jar.jars++
		}
		if class := classOfEntry(f.Name); class != "" {
			jar.classes = append(jar.classes, class)
		}
	}
	slices.Sort(jar.classes)
	jar.classes = slices.Compact(jar.classes)
	return jar, nil
}

// pathless removes the path from an error, as the message has it anyway.
func pathless(err error) error {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return e.Err
	}
	return err
}

// classOfEntry returns the class of a file of a jar, empty for another file. Classes of wars and of jars of Spring Boot
// are in separate folders, those for newer releases below META-INF/versions.
func classOfEntry(name string) string {
	name, ok := strings.CutSuffix(name, ".class")
	if !ok {
		return ""
	}
	for _, root := range []string{"BOOT-INF/classes/", "WEB-INF/classes/"} {
		name = strings.TrimPrefix(name, root)
	}
	if rest, ok := strings.CutPrefix(name, "META-INF/versions/"); ok {
		_, name, _ = strings.Cut(rest, "/")
	}
	simple := name[strings.LastIndexByte(name, '/')+1:]
	if strings.HasPrefix(name, "META-INF/") || simple == "module-info" || simple == "package-info" {
		return ""
	}
	return strings.ReplaceAll(name, "/", ".")
}

// boundedReader fails once more than left bytes were read.
type boundedReader struct {
	r    io.ReaderAt
	left int64
}

// ReadAt reads as the file does, within the bound.
func (b *boundedReader) ReadAt(p []byte, off int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, fmt.Errorf("its list of files has more than %d MB", maxDirectory>>20)
	}
	return b.r.ReadAt(p, off)
}
