package recording

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/jstall/jstall/internal/outfile"
)

const (
	// magic begins every zip archive with members, emptyMagic one without members.
	magic, emptyMagic = "PK\x03\x04", "PK\x05\x06"
)

// Is reports whether a file is an archive, by its first bytes.
func Is(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, len(magic))
	_, err = io.ReadFull(f, head)
	return err == nil && isMagic(head)
}

// Recording is an archive that can be replayed.
type Recording struct {
	Manifest Manifest
	name     string
	file     *os.File
	members  map[string]*zip.File
	order    []*zip.File
	// made are members that are derived from those of a foreign recording.
	made          map[string][]byte
	foreignFormat bool
	unpacked      ratio // of all that is replayed
}

// Open reads the manifest of an archive and checks it before its members are read, as its sender is unknown.
func Open(path string) (*Recording, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = errors.New("it is a directory")
	case info.Mode()&os.ModeNamedPipe != 0:
		defer func() { _ = file.Close() }()
		return OpenFrom(file, path)
	default:
		head := make([]byte, len(magic))
		if _, failed := file.ReadAt(head, 0); failed == nil || failed == io.EOF {
			err = unlessMagic(head)
		}
	}
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return read(file, path)
}

// unlessMagic returns an error unless head is the beginning of a zip archive.
func unlessMagic(head []byte) error {
	if isMagic(head) {
		return nil
	}
	return errors.New("it is no recording: it does not begin like a zip archive")
}

