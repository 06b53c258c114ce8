package threaddump

import "bytes"

// FileFormat is a kind of file that gets mistaken for a dump, in words that complete "it is".
type FileFormat string

// The formats that FileFormatOf returns.
const (
	Gzip            FileFormat = "compressed with gzip"
	Zstd            FileFormat = "compressed with zstd"
	XZ              FileFormat = "compressed with xz"
	Bzip2           FileFormat = "compressed with bzip2"
	LZ4             FileFormat = "compressed with lz4"
	SevenZip        FileFormat = "a 7z archive"
	ZipArchive      FileFormat = "a zip archive"
	Program         FileFormat = "a program or a library"
	WindowsProgram  FileFormat = "a Windows program"
	JavaClass       FileFormat = "a Java class"
	HeapDump        FileFormat = "a heap dump"
	FlightRecording FileFormat = "a flight recording"
)

// beginnings are the first bytes of files, at most FileFormatLen.
var beginnings = [...]struct {
	bytes  string
	format FileFormat
}{
	{"\x1f\x8b", Gzip},
	{"\x28\xb5\x2f\xfd", Zstd},
	{"\xfd7zXZ\x00", XZ},
	{"BZh", Bzip2},
	{"\x04\x22\x4d\x18", LZ4},
	{"7z\xbc\xaf\x27\x1c", SevenZip},
	{"PK\x03\x04", ZipArchive},
	{"\x7fELF", Program},
	{"MZ\x90\x00", WindowsProgram},
	{"\xca\xfe\xba\xbe", JavaClass},
	{"JAVA PROFILE 1.", HeapDump},
	{"FLR\x00", FlightRecording},
}

// FileFormatLen is how many bytes tell the format of a file.
const FileFormatLen = 16

// FileFormatOf returns the format of a file by its first bytes, empty if it has none of these.
func FileFormatOf(head []byte) FileFormat {
	for _, b := range beginnings {
		if bytes.HasPrefix(head, []byte(b.bytes)) {
			return b.format
		}
	}
	return ""
}
