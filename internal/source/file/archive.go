package file

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
)

// archive gives the files in an archive one after the other, each unpacked. A file may hold no dump: archives for
// support also have logs and settings.
type archive interface {
	// next returns the next file, io.EOF after the last. The caller reads it before the next call.
	next() (name string, content io.ReadCloser, err error)
	io.Closer
}

// maxFiles bounds how many files of an archive are read.
const maxFiles = 10_000

// isDumpFile reports whether a file of an archive may hold dumps: it is not a folder, a link or a file that an
// operating system adds.
func isDumpFile(name string, mode fs.FileMode) bool {
	base := path.Base(name)
	return mode.IsRegular() && !strings.HasPrefix(base, ".") && !strings.HasPrefix(name, "__MACOSX/")
}

// tarHead is how many bytes of a file are needed to recognise a tar.
const tarHead = 512

// isTar reports whether a file begins like one of the tar formats in use.
func isTar(head []byte) bool {
	const at = 257
	return len(head) >= at+5 && string(head[at:at+5]) == "ustar"
}

// tarFiles are the files of a tar, in their order.
type tarFiles struct {
	in    io.Closer
	tar   *tar.Reader
	files int
}

func (t *tarFiles) next() (string, io.ReadCloser, error) {
	for {
		h, err := t.tar.Next()
		if err != nil {
			return "", nil, err
		}
		if !isDumpFile(h.Name, h.FileInfo().Mode()) {
			continue
		}
		if t.files++; t.files > maxFiles {
			return "", nil, &TooLargeError{fmt.Sprintf("it has more than %d files", maxFiles)}
		}
		content, err := unpackMember(io.NopCloser(t.tar), h.Name)
		if err == nil {
			return h.Name, content, nil
		}
	}
}

func (t *tarFiles) Close() error { return t.in.Close() }

// unpackMember gives the content of a file in an archive; the error says why the file cannot hold a dump.
func unpackMember(in io.ReadCloser, name string) (io.ReadCloser, error) {
	content, err := decompress(in, name)
	if err != nil {
		return nil, err
	}
	return content, nil
}

// zipFiles are the files of a zip, in the order of their times. Files with the same time are in the order of their
// names.
type zipFiles struct {
	file  *os.File
	files []*zip.File
	// read and size bound the decompressed size of all files together.
	read *counting
	size int64
}

// openZip opens a zip that is not a recording.
func openZip(file *os.File) (*zipFiles, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	z, err := recording.Directory(file, info.Size())
	if err != nil {
		return nil, err
	}
	files := slices.DeleteFunc(z.File, func(f *zip.File) bool { return !isDumpFile(f.Name, f.Mode()) })
	if len(files) > maxFiles {
		return nil, fmt.Errorf("it has %d files; at most %d are read", len(files), maxFiles)
	}
	slices.SortStableFunc(files, func(a, b *zip.File) int {
		return cmp.Or(a.Modified.Compare(b.Modified), naturally(a.Name, b.Name))
	})
	return &zipFiles{file: file, files: files, read: &counting{}, size: info.Size()}, nil
}

// naturally compares names such that 9.txt comes before 10.txt.
func naturally(a, b string) int {
	const numberAndExtension = "0123456789.abcdefghijklmnopqrstuvwxyz"
	if strings.TrimRight(a, numberAndExtension) == strings.TrimRight(b, numberAndExtension) {
		if c := cmp.Compare(len(a), len(b)); c != 0 {
			return c
		}
	}
	return cmp.Compare(a, b)
}

func (z *zipFiles) next() (string, io.ReadCloser, error) {
	for len(z.files) > 0 {
		f := z.files[0]
		z.files = z.files[1:]
		in, err := f.Open()
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		z.read.Reader = in
		content, err := unpackMember(&textOf{&boundedZip{z}, in}, f.Name)
		if err == nil {
			return f.Name, content, nil
		}
	}
	return "", nil, io.EOF
}

func (z *zipFiles) Close() error { return z.file.Close() }

// boundedZip reads the current file of a zip, and fails if all files together are too many times as large as the zip.
type boundedZip struct{ zip *zipFiles }

func (b *boundedZip) Read(p []byte) (int, error) {
	n, err := b.zip.read.Read(p)
	tooLarge := b.zip.read.n > maxUnpacked && b.zip.read.n/maxRatio > b.zip.size
	if tooLarge && (err == nil || err == io.EOF) {
		err = &TooLargeError{
			fmt.Sprintf("the archive unpacks to more than %d GB, and %d times its size", maxUnpacked>>30, maxRatio),
		}
	}
	return n, err
}

// archiveIn opens a file as an archive. It returns a nil archive for another file, which is then read from the returned
// stream from its beginning.
func archiveIn(ctx context.Context, name string, stdin io.Reader) (archive, io.ReadCloser, error) {
	if file, err := zipNamed(name); file != nil || err != nil {
		if err != nil {
			return nil, nil, err
		}
		z, err := openZip(file)
		if err != nil {
			_ = file.Close()
			return nil, nil, fmt.Errorf("%s: %w", source.NameOf(name), err)
		}
		return z, nil, nil
	}
	in, err := Open(ctx, name, stdin)
	if err != nil {
		return nil, nil, err
	}
	buffered := bufio.NewReaderSize(in, readBuffer)
	head, _ := buffered.Peek(tarHead)
	if isTar(head) {
		return &tarFiles{in: in, tar: tar.NewReader(buffered)}, nil, nil
	}
	return nil, &textOf{buffered, in}, nil
}

// zipNamed opens a zip archive. It returns nil for another file.
func zipNamed(name string) (*os.File, error) {
	if name == source.Stdin || !recording.Is(name) {
		return nil, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, source.Bare(err))
	}
	return file, nil
}
