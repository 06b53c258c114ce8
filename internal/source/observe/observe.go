package observe

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/threaddump"
)

// Observer parses the entries of readings, one reading after the other, into observations.
type Observer struct {
	readers  dumpReaders
	add      func(timeline.Observation)
	texts    *Texts // nil to keep none
	warnings []string
	// most is how many threads of all dumps are kept, 0 for any number; samples counts them.
	most, samples int
	// unread names the frames that the last dump lacks.
	unread []string
	// virtual is the entry of the virtual threads of the reading until a dump takes it, nil otherwise.
	virtual *recording.Entry
	// Partial is the first reason why input was left out, nil if all was read.
	Partial error
}

// maxSamples bounds the threads of all dumps together.
const maxSamples = 600_000

// NewObserver makes an observer that passes observations to add.
func NewObserver(add func(timeline.Observation)) *Observer {
	return &Observer{readers: dumpReaders{interner: threaddump.NewInterner()}, add: add}
}

// NewBoundedObserver makes an observer that keeps at most the threads that a capture may have.
func NewBoundedObserver(add func(timeline.Observation)) *Observer {
	o := NewObserver(add)
	o.most = maxSamples
	return o
}

// Restart forgets the notes on the readings so far, and passes observations to another function from now on.
func (o *Observer) Restart(add func(timeline.Observation)) {
	o.add, o.warnings, o.unread, o.Partial, o.samples = add, nil, nil, nil, 0
}

// TakeWarnings returns the warnings so far and forgets them.
func (o *Observer) TakeWarnings() []string {
	warnings := o.warnings
	o.warnings = nil
	return warnings
}

// Warn adds a warning.
func (o *Observer) Warn(text string) { o.warnings = append(o.warnings, text) }

// addAll passes on observations.
func (o *Observer) addAll(all []timeline.Observation) {
	for _, each := range all {
		o.add(each)
	}
}

// unanswered passes on the observations while the JVM gave no answer.
func (o *Observer) unanswered(entries []recording.Entry, why error) {
	o.addAll(moments(entries, *form.Attempt(why)))
}

// Notes are all notes on the readings: the warnings, and which frames the last dump lacks.
func (o *Observer) Notes() []string { return append(o.warnings, o.unread...) }

// errFull ends a capture that has the maximum number of dumps.
var errFull = errors.New("as many dumps as can be kept")

// Observe passes on the observations of one reading: one per dump, with the facts that were taken with it.
func (o *Observer) Observe(entries []recording.Entry) error {
	if err := form.FailureOf(entries); err != nil {
		o.unanswered(entries, err)
		return nil
	}
	without, entries, failed := splitInstead(entries)
	if failed != nil {
		a := form.Attempt(failed)
		a.Read = true
		o.addAll(moments(without, *a))
	}
	o.virtual = form.VirtualOf(entries)
	var common timeline.Observation
	files := kernel.Files{}
	for _, e := range entries {
		if e.Kind == recording.Kernel && e.Err == nil {
			files[e.Name] = e.Bytes
			continue
		}
		if err := addFacts(&common, e); err != nil {
			o.LeaveOut(source.InFile(e.Name, err), 0)
		}
	}
	if len(files) > 0 {
		common.Machine = form.Machine(files)
	}
	for _, e := range entries {
		if e.Kind != recording.ThreadDump {
			continue
		}
		if err := o.dumps(e, common); err != nil {
			return err
		}
	}
	if common.Flight != nil {
		o.add(common)
	}
	return nil
}

// dumps parses a dump entry and adds an observation per dump in it.
func (o *Observer) dumps(e recording.Entry, common timeline.Observation) error {
	if e.Err != nil {
		common.Attempt = form.Attempt(e.Err)
		o.add(common)
		return nil
	}
	text := o.texts.input(&e)
	reader := o.readers.reader(e)
	if e.Stream != nil {
		defer func() { _ = e.Stream.Close() }()
	}
	if e.Name == source.VirtualCommand {
		o.written(e, reader, common, text)
		return nil
	}
	found := 0
	var last *threaddump.Dump
	for {
		dump, err := reader.Next()
		if last != nil && (err == nil || err == io.EOF) { // otherwise the error says why it is truncated
			o.damage(e.Name, last)
		}
		if last = dump; dump != nil && len(dump.Threads) == 0 {
			if last = nil; err != nil && err != io.EOF {
				o.LeaveOut(source.InFile(e.Name, err), found) // this is the reason
				break
			}
			o.leaveOutf(e.Name, "the dump at line %d has no threads", dump.Line)
		} else if dump != nil {
			if full := o.dump(e, dump, common, text); full != nil {
				return full
			}
			found++
		}
		if err != nil {
			o.endOfDumps(e, err, found)
			break
		}
	}
	o.warnOf(e.Name, reader.Problems())
	return nil
}

