package mcp

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// folder is the folder that tools may read and write.
type folder struct {
	path string // absolute, without links
	root *os.Root
}

// FolderError refuses the folder of --dir.
type FolderError struct{ Cause, Remedy string }

func (e *FolderError) Error() string { return e.Cause }

// PathError refuses a file that a call names.
type PathError struct{ Cause string }

func (e *PathError) Error() string { return e.Cause }

func refused(format string, args ...any) error { return &PathError{fmt.Sprintf(format, args...)} }

// openFolder opens the folder. It refuses a folder in which other users could replace a file after it was checked.
func openFolder(path string) (*folder, error) {
	real, err := filepath.Abs(path)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return nil, &FolderError{fmt.Sprintf("--dir: %v", err), "name a folder that exists"}
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return nil, &FolderError{fmt.Sprintf("--dir: %v", err), "name a folder that may be read"}
	case !info.IsDir():
		return nil, &FolderError{fmt.Sprintf("--dir: %s is not a folder", real), "name a folder"}
	case info.Mode().Perm()&0o002 != 0 && runtime.GOOS != "windows": // Windows does not report this
		return nil, &FolderError{fmt.Sprintf("--dir: all users may write to %s", real),
			"make a folder of your own: mkdir -m 700 ~/jstall"}
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, &FolderError{fmt.Sprintf("--dir: %v", err), "name a folder that may be read"}
	}
	return &folder{real, root}, nil
}

func (f *folder) close() { _ = f.root.Close() }

// inside returns the path of a name relative to the folder, only by its text.
func (f *folder) inside(name string) (string, error) {
	if f == nil {
		return "", refused("this server reads and writes no files. The user can allow one folder: " +
			"jstall mcp --dir FOLDER")
	}
	relative := name
	if filepath.IsAbs(name) {
		var err error
		if relative, err = filepath.Rel(f.path, name); err != nil {
			return "", f.outside(name)
		}
	}
	if relative = filepath.Clean(relative); !filepath.IsLocal(relative) || strings.ContainsRune(name, 0) {
		return "", f.outside(name)
	}
	return relative, nil
}

func (f *folder) outside(name string) error {
	return refused("%q is not in the folder that this server may use. list shows the files in it", name)
}

// named returns a text in which the files of the folder have the names that a call may use.
func (f *folder) named(text string) string {
	if f == nil {
		return text
	}
	return strings.ReplaceAll(text, f.path+string(filepath.Separator), "")
}

// file returns the absolute path, without links, of a file that exists in the folder, and when it was last changed.
func (f *folder) file(name string) (path string, changed time.Time, err error) {
	relative, err := f.inside(name)
	if err != nil {
		return "", changed, err
	}
	info, err := f.root.Stat(relative) // it follows no link out of the folder
	switch {
	case os.IsNotExist(err):
		return "", changed, refused("there is no file %q. list shows the files", name)
	case err != nil:
		return "", changed, f.outside(name)
	case !info.Mode().IsRegular():
		return "", changed, refused("%q is not a file", name)
	}
	path, err = f.resolved(relative, name)
	return path, info.ModTime(), err
}

// resolved follows the links of a path that exists.
func (f *folder) resolved(relative, name string) (string, error) {
	path, err := filepath.EvalSymlinks(filepath.Join(f.path, relative))
	if err != nil {
		return "", f.outside(name)
	}
	if back, err := filepath.Rel(f.path, path); err != nil || !filepath.IsLocal(back) {
		return "", f.outside(name)
	}
	return path, nil
}

// unused returns the absolute path for a new file in the folder.
func (f *folder) unused(name string) (string, error) {
	relative, err := f.inside(name)
	if err != nil {
		return "", err
	}
	parent, base := filepath.Split(relative)
	if parent = filepath.Clean(parent); parent != "." {
		if info, err := f.root.Stat(parent); err != nil || !info.IsDir() {
			return "", refused("there is no folder %q; jstall makes none", parent)
		}
	}
	if _, err := f.root.Lstat(relative); err == nil {
		return "", refused("%q exists, and no file is replaced. Name another one", name)
	}
	in, err := f.resolved(parent, name)
	if err != nil {
		return "", err
	}
	return filepath.Join(in, base), nil
}

// FileRow is one file of the folder.
type FileRow struct {
	Name     string `json:"file"`
	Bytes    int64  `json:"bytes"`
	Modified string `json:"modified"`
	// AgeSeconds is the time since then.
	AgeSeconds int64 `json:"ageSeconds"`
}

// mostFiles bounds the number of listed files.
const mostFiles = 500

// files are the regular files in the folder, up to mostFiles.
func (f *folder) files(now time.Time) (rows []FileRow, more bool) {
	_ = fs.WalkDir(f.root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if len(rows) == mostFiles {
			more = true
			return fs.SkipAll
		}
		if info, err := d.Info(); err == nil {
			rows = append(rows, FileRow{path, info.Size(), info.ModTime().UTC().Format(time.RFC3339),
				secondsSince(info.ModTime(), now)})
		}
		return nil
	})
	return rows, more
}

// secondsSince is the age of a file in seconds. The clock of the machine that made it may be ahead.
func secondsSince(made, now time.Time) int64 { return max(0, int64(now.Sub(made).Seconds())) }
