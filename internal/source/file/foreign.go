package file

import (
	"strings"

	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/threaddump"
)

// ForeignError reports a file of another kind than was expected.
type ForeignError struct {
	// Name is the file, What describes it: "a program".
	Name, What string
	// Remedy is what to do with it, empty if nothing is known.
	Remedy string
}

func (e *ForeignError) Error() string {
	return source.NameOf(e.Name) + ": it is " + e.What
}

// remedies say what to do with files that are neither dumps nor answers of a JVM, by their formats. FILE is the
// placeholder for the name.
var remedies = map[threaddump.FileFormat]string{
	threaddump.LZ4:            "unpack it first: lz4 -d FILE",
	threaddump.SevenZip:       "unpack it first",
	threaddump.ZipArchive:     "of a recording: jstall -f FILE; of another archive, unpack the dumps and name them",
	threaddump.Program:        "",
	threaddump.WindowsProgram: "",
	threaddump.JavaClass:      "",
	threaddump.HeapDump:       "open it with Eclipse Memory Analyzer (MAT) or VisualVM",
}

// Foreign returns an error for a file that cannot be read, by its first bytes: threaddump.FileFormatLen of them, 18 for
// a core file. It returns nil for other files.
func Foreign(name string, head []byte) *ForeignError {
	if hasCoreHead(head) {
		return &ForeignError{
			Name: name, What: "a core file, whose threads alone can be read",
			Remedy: "jstall core.4711, with the core file as a target",
		}
	}
	format := threaddump.FileFormatOf(head)
	remedy, known := remedies[format]
	if !known {
		return nil
	}
	if name == source.Stdin {
		remedy = strings.ReplaceAll(remedy, "lz4 -d FILE", "lz4 -dc | jstall -")
	}
	return &ForeignError{Name: name, What: string(format), Remedy: strings.ReplaceAll(remedy, "FILE", ShellWord(name))}
}

// ShellWord quotes a file's name, or another word, for a shell if necessary.
func ShellWord(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\`$&|;<>(){}[]*?!#~") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
