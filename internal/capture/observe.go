package capture

import (
	"errors"
	"fmt"
	"io"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/threaddump"
)

// observer parses the entries of one reading after the other into observations.
type observer struct {
	// interner lets equal stacks of all dumps share their memory.
	interner *threaddump.Interner
	add      func(timeline.Observation)
	ahead    *ahead // the dump that is parsed already, nil if none is
	texts    *Texts // nil to keep none
	warnings []string
	// most is how many threads of all dumps are kept, 0 for any number; samples counts them.
	most, samples int
	// unread tells which frames the last dump lacks.
	unread []string
	// virtual is the entry of the virtual threads of the reading that no dump has yet, nil if there is none.
	virtual *recording.Entry
	// partial is the first reason why input was left out, nil if all was read.
	partial error
}

// errFull ends a capture that has as many dumps as can be kept.
var errFull = errors.New("as many dumps as can be kept")

// observe hands the observations of one reading on: one per dump, with the facts that
// were taken beside it.
func (o *observer) observe(entries []recording.Entry) error {
	if err := form.FailureOf(entries); err != nil {
		o.silence(entries, *form.Attempt(err))
		return nil
	}
	entries = o.readInstead(entries)
	o.virtual = form.VirtualOf(entries)
	var beside timeline.Observation
	files := kernel.Files{}
	for _, e := range entries {
		if e.Kind == recording.Kernel && e.Err == nil {
			files[e.Name] = e.Bytes
			continue
		}
		o.beside(&beside, e)
	}
	if len(files) > 0 {
		beside.Machine = form.Machine(files)
	}
	for _, e := range entries {
		if e.Kind != recording.ThreadDump {
			continue
		}
		if err := o.dumps(e, beside); err != nil {
			return err
		}
	}
	if beside.Flight != nil {
		o.add(beside)
	}
	return nil
}

// beside takes what an entry says besides dumps.
func (o *observer) beside(to *timeline.Observation, e recording.Entry) {
	if e.Err != nil {
		return
	}
	switch e.Kind {
	case recording.Tasks:
		to.Tasks = form.ParseTasks(e.Bytes)
	case recording.Jcmd:
		switch e.Name {
		case form.CodeCacheCommand:
			to.CodeCache = form.CodeCache(e.Bytes)
		case form.LoadersCommand:
			to.Loaders = form.MostLoaders(e.Bytes)
		}
	case recording.Flight:
		to.Flight = o.flight(e)
	case recording.Objects:
		to.Objects = form.ParseObjects(e.Bytes)
	case recording.Process:
		if stat, err := kernel.ParseStat(e.Bytes); err == nil {
			to.ProcessCPU = threaddump.Known(stat.CPU())
			to.StartTime = stat.StartTime
		}
	case recording.Counters:
		if data, err := jvm.ParsePerfData(e.Bytes); err == nil {
			to.Counters = form.Counters(data)
		}
	}
}

// dumps parses a dump entry and adds an observation per dump in it.
func (o *observer) dumps(e recording.Entry, beside timeline.Observation) error {
	if e.Err != nil {
		beside.Attempt = form.Attempt(e.Err)
		o.add(beside)
		return nil
	}
	text := o.texts.input(&e)
	reader := o.reader(e)
	if e.Stream != nil {
		defer func() { _ = e.Stream.Close() }()
	}
	if e.Name == source.VirtualCommand {
		o.written(e, reader, beside, text)
		return nil
	}
	found := 0
	var last *threaddump.Dump
	for {
		dump, err := reader.Next()
		if last != nil && (err == nil || err == io.EOF) { // else the error says why it is cut
			o.damage(e.Name, last)
		}
		if last = dump; dump != nil && len(dump.Threads) == 0 {
			if last = nil; err != nil && err != io.EOF {
				o.leaveOut(source.InFile(e.Name, err), found) // this is why
				break
			}
			o.leaveOutf(e.Name, "the dump at line %d has no threads", dump.Line)
		} else if dump != nil {
			if full := o.dump(e, dump, beside, text); full != nil {
				return full
			}
			found++
		}
		if err != nil {
			o.endOfDumps(e, err, found)
			break
		}
	}
	o.warn(e.Name, reader.Problems())
	return nil
}

// dump adds the observation of one dump of an entry. It returns errFull if the dumps have too
// many threads together.
func (o *observer) dump(e recording.Entry, d *threaddump.Dump, beside timeline.Observation, text *inputText) error {
	d = o.withVirtual(e, d, text)
	if o.samples += len(d.Threads); o.most > 0 && o.samples > o.most {
		o.leaveOutf(e.Name, "the dumps have more than %d threads together: those from line %d on are left out",
			o.most, d.Line)
		return errFull
	}
	beside.Dump, beside.Source, beside.Heap = d, fileOf(e), heapSection(d)
	o.texts.found(d, text)
	if e.At >= 0 {
		beside.At = threaddump.Known(e.At)
	}
	o.add(beside)
	o.warn(e.Name, d.Problems)
	o.unread = unreadStacks(d)
	return nil
}

// endOfDumps warns of an error that ended the dumps of an entry. The end of the file is none, and
// neither is a member of an archive that holds no dump.
func (o *observer) endOfDumps(e recording.Entry, err error, found int) {
	if err != io.EOF && (!e.Member || !isNoDump(err)) {
		o.leaveOut(source.InFile(e.Name, err), found)
	}
}

// fileOf is the file that an entry is from, empty for standard input.
func fileOf(e recording.Entry) string {
	if e.Name == source.Stdin {
		return ""
	}
	return e.Name
}

// damage warns of a dump that lacks threads or its end.
func (o *observer) damage(name string, d *threaddump.Dump) {
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
func (o *observer) leaveOutf(name, format string, args ...any) {
	o.leaveOut(source.InFile(name, fmt.Errorf(format, args...)), 0)
}

// leaveOut warns of input that could not be read after its first dumps, found of them.
func (o *observer) leaveOut(err error, found int) {
	if found > 0 {
		err = fmt.Errorf("%w: the rest is left out", err)
	}
	if o.partial == nil {
		o.partial = err
		return
	}
	o.warnings = append(o.warnings, err.Error())
}

// maxProblems bounds how many problems of one file are told one by one.
const maxProblems = 5

func (o *observer) warn(name string, problems []threaddump.Problem) {
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
