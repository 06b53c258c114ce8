package recording

import (
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/jstall/jstall/internal/outfile"
)

// spool is a member that is being written: in memory while it is small, as most answers are, then compressed in an
// unnamed file.
type spool struct {
	name    string
	scratch string
	first   int   // length of the first entry
	tight   bool  // see [Writer.SaveMemory]
	size    int64 // decompressed

	held []byte
	file *os.File // nil while all is held
	enc  *zstd.Encoder
}

const (
	// mostHeld bounds the memory for each member.
	mostHeld = 128 << 10

	smallWindow = 1 << 20
	// largeWindow is the largest window that other decompressors accept by default.
	largeWindow = 128 << 20
	// tightWindow has room for a dump of 5,000 threads.
	tightWindow = 8 << 20
)

func (s *spool) write(b []byte) error {
	if s.file == nil && len(s.held)+len(b) <= mostHeld {
		s.held = append(s.held, b...)
		s.size += int64(len(b))
		return nil
	}
	if s.file == nil {
		if err := s.open(max(s.first, len(b))); err != nil {
			return err
		}
	}
	n, err := s.enc.Write(b)
	s.size += int64(n)
	return err
}

// open begins the file with what was held. The window is sized by the largest entry so far: it must hold two, so that
// the encoder stores only what differs in the second.
func (s *spool) open(entry int) error {
	file, err := outfile.Scratch(s.scratch)
	if err != nil {
		return err
	}
	window := windowFor(entry, s.tight)
	s.file = file
	if s.enc, err = newEncoder(file, zstd.WithWindowSize(window)); err != nil {
		return err
	}
	_, err = s.enc.Write(s.held)
	s.held = nil
	return err
}

// windowFor is the window, and so the memory of the encoder, for entries of a size. With tight it holds one entry and
// an eighth of the next. An entry that is too large for that is compressed without reference to the one before.
func windowFor(entry int, tight bool) int {
	need, most := 3*entry, largeWindow
	if tight {
		need, most = entry+entry/8, tightWindow
		if need > most {
			return 2 * smallWindow
		}
	}
	window := smallWindow
	for window < need && window < most {
		window *= 2
	}
	return window
}

func newEncoder(to io.Writer, more ...zstd.EOption) (*zstd.Encoder, error) {
	return zstd.NewWriter(to, append(more,
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithLowerEncoderMem(true))...)
}

// copyTo writes the member, compressed; small compresses one that is held.
func (s *spool) copyTo(out io.Writer, small *zstd.Encoder) error {
	if s.file == nil {
		_, err := out.Write(small.EncodeAll(s.held, nil))
		return err
	}
	if err := s.enc.Close(); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(out, s.file)
	return err
}

func (s *spool) discard() {
	if s.file != nil {
		_ = s.file.Close()
	}
}