// written takes the single dump that the JVM was asked for. Names are not quoted in plain text, and may look like
// further dumps.
func (o *Observer) written(e recording.Entry, reader dumpReader, common timeline.Observation, text *inputText) {
	dump, err := reader.Next()
	if dump == nil || dump.Instant {
		o.warnings = append(o.warnings, fmt.Sprintf("%swhat the JVM wrote is no list of threads (%v)",
			source.NotListed, err))
		return
	}
	common.Dump, common.Source = dump, e.Name
	o.texts.found(dump, text)
	if e.At >= 0 {
		common.At = threaddump.Known(e.At)
	}
	o.add(common)
	o.warnOf(e.Name, dump.Problems)
	if err != nil && err != io.EOF {
		o.LeaveOut(source.InFile(e.Name, err), 1)
	}
}

// dump adds the observation of one dump of an entry. It returns errFull if the dumps have too many threads in total.
func (o *Observer) dump(e recording.Entry, d *threaddump.Dump, common timeline.Observation, text *inputText) error {
	d = o.withVirtual(e, d, text)
	if o.samples += len(d.Threads); o.most > 0 && o.samples > o.most {
		o.leaveOutf(e.Name, "the dumps have more than %d threads together: those from line %d on are left out",
			o.most, d.Line)
		return errFull
	}
	common.Dump, common.Source, common.Heap = d, fileOf(e), heapSection(d)
	o.texts.found(d, text)
	if e.At >= 0 {
		common.At = threaddump.Known(e.At)
	}
	o.add(common)
	o.warnOf(e.Name, d.Problems)
	o.unread = unreadStacks(d)
	return nil
}

// withVirtual returns a dump with the virtual threads of its reading: a copy, or the dump itself if there is nothing to
// add. If the entry is damaged, a note says that they are missing.
func (o *Observer) withVirtual(e recording.Entry, d *threaddump.Dump, text *inputText) *threaddump.Dump {
	v := o.virtual
	if o.virtual = nil; v == nil || d.VirtualListed {
		return d
	}
	section, err := form.ParseVirtual(v, o.readers.options()...)
	if section == nil {
		unlisted := *d
		unlisted.VirtualMissing = err.Error()
		return &unlisted
	}
	all := d.WithVirtual(section, bytes.Count(e.Bytes, []byte("\n")))
	if err != nil && all.VirtualMissing == "" {
		all.VirtualMissing = err.Error()
	}
	o.texts.add(text, v.Bytes)
	return all
}

// endOfDumps warns of an error that ended the dumps of an entry. The end of the file is not an error, and neither is a
// member of an archive that holds no dump.
func (o *Observer) endOfDumps(e recording.Entry, err error, found int) {
	if err != io.EOF && (!e.Member || !errors.Is(err, threaddump.ErrNoDump)) {
		o.LeaveOut(source.InFile(e.Name, err), found)
	}
}

// fileOf is the file of an entry, empty for standard input.
func fileOf(e recording.Entry) string {
	if e.Name == source.Stdin {
		return ""
	}
	return e.Name
}

// damage warns of a dump that lacks threads or its end.
func (o *Observer) damage(name string, d *threaddump.Dump) {
	missing, listed := d.Missing(), 0
	if d.SMR != nil {
		listed = d.SMR.Length
	}
	read := listed - missing
	switch {
	case missing > 0 && d.Cut:
		o.leaveOutf(name, "the dump at line %d is cut: %d of its %d threads are there", d.Line, read, listed)
	case missing > 0:
		o.leaveOutf(name, "the dump at line %d shows %d of the %d threads that the JVM listed", d.Line, read,
			listed)
	case d.Lost > 0:
		o.leaveOutf(name, "%d %s of the dump at line %d could not be read", d.Lost, threadsWord(d.Lost), d.Line)
	case d.Fragment:
		o.leaveOutf(name, "the threads from line %d on are a part of a dump, without its beginning and end: "+
			"nothing is known of the others", d.Line)
	case d.Cut:
		o.leaveOutf(name, "the dump at line %d is cut: its end is missing", d.Line)
	}
}

func threadsWord(n int) string {
	if n == 1 {
		return "thread"
	}
	return "threads"
}

// leaveOutf warns of a dump in a file that could not be read in full.
func (o *Observer) leaveOutf(name, format string, args ...any) {
	o.LeaveOut(source.InFile(name, fmt.Errorf(format, args...)), 0)
}

// LeaveOut warns of input that could not be read after its first dumps, found of them.
func (o *Observer) LeaveOut(err error, found int) {
	if found > 0 {
		err = fmt.Errorf("%w: the rest is left out", err)
	}
	if o.Partial == nil {
		o.Partial = err
		return
	}
	o.warnings = append(o.warnings, err.Error())
}

// maxProblems bounds how many problems of one file are reported one by one.
const maxProblems = 5

func (o *Observer) warnOf(name string, problems []threaddump.Problem) {
	for i, p := range problems {
		if i == maxProblems {
			o.warnings = append(o.warnings,
				fmt.Sprintf("%sand %d more places that could not be read", prefix(name), len(problems)-i))
			return
		}
		text := fmt.Sprintf("%sline %d: %s", prefix(name), p.Line, p.Message)
		if p.Text != "" {
			text += fmt.Sprintf(": %q", p.Text)
		}
		o.warnings = append(o.warnings, text)
	}
}

func prefix(name string) string {
	if name == "" {
		return ""
	}
	return name + ": "
}
