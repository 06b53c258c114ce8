package folder

import (
	"os"

	"github.com/jstall/jstall/internal/source/target"
)

// The files of a folder, named after their format. Later runs remove no others.
const (
	FormatJSON  = "json"
	FormatPlain = "plain"
	FormatJFR   = "jfr"
	FormatJFC   = "jfc"
	FormatLog   = "log"
	AsyncCopy   = "libasyncProfiler.so"
)

// maxLog bounds what is read of a log.
const maxLog = 64 << 10

// Maker makes folders for files that the target writes, and removes those that were left.
type Maker struct {
	*target.JVM
	// Clear removes from a folder what else earlier runs have left there, of the files with these names.
	Clear func(folder *os.File, names []string) []string
}