// OpenFrom is Open for an archive that comes as a stream, called name in errors. The stream is written to an unnamed
// file first, as an archive is read from its end.
func OpenFrom(in io.Reader, name string) (*Recording, error) {
	file, err := spooled(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return read(file, name)
}

// spooled writes an archive to an unnamed file. It refuses a stream that does not begin like an archive.
func spooled(in io.Reader) (*os.File, error) {
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(in, head); err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if err := unlessMagic(head); err != nil {
		return nil, err
	}
	file, err := outfile.Scratch(os.TempDir())
	if err != nil {
		return nil, err
	}
	n, err := io.Copy(file, io.LimitReader(io.MultiReader(bytes.NewReader(head), in), maxSpooled+1))
	if err == nil && n > maxSpooled {
		err = fmt.Errorf("it is larger than the limit for a pipe, %d MB; save it to a file and name the file",
			maxSpooled>>20)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

func isMagic(head []byte) bool { return string(head) == magic || string(head) == emptyMagic }

func read(file *os.File, name string) (*Recording, error) {
	r := &Recording{name: name, file: file, members: map[string]*zip.File{},
		made: map[string][]byte{}}
	if err := r.open(); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// Close ends all reading.
func (r *Recording) Close() error { return r.file.Close() }

func (r *Recording) open() error {
	info, err := r.file.Stat()
	if err != nil {
		return err
	}
	r.unpacked.packed = info.Size()
	z, err := readDirectory(r.file, info.Size())
	if err != nil {
		return err
	}
	for _, m := range z.File {
		if err := checkMember(m, r.members); err != nil {
			return err
		}
		r.members[m.Name] = m
		r.order = append(r.order, m)
	}
	head := r.members[manifestName]
	if head == nil {
		r.foreignFormat = true
		r.Manifest, err = r.foreign()
		return err
	}
	raw, err := readMember(head, maxManifest)
	if err != nil {
		return fmt.Errorf("its %s: %w", manifestName, err)
	}
	r.Manifest, err = parseManifest(raw)
	return err
}

// ErrNotOurs means that an archive has no manifest.
var ErrNotOurs = errors.New("an archive, but no recording: it has neither " + manifestName + " nor " + foreignMetadata)

func withoutPrefix(err error) string {
	return string(bytes.TrimPrefix([]byte(err.Error()), []byte("zip: ")))
}

// checkMember refuses links, devices, duplicate names, and names that lead out of a folder.
func checkMember(m *zip.File, seen map[string]*zip.File) error {
	switch {
	case !filepath.IsLocal(filepath.FromSlash(m.Name)) || bytes.ContainsAny([]byte(m.Name), "\\\x00"):
		return fmt.Errorf("the member %q leads out of the archive", m.Name)
	case !m.Mode().IsRegular() && !m.Mode().IsDir():
		return fmt.Errorf("the member %q is a link or a device", m.Name)
	case seen[m.Name] != nil:
		return fmt.Errorf("the member %q is there twice", m.Name)
	}
	return nil
}

// errTooLarge means that a member unpacks to more than the limit.
var errTooLarge = errors.New("it is larger than the limit for a recording")

func readMember(m *zip.File, limit int64) ([]byte, error) {
	in, err := m.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	raw, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err == nil && int64(len(raw)) > limit {
		err = errTooLarge
	}
	return raw, err
}

// Readings returns the readings of one JVM of the manifest in their order.
func (r *Recording) Readings(jvm JVM) *Readings {
	return &Readings{recording: r, readings: jvm.Readings, open: map[string]*payload{}}
}

// Readings are the readings of a JVM, read one after the other, so that only one reading's entries are in memory.
type Readings struct {
	recording *Recording
	readings  []Reading
	open      map[string]*payload
	windows   int64 // bytes that decompression holds in memory
}

// Ask is the request of the next reading; false after the last one.
func (l *Readings) Ask() (ask string, ok bool) {
	if len(l.readings) == 0 {
		return "", false
	}
	return l.readings[0].Ask, true
}

// Left counts the remaining readings with the same Ask.
func (l *Readings) Left(ask string) int {
	n := 0
	for _, reading := range l.readings {
		if reading.Ask == ask {
			n++
		}
	}
	return n
}

// Next returns the entries of the next reading, io.EOF after the last one.
func (l *Readings) Next() ([]Entry, error) {
	if len(l.readings) == 0 {
		return nil, io.EOF
	}
	reading := l.readings[0]
	l.readings = l.readings[1:]
	room := int64(maxReading)
	entries := make([]Entry, 0, len(reading.Entries))
	for _, ref := range reading.Entries {
		e := Entry{Kind: ref.Kind, Name: ref.Name, At: time.Duration(ref.At), Took: time.Duration(ref.Took)}
		if ref.Error != nil {
			e.Err = ref.Error
		}
		if ref.Member != "" {
			raw, err := l.bytes(ref, room)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", l.recording.name, ref.Member, err)
			}
			e.Bytes = raw
			room -= int64(len(raw))
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// Close releases the readers; no more readings can be read.
func (l *Readings) Close() {
	for _, p := range l.open {
		p.close()
	}
	l.readings = nil
}

func (l *Readings) bytes(ref Ref, room int64) ([]byte, error) {
	if ref.Length > room {
		return nil, fmt.Errorf("a capture is larger than the limit of %d MB", maxReading>>20)
	}
	p := l.open[ref.Member]
	if p == nil {
		var err error
		if p, err = l.recording.payload(ref.Member); err != nil {
			return nil, err
		}
		l.open[ref.Member] = p
	}
	raw, err := p.read(ref)
	if err == nil {
		err = l.recording.unpacked.add(int64(len(raw)))
	}
	if l.windows += p.grown(); l.windows > maxWindows && err == nil {
		err = fmt.Errorf("unpacking it needs more than the limit of %d MB of memory", maxWindows>>20)
	}
	if p.dec == nil && p.at == p.size { // usually a member is read as a whole
		p.close()
	}
	return raw, err
}

// payload is a member that is read from start to end.
type payload struct {
	io.Reader
	file io.ReadCloser
	dec  *zstd.Decoder // nil for a member that is not compressed with zstd
	at   int64
	size int64 // decompressed, by the archive
	held int64 // of the content, to decompress what follows
}

// grown is how much more memory is held than at the last call.
func (p *payload) grown() int64 {
	if p.dec == nil {
		return 0
	}
	before := p.held
	p.held = min(p.at, largeWindow)
	return p.held - before
}

// payloadOf reads a member that [Recording.addMade] added.
func payloadOf(content []byte) *payload {
	in := bytes.NewReader(content)
	return &payload{Reader: in, file: io.NopCloser(in), size: int64(len(content))}
}

func (r *Recording) payload(name string) (*payload, error) {
	if content, ok := r.made[name]; ok {
		return payloadOf(content), nil
	}
	m := r.members[name]
	if m == nil {
		return nil, fmt.Errorf("%s names it, but it is missing", manifestName)
	}
	file, err := m.Open()
	if err != nil {
		return nil, err
	}
	if _, packed := cutZstd(name); !packed {
		return &payload{Reader: file, file: file, size: int64(m.UncompressedSize64)}, nil
	}
	dec, err := newDecoder(file)
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return &payload{Reader: dec, file: file, dec: dec}, nil
}

func newDecoder(in io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(largeWindow),
		zstd.WithDecoderLowmem(true))
}

// read reads an entry's bytes. The buffer of a large one grows as the bytes come, as the length is only a claim of the
// manifest.
func (p *payload) read(ref Ref) ([]byte, error) {
	if ref.Offset != p.at || ref.Length < 0 {
		return nil, fmt.Errorf("%s gives an impossible place for it", manifestName)
	}
	const atOnce = 64 << 20 // pages that were never written to take no memory
	b := make([]byte, min(ref.Length, atOnce))
	for read := 0; ; {
		n, err := io.ReadFull(p, b[read:])
		read += n
		p.at += int64(n)
		if err == io.EOF && len(b) > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, fmt.Errorf("it is cut or damaged: %w", err)
		}
		if int64(read) == ref.Length {
			return b, nil
		}
		b = append(b, make([]byte, min(ref.Length-int64(read), atOnce))...)
	}
}

func (p *payload) close() {
	if p.dec != nil {
		p.dec.Close()
	}
	_ = p.file.Close()
}
