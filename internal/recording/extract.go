package recording

import (
	"archive/zip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// mostExtracted bounds the number of files that are written. A recording of a night has some thousand.
const mostExtracted = 100_000

// Extract writes the members, decompressed, into a new folder.
func (r *Recording) Extract(dir string) error {
	if n := len(r.order); n > mostExtracted {
		return fmt.Errorf("%s: %d files, more than %d; unzip extracts them", r.name, n, mostExtracted)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir) // no name can lead out of it
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	lengths := r.lengths()
	for _, m := range r.order {
		if err := r.extract(root, m, lengths[m.Name]); err != nil {
			return fmt.Errorf("%s: %s: %w", r.name, m.Name, err)
		}
	}
	return nil
}

func (r *Recording) extract(root *os.Root, m *zip.File, length int64) error {
	if m.Mode().IsDir() {
		return nil // folders are made for the files in them
	}
	in, err := m.Open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	name, limit := m.Name, int64(m.UncompressedSize64)
	var from io.Reader = in
	if plain, packed := cutZstd(name); packed && length > 0 {
		dec, err := newDecoder(in)
		if err != nil {
			return err
		}
		defer dec.Close()
		name, from, limit = plain, dec, length
	}
	if err := r.unpacked.add(limit); err != nil {
		return err
	}
	return writeNew(root, name, from, limit)
}

func cutZstd(name string) (string, bool) {
	const ext = ".zst"
	if filepath.Ext(name) != ext {
		return name, false
	}
	return name[:len(name)-len(ext)], true
}

// lengths are the decompressed sizes of the members by the manifest. Nothing beyond them is decompressed.
func (r *Recording) lengths() map[string]int64 {
	sizes := map[string]int64{}
	for _, j := range r.Manifest.JVMs {
		for _, l := range j.Readings {
			for _, ref := range l.Entries {
				sizes[ref.Member] = max(sizes[ref.Member], ref.Offset+ref.Length)
			}
		}
	}
	return sizes
}

func writeNew(root *os.Root, name string, from io.Reader, limit int64) error {
	if dir := filepath.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	out, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fs.FileMode(0o600))
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	n, err := io.Copy(out, io.LimitReader(from, limit+1))
	if err == nil && n > limit {
		err = errTooLarge
	}
	if err != nil {
		return err
	}
	return out.Close()
}
