package folder

import (
	"os"

	"github.com/jstall/jstall/internal/source/target"
)

// The files of a folder, named after their format. Later runs remove only these.
const (
	FormatJSON  = "json"
	FormatPlain = "plain"
	FormatJFR   = "jfr"
	FormatJFC   = "jfc"
	FormatLog   = "log"
	AsyncCopy   = "libasyncProfiler.so"
)

// maxLog bounds how much of a log is read.
const maxLog = 64 << 10

// Maker makes folders for files that the target writes, and removes those that earlier runs left.
type Maker struct {
	*target.JVM
	// Clear removes other files that earlier runs have left in a folder, among the files with these names.
	Clear func(folder *os.File, names []string) []string
}
