package file

import (
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/jstall/jstall/internal/jfr/facts"
	"github.com/jstall/jstall/internal/plaintext"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/threaddump"
)

// compression says how a format of compressed data is read.
type compression struct {
	// name is the name of the format in messages.
	name string
	// open returns the content, and a function that ends the reading, nil if none is needed.
	open func(io.Reader) (io.Reader, func(), error)
	// most is the size of the content up to which its ratio does not count.
	most int64
}

// maxZstdWindow bounds the memory that a forged zstd header may request. maxXZ bounds the content of xz data that is
// many times as large, as the window may have the same size.
const maxZstdWindow, maxXZ = 128 << 20, 64 << 20

// compressions are the supported ones, recognised by their first bytes.
var compressions = map[threaddump.FileFormat]compression{
	threaddump.Gzip: {"gzip", func(r io.Reader) (io.Reader, func(), error) {
		z, err := gzip.NewReader(r)
		return z, nil, err
	}, maxUnpacked},
	threaddump.Zstd: {"zstd", func(r io.Reader) (io.Reader, func(), error) {
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstdWindow),
			zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}, maxUnpacked},
	threaddump.XZ: {"xz", func(r io.Reader) (io.Reader, func(), error) {
		z, err := xz.NewReader(r)
		return z, nil, err
	}, maxXZ},
	threaddump.Bzip2: {
		"bzip2", func(r io.Reader) (io.Reader, func(), error) { return bzip2.NewReader(r), nil, nil }, maxUnpacked,
	},
}

// decompress recognises compressed data by its first bytes, not by its name, and decompresses it. It converts UTF-16 to
// UTF-8.
func decompress(in io.ReadCloser, name string) (io.ReadCloser, error) {
	packed := &counting{Reader: in}
	buffered := bufio.NewReaderSize(packed, readBuffer)
	head, _ := buffered.Peek(max(threaddump.FileFormatLen, untilType))
	if other := Foreign(name, head); other != nil {
		_ = in.Close()
		return nil, other
	}
	c, isPacked := compressions[threaddump.FileFormatOf(head)]
	if !isPacked {
		return &unpacked{Reader: text(buffered), file: in}, nil
	}
	z, end, err := c.open(buffered)
	if err != nil {
		_ = in.Close()
		return nil, fmt.Errorf("%s: %w", source.NameOf(name), &DamagedError{c.name, err})
	}
	content := &unpacked{Reader: &bounded{counting{Reader: z}, packed, c.most}, file: in, format: c.name, end: end}
	return &textOf{Reader: text(bufio.NewReaderSize(content, readBuffer)), Closer: content}, nil
}

// textOf reads a converted text and closes the reader below it.
type textOf struct {
	io.Reader
	io.Closer
}

// text converts UTF-16 to UTF-8, and returns other text unchanged.
func text(in *bufio.Reader) io.Reader {
	const enough = 512
	if head, _ := in.Peek(enough); plaintext.IsUTF16(head) && !facts.IsRecording(head) {
		return plaintext.UTF8(in)
	}
	return in
}
