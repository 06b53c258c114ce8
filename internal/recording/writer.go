package recording

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/jstall/jstall/internal/outfile"
)

// Writer collects the readings of several JVMs at once and writes them as one archive. Until Close the entries are in
// unnamed files in the archive's folder, compressed if they are large, and no file exists at the archive's path.
type Writer struct {
	out      destination
	path     string
	scratch  string // a folder
	manifest Manifest
	tight    bool

	mu   sync.Mutex
	jvms []*JVMWriter
}

// Create begins a recording that Close will put at path. An existing file is an
// error unless force is given; it is replaced only by a whole recording.
func Create(path string, m Manifest, force bool) (*Writer, error) {
	out, err := outfile.Create(path, force)
	if err != nil {
		return nil, err
	}
	m.Format = FormatVersion
	return &Writer{out: out, path: path, scratch: filepath.Dir(path), manifest: m}, nil
}

// CreateOn begins a recording that Close will write to a stream.
func CreateOn(out io.Writer, m Manifest) *Writer {
	m.Format = FormatVersion
	return &Writer{out: stream{out}, scratch: os.TempDir(), manifest: m}
}

// destination is where an archive goes: a file that is put in its place, or a stream.
type destination interface {
	io.Writer
	Commit() error
	Abort()
}

type stream struct{ io.Writer }

func (stream) Commit() error { return nil }
func (stream) Abort()        {}

// Path is where the recording will be, empty for a stream.
func (w *Writer) Path() string { return w.path }

// Redacted says in the manifest how many secrets of each kind were replaced.
func (w *Writer) Redacted(counts map[string]int) { w.manifest.Redacted = counts }

// SaveMemory compresses what JVMs that are added from now on say with a quarter of the memory or less. Then one in two
// large dumps is written in full, not by what has changed since the one before, and each of more than 7 MB.
func (w *Writer) SaveMemory() { w.tight = true }

// JVMWriter takes the readings of one JVM. It is used by one goroutine.
type JVMWriter struct {
	jvm     JVM
	scratch string
	tight   bool
	members map[string]*spool
	order   []*spool
	done    bool
}

// JVM adds a target.
func (w *Writer) JVM(t Target) *JVMWriter {
	w.mu.Lock()
	defer w.mu.Unlock()
	dir := fmt.Sprintf("%02d-pid-%d", len(w.jvms)+1, t.PID)
	j := &JVMWriter{jvm: JVM{Dir: dir, Target: t}, scratch: w.scratch, tight: w.tight,
		members: map[string]*spool{}}
	w.jvms = append(w.jvms, j)
	return j
}

// Add writes the entries of one reading, and what was asked for if it is not the next
// one. After an error the JVM's recording ends with the reading before.
func (j *JVMWriter) Add(ask string, entries []Entry) error {
	reading := Reading{Ask: ask}
	for _, e := range entries {
		ref, err := j.entry(e)
		if err != nil {
			return err
		}
		reading.Entries = append(reading.Entries, ref)
	}
	j.jvm.Readings = append(j.jvm.Readings, reading)
	return nil
}

func (j *JVMWriter) entry(e Entry) (Ref, error) {
	ref := Ref{Kind: e.Kind, Name: e.Name, At: e.At.Nanoseconds(), Took: e.Took.Nanoseconds(), Error: failureOf(e.Err)}
	if len(e.Bytes) == 0 {
		return ref, nil
	}
	s := j.spool(memberOf(e), len(e.Bytes))
	ref.Member, ref.Offset, ref.Length = s.name, s.size, int64(len(e.Bytes))
	return ref, s.write(e.Bytes)
}

// failureOf keeps what a failure says of itself.
func failureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	if f := (*Failure)(nil); errors.As(err, &f) {
		return f
	}
	return &Failure{Message: err.Error()}
}

// memberOf names the member that holds an entry: one for all dumps, so that each
// costs only what is new in it; one for each diagnostic command.
func memberOf(e Entry) string {
	switch e.Kind {
	case ThreadDump:
		return "dumps.txt"
	case Jcmd:
		return "jcmd/" + plainName(e.Name) + ".txt"
	case Counters:
		return "counters.bin"
	case Objects:
		return "objects.json"
	case Virtual:
		return "virtual.txt"
	}
	return string(e.Kind) + ".txt"
}

// plainName makes a file name of a command: letters, digits, dots and dashes.
func plainName(command string) string {
	name := []byte(command)
	for i, c := range name {
		isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		isDigit := '0' <= c && c <= '9'
		if !isLetter && !isDigit && c != '.' && c != '_' {
			name[i] = '-'
		}
	}
	return string(name)
}

func (j *JVMWriter) spool(member string, first int) *spool {
	s := j.members[member]
	if s == nil {
		s = &spool{name: j.jvm.Dir + "/" + member + ".zst", scratch: j.scratch, first: first, tight: j.tight}
		j.members[member] = s
		j.order = append(j.order, s)
	}
	return s
}

// End is how the readings of a JVM ended.
type End struct {
	// Cost is what they cost the target, in JSON.
	Cost json.RawMessage
	// OwnCPUSeconds is what they cost us, nil if unknown.
	OwnCPUSeconds *float64
	// Early is why they did not go on, nil if they were all taken.
	Early error
	// Rest is why what was to follow them is not whole, nil if it is.
	Rest error
}

// Finish ends the readings of the JVM.
func (j *JVMWriter) Finish(e End) {
	j.jvm.Cost, j.jvm.OwnCPUSeconds, j.done = e.Cost, e.OwnCPUSeconds, true
	j.jvm.Ended, j.jvm.RestEnded = failureOf(e.Early), failureOf(e.Rest)
}

// Close writes the archive and puts it in its place. JVMs whose readings were not
// finished are left out.
func (w *Writer) Close() error {
	defer w.Abandon()
	w.jvms = slices.DeleteFunc(w.jvms, func(j *JVMWriter) bool {
		if !j.done {
			j.discard()
		}
		return !j.done
	})
	for _, j := range w.jvms {
		w.manifest.JVMs = append(w.manifest.JVMs, j.jvm)
	}
	if err := w.writeTo(w.out); err != nil {
		return fmt.Errorf("the recording could not be written: %w", err)
	}
	return w.out.Commit()
}

// Abandon gives up what is not closed yet; nothing is left of it.
func (w *Writer) Abandon() {
	w.out.Abort()
	for _, j := range w.jvms {
		j.discard()
	}
}

func (j *JVMWriter) discard() {
	for _, s := range j.order {
		s.discard()
	}
}

func (w *Writer) writeTo(out io.Writer) error {
	z := zip.NewWriter(out)
	head, err := w.create(z, ManifestName)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(head).Encode(w.manifest); err != nil {
		return err
	}
	small, err := newEncoder(nil)
	if err != nil {
		return err
	}
	for _, j := range w.jvms {
		for _, s := range j.order {
			member, err := w.create(z, s.name)
			if err != nil {
				return err
			}
			if err := s.copyTo(member, small); err != nil {
				return err
			}
		}
	}
	return z.Close()
}

// create begins a member that is stored as it is: its payload is compressed.
func (w *Writer) create(z *zip.Writer, name string) (io.Writer, error) {
	h := &zip.FileHeader{Name: name, Method: zip.Store, Modified: w.manifest.Created}
	h.SetMode(0o600)
	return z.CreateHeader(h)
}
