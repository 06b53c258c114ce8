package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/outfile"
)

const (
	namePrefix, nameSuffix = "jstall-", ".zip"
	// longestName is how many bytes of a program's name go into the name of a file.
	longestName = 60
)

// folder is the folder of the recordings. It is made again if it is deleted.
type folder string

// prepare makes the folder and checks that a file can be made in it.
func (f folder) prepare() error {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	file, err := outfile.Scratch(string(f))
	if err != nil {
		return err
	}
	return file.Close()
}

// room counts the recordings and the free space; a folder that is gone has no files.
func (f folder) room() room {
	there := room{free: freeBytes(string(f))}
	entries, _ := os.ReadDir(string(f))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), namePrefix) && strings.HasSuffix(e.Name(), nameSuffix) {
			there.files++
		}
	}
	return there
}

// fresh is an unused path for the recording of an event.
func (f folder) fresh(program string, pid int, at time.Time, trigger string) (string, error) {
	base := fmt.Sprintf("%s%s-%d-%s-%s", namePrefix, safeName(program), pid, at.Format("20060102T150405"),
		safeName(trigger))
	for n := 1; n < 100; n++ {
		path := filepath.Join(string(f), base+nameSuffix)
		if n > 1 {
			path = filepath.Join(string(f), fmt.Sprintf("%s-%d%s", base, n, nameSuffix))
		}
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path, nil
		} else if err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("%s: %w", base, fs.ErrExist)
}

// safeName keeps only the characters of a name that are safe in a file name for every reader: ASCII letters, digits,
// dots and underscores. The result begins with a letter or digit.
func safeName(name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '.', r == '_':
			return r
		}
		return '-'
	}, name)
	safe = strings.Trim(safe, "-._")
	if len(safe) > longestName {
		safe = strings.Trim(safe[len(safe)-longestName:], "-._") // the class, not its package
	}
	if safe == "" {
		return "jvm"
	}
	return safe
}
