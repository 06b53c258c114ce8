package capture

import "strings"

// ForeignError tells a file that is something else than what was asked for.
type ForeignError struct {
	// Name is the file, What it is, in words: "a program".
	Name, What string
	// Remedy is what to do with it, empty if nothing is known.
	Remedy string
}

func (e *ForeignError) Error() string {
	return NameOf(e.Name) + ": it is " + e.What
}

// foreign are beginnings of files that are neither dumps nor answers of a JVM. FILE in
// a remedy stands for the name.
var foreign = [...]struct{ begins, what, remedy string }{
	{"\xfd7zXZ\x00", "compressed with xz", "unpack it first: xz -dc FILE | jstall -"},
	{"BZh", "compressed with bzip2", "unpack it first: bzip2 -dc FILE | jstall -"},
	{"\x04\x22\x4d\x18", "compressed with lz4", "unpack it first: lz4 -dc FILE | jstall -"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first"},
	{"PK\x03\x04", "a zip archive", "of a recording: jstall -f FILE; of another archive, unpack the dumps and name them"},
	{"\xff\xfe", "UTF-16 text", "make it UTF-8 first: iconv -f UTF-16 -t UTF-8 FILE | jstall -"},
	{"\xfe\xff", "UTF-16 text", "make it UTF-8 first: iconv -f UTF-16 -t UTF-8 FILE | jstall -"},
	{"\x7fELF", "a program or a library", ""},
	{"MZ\x90\x00", "a Windows program", ""},
	{"\xca\xfe\xba\xbe", "a Java class", ""},
	{"JAVA PROFILE 1.", "a heap dump", "jstall reads thread dumps; a heap analyser reads this"},
}

// longestBegin is how many bytes tell what a file is.
const longestBegin = 16

// Foreign tells by its first bytes a file that cannot be read, nil of others.
func Foreign(name string, head []byte) *ForeignError {
	for _, f := range foreign {
		if strings.HasPrefix(string(head[:min(len(head), longestBegin)]), f.begins) {
			remedy := f.remedy
			if name == Stdin {
				remedy = strings.ReplaceAll(remedy, " FILE |", " |")
			}
			return &ForeignError{Name: name, What: f.what, Remedy: strings.ReplaceAll(remedy, "FILE", name)}
		}
	}
	return nil
}
