package capture

import "os"

// The files of a folder, named after their format. Later runs remove no others.
const (
	formatJSON  = "json"
	formatPlain = "plain"
	formatJFR   = "jfr"
	formatJFC   = "jfc"
	formatLog   = "log"
	asyncCopy   = "libasyncProfiler.so"
)

// maxLog bounds what is read of a log.
const maxLog = 64 << 10

// folders makes folders for files that the target writes, and removes those that were left.
type folders struct {
	*target
	// clear removes from a folder what else earlier runs have left there, of the files with these names.
	clear func(folder *os.File, names []string) []string
}
