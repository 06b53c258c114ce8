package target

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/form"
)

// Surroundings reads the kernel's files about the machine and about the process's control groups, an entry each.
func (l *JVM) Surroundings() []recording.Entry {
	files := l.Kernel.Surroundings(l.Process.PID)
	l.countFiles(files)
	at := time.Since(l.Start)
	entries := make([]recording.Entry, 0, len(files))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		entries = append(entries, recording.Entry{Kind: recording.Kernel, Name: name, Bytes: files[name], At: at})
	}
	return entries
}

// countFiles retries as the process's own user if access was refused.
func (l *JVM) countFiles(files kernel.Files) {
	p := l.Process
	if _, ok := files[form.FileOpenFiles]; ok {
		return
	}
	_, err := l.Kernel.OpenFiles(p.PID)
	if !errors.Is(err, fs.ErrPermission) {
		return
	}
	n := 0
	err = kernel.RunAs(p.UID, p.GID, p.Groups, func() (err error) {
		n, err = l.Kernel.OpenFiles(p.PID)
		return err
	})
	if err == nil {
		files[form.FileOpenFiles] = []byte(strconv.Itoa(n))
	}
}
