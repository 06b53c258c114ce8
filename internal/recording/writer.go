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

// Create begins a recording that Close will put at path. An existing file is an error without force. It is replaced
// only by a complete recording.
func Create(path string, m Manifest, force bool) (*Writer, error) {
	out, err := outfile.Create(path, force)
	if err != nil {
		return nil, err
	}
	m.Format = formatVersion
	return &Writer{out: out, path: path, scratch: filepath.Dir(path), manifest: m}, nil
}

// CreateOn begins a recording that Close will write to a stream.
func CreateOn(out io.Writer, m Manifest) *Writer {
	m.Format = formatVersion
	return &Writer{out: stream{out}, scratch: os.TempDir(), manifest: m}
}

// destination is where an archive goes: a file that is renamed to its path at the end, or a stream.
type destination interface {
	io.Writer
	Commit() error
	Abort()
}

type stream struct{ io.Writer }

func (stream) Commit() error { return nil }
func (stream) Abort()        {}

// Path is the path of the recording, empty for a stream.
func (w *Writer) Path() string { return w.path }

// Redacted notes in the manifest how many secrets of each kind were replaced.
func (w *Writer) Redacted(counts map[string]int) { w.manifest.Redacted = counts }

// SaveMemory limits the memory for compression to a quarter, for JVMs that are added from now on. Then every second
// large dump is written in full, not as a difference to the one before, and so is each dump of more than 7 MB.
func (w *Writer) SaveMemory() { w.tight = true }

// JVMWriter writes the readings of one JVM. It is for one goroutine.
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

// Add writes the entries of one reading, with the request if it was not for the next one. After an error the JVM's
// recording ends with the reading before.
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

// failureOf converts an error for the manifest.
func failureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	if f := (*Failure)(nil); errors.As(err, &f) {
		return f
	}
	return &Failure{Message: err.Error()}
}

// memberOf names the member that holds an entry. All dumps share one, so that each costs only what differs from the one
// before; each diagnostic command has a separate one.
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

// plainName makes a file name from a command: letters, digits, dots and dashes.
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
	// OwnCPUSeconds is what they cost jstall, nil if unknown.
	OwnCPUSeconds *float64
	// Early is why they ended early, nil if all were taken.
	Early error
	// Rest is why the entries after them are not complete, nil if they are.
	Rest error
}

// Finish ends the readings of the JVM.
func (j *JVMWriter) Finish(e End) {
	j.jvm.Cost, j.jvm.OwnCPUSeconds, j.done = e.Cost, e.OwnCPUSeconds, true
	j.jvm.Ended, j.jvm.RestEnded = failureOf(e.Early), failureOf(e.Rest)
}

// Close writes the archive and puts it at its path. It leaves out JVMs whose readings were not finished.
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

// Abandon removes what is not closed yet.
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
	head, err := w.create(z, manifestName)
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

// create begins a member that the archive stores without compression, as its content is compressed already.
func (w *Writer) create(z *zip.Writer, name string) (io.Writer, error) {
	h := &zip.FileHeader{Name: name, Method: zip.Store, Modified: w.manifest.Created}
	h.SetMode(0o600)
	return z.CreateHeader(h)
}
