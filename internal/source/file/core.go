package file

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
)

// mostCoreTime bounds the time to read a core file. One of 5,000 threads takes some seconds.
const mostCoreTime = 2 * time.Minute

// errSlowCore says why the rest of a core file was not read.
var errSlowCore = fmt.Errorf("reading the core file took longer than %v", mostCoreTime)

// withinCoreTime returns a context that ends with ctx, or with errSlowCore as its cause.
func withinCoreTime(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, mostCoreTime, errSlowCore)
}

// coreFile is a core file with the JVM in it.
type coreFile struct {
	jvm *hotspot.JVM
	// written is the file's modification time.
	written time.Time
	// cut says what the file lacks, nil if it is complete.
	cut error

	file   *os.File
	opened openedFiles
}

// openCore opens a core file. If the file has no JVM, cut may be the reason.
func openCore(ctx context.Context, name string) (*coreFile, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, source.Bare(err)
	}
	c := &coreFile{file: file, opened: openedFiles{folder: filepath.Dir(name)}}
	if err := c.open(ctx); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *coreFile) open(ctx context.Context) error {
	info, err := c.file.Stat()
	if err != nil {
		return source.Bare(err)
	}
	c.written = info.ModTime()
	core, err := hotspot.OpenCore(ctx, c.file, c.opened.open)
	if err != nil {
		return err
	}
	if whole := core.Size(); whole > info.Size() {
		const mb = 1 << 20
		c.cut = fmt.Errorf("the core file is cut: %.1f of %.1f MB are there; "+
			"check ulimit -c and the disk where it was written", float64(info.Size())/mb, float64(whole)/mb)
	}
	c.jvm, err = core.OpenJVM(ctx)
	if err != nil {
		return c.failed(ctx, err)
	}
	return nil
}

func (c *coreFile) close() {
	c.opened.close()
	_ = c.file.Close()
}

// failed says why the JVM of the core file was not read.
func (c *coreFile) failed(within context.Context, err error) error {
	if errors.Is(context.Cause(within), errSlowCore) {
		return errSlowCore
	}
	return cmp.Or(c.cut, err)
}

// coreDump makes a dump of the memory in a core file, with the file's modification time. cut says what the file lacks,
// nil if it is complete.
func coreDump(ctx context.Context, name string) (d *hotspot.Dump, cut, err error) {
	ctx, cancel := withinCoreTime(ctx)
	defer cancel()
	c, err := openCore(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	defer c.close()
	d, err = c.jvm.Dump(ctx, c.written, nil)
	if d != nil {
		d.Untested = c.jvm.Untested()
	}
	switch {
	case err != nil:
		return nil, nil, c.failed(ctx, err)
	case len(d.Threads) == 0:
		return nil, nil, cmp.Or(c.cut, errors.New("the JVM in the core file has no threads: it was starting or ending"))
	}
	return d, c.cut, nil
}

// openedFiles are the files that a core file names, and whose unchanged pages it does not have.
type openedFiles struct {
	// folder is that of the core file.
	folder string
	files  []*os.File
}

// mostOpened bounds the files that are opened for one core file. A JVM has one libjvm.so and two archives of classes.
const mostOpened = 16

// open opens a library of a JVM or an archive of its classes, and no other file: a core file may name any. A copy in
// the folder of the core file comes first, as the process may have run on another machine. Symbolic links are not
// followed, as the sender of the core file may have sent them with it.
func (o *openedFiles) open(name string) (io.ReaderAt, error) {
	base := path.Base(name)
	if base != "libjvm.so" && path.Ext(base) != ".jsa" {
		return nil, fmt.Errorf("%s is no file of a JVM", name)
	}
	if len(o.files) == mostOpened {
		return nil, fmt.Errorf("the core file names more than %d files", mostOpened)
	}
	file, err := openWithin(o.folder, base)
	if err != nil {
		file, err = openMapped(name)
	}
	if err != nil {
		return nil, err
	}
	o.files = append(o.files, file)
	return file, nil
}

// openWithin opens a regular file of a folder, and no link.
func openWithin(folder, base string) (*os.File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	named, err := root.Lstat(base)
	if err != nil {
		return nil, err
	}
	if !named.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", base, os.ErrInvalid)
	}
	file, err := root.OpenFile(base, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if opened, err := file.Stat(); err != nil || !os.SameFile(named, opened) {
		_ = file.Close()
		return nil, cmp.Or(err, os.ErrInvalid)
	}
	return file, nil
}

// openMapped opens a file under the name that the kernel gave its mapping. The kernel writes such names without links
// (d_path): a name with a link is from another machine, or was made up.
func openMapped(name string) (*os.File, error) {
	if real, err := filepath.EvalSymlinks(name); err != nil || real != name {
		return nil, cmp.Or(err, os.ErrInvalid)
	}
	return kernel.New("/proc").OpenIn(os.Getpid(), name)
}

func (o *openedFiles) close() {
	for _, file := range o.files {
		_ = file.Close()
	}
}

// core reads a core file. If the file is truncated, the error comes after the dump.
func (f *Files) core(ctx context.Context, name string) ([]recording.Entry, error) {
	d, cut, err := coreDump(ctx, name)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.Is(err, io.EOF) { // io.EOF would mean the end of all files to the caller
		err = errors.New("the core file is cut")
	}
	if err != nil {
		return nil, &source.UnreadableError{Err: fmt.Errorf("%s: %w", name, err)}
	}
	if cut != nil {
		f.unread = &source.UnreadableError{Err: fmt.Errorf("%s: %w", name, cut)}
	}
	f.cores++
	f.untested = cmp.Or(f.untested, d.Untested)
	stream := io.NopCloser(bytes.NewReader(d.Text()))
	objects := form.ObjectsEntry(d.Facts, nil)
	entries := append([]recording.Entry{objects}, form.VirtualOfDump(d, nil)...)
	for i := range entries {
		entries[i].Name, entries[i].At = name, -1
	}
	dump := recording.Entry{Kind: recording.ThreadDump, Name: name, At: -1, Stream: stream}
	return append([]recording.Entry{dump}, entries...), nil
}
