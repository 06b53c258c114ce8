package profile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jstall/jstall/internal/jvm"
)

// usualChunk is the size at which the recorder begins a new file of its repository unless
// its options say otherwise, in bytes.
const usualChunk = 12 << 20

// NoRoomError reports that a flight recording was not started, or ended early, as the disk of the recorder's repository
// has too little space: HotSpot 17 to 26 ends the JVM when a write there fails.
type NoRoomError struct {
	// Place is the folder, as the JVM sees it.
	Place string
	// Free and Needed are in bytes. Inodes reports that the disk lacks inodes, not bytes.
	Free, Needed int64
	Inodes       bool
}

func (e *NoRoomError) Error() string {
	if e.Inodes {
		return fmt.Sprintf("the disk of the flight recorder's repository (%s) has no inode left%s", e.Place, endsThen)
	}
	return fmt.Sprintf("the disk of the flight recorder's repository (%s) has %s free, and a recording needs %d MB%s",
		e.Place, megabytes(e.Free), e.Needed>>20, endsThen)
}

// endsThen explains why a full disk is dangerous.
const endsThen = "; the JVM ends when it cannot write there"

// megabytes formats a size, with a decimal if it is small.
func megabytes(n int64) string {
	if n < 10<<20 {
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d MB", n>>20)
}

// recorderOptions parses -XX:FlightRecorderOptions, in either of its two forms. The last occurrence counts.
func recorderOptions(p jvm.Process) map[string]string {
	options := map[string]string{}
	for _, arg := range p.JVMArgs {
		list, is := strings.CutPrefix(arg, "-XX:FlightRecorderOptions")
		if !is || !strings.HasPrefix(list, "=") && !strings.HasPrefix(list, ":") {
			continue
		}
		clear(options)
		for option := range strings.SplitSeq(list[1:], ",") {
			name, value, _ := strings.Cut(option, "=")
			options[strings.TrimSpace(name)] = strings.Trim(value, `"'`)
		}
	}
	return options
}

// repositoryPlace is the path of the recorder's repository according to the JVM's options.
func repositoryPlace(p jvm.Process) string {
	if place := recorderOptions(p)["repository"]; place != "" {
		return place
	}
	place := "/tmp"
	for _, arg := range p.JVMArgs {
		if dir, is := strings.CutPrefix(arg, "-Djava.io.tmpdir="); is && dir != "" {
			place = dir
		}
	}
	return place
}

// chunkSize is the size in bytes at which the recorder begins a new file.
func chunkSize(p jvm.Process) int64 {
	return max(usualChunk, sizeIn(recorderOptions(p)["maxchunksize"]))
}

// sizeIn reads "12m", "1G" or "4096"; 0 if the word is not a size.
func sizeIn(word string) int64 {
	number := strings.TrimRight(strings.ToLower(word), "kmgb")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > 1<<40 {
		return 0
	}
	switch unit := strings.ToLower(word[len(number):]); {
	case strings.HasPrefix(unit, "k"):
		return n << 10
	case strings.HasPrefix(unit, "m"):
		return n << 20
	case strings.HasPrefix(unit, "g"):
		return min(n, 1<<20) << 30
	}
	return n
}
