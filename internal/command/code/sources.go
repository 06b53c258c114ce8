package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/profile"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/live"
)

// read reads the counters of the requested classes.
func (q *callInquiry) read(ctx context.Context, live *live.Source) (*hotspot.ClassList, error) {
	wants := func(name string) bool {
		return slices.ContainsFunc(q.wanted, func(m profile.MethodName) bool { return m.Class == name })
	}
	return live.Memory().Classes(ctx, hotspot.ClassOptions{Counts: true, Wanted: wants})
}

// namedNear is the number of names in a hint.
const namedNear = 3

// missing is the error of a method that the JVM has not loaded, nil if all are loaded.
func (q *callInquiry) missing(list *hotspot.ClassList) error {
	var classes []string
	methods := map[string][]string{}
	for i := range list.Classes {
		c := &list.Classes[i]
		classes = append(classes, c.Name)
		for _, m := range c.Counts {
			methods[c.Name] = append(methods[c.Name], m.Name)
		}
	}
	for _, m := range q.wanted {
		switch {
		case !slices.Contains(classes, m.Class):
			return shell.NoResult(nearHint(shell.Nearest(m.Class, likely(m.Class, classes), namedNear), ""),
				"the JVM has not loaded the class %s", m.Class)
		case !slices.Contains(methods[m.Class], m.Method):
			slices.Sort(methods[m.Class])
			near := shell.Nearest(m.Method, slices.Compact(methods[m.Class]), namedNear)
			return shell.NoResult(nearHint(near, m.Class+"."),
				"the class %s has no code for a method %s; a superclass may", m.Class, m.Method)
		}
	}
	return nil
}

// likely returns the names with about the length of a word, or with the same end. Most of 100,000 classes have neither.
func likely(word string, names []string) (found []string) {
	const longer = 6
	simple := strings.ToLower(word[strings.LastIndexByte(word, '.')+1:])
	for _, name := range names {
		own := name[strings.LastIndexByte(name, '.')+1:]
		if difference := len(own) - len(simple); difference <= longer && difference >= -longer {
			found = append(found, name)
		}
	}
	return found
}

func nearHint(names []string, prefix string) string {
	if len(names) == 0 {
		return "jstall classes lists the classes that are loaded"
	}
	return "near: " + prefix + strings.Join(names, ", "+prefix)
}

// fromMemory counts with the JVM's own counters.
func (q *callInquiry) fromMemory(ctx context.Context, live *live.Source, before *hotspot.ClassList,
	out *render.MethodCallReport) (code int, err error) {
	begin := time.Now()
	interrupted := q.sleep(ctx)
	after, err := q.read(context.WithoutCancel(ctx), live)
	if err != nil {
		return shell.ExitNothing, err
	}
	out.Source, out.Seconds = "memory", time.Since(begin).Seconds()
	if after.CallsUnknown {
		return shell.ExitNothing, shell.NoResult("", "this JVM counts no calls (-Xint)")
	}
	calls := profile.CountedBetween(before, after, q.wanted)
	for _, m := range q.wanted {
		out.Methods = append(out.Methods, row(m, calls))
	}
	out.Notes = append(out.Notes, "Source: the JVM's own counters, read from its memory. The JVM was not asked.",
		"Approximate: there were at least so many calls. Code that C2 compiled (tier 4) does not count them, and "+
			"inlined calls are not counted.")
	if names := compiledOf(calls); len(names) > 0 {
		out.Notes = append(out.Notes,
			"Compiled by now, so that most calls may be missing: "+strings.Join(names, ", ")+".")
	}
	return q.end(out, interrupted), nil
}

// compiledOf returns the names of the methods with compiled code.
func compiledOf(calls []profile.MethodCalls) (names []string) {
	for _, c := range calls {
		if c.Compiled && !slices.Contains(names, c.String()) {
			names = append(names, c.String())
		}
	}
	return names
}

// end adds the notes that both sources share.
func (q *callInquiry) end(out *render.MethodCallReport, interrupted bool) (code int) {
	if text := overloaded(out.Methods); text != "" {
		out.Notes = append(out.Notes, text)
	}
	if interrupted {
		out.Notes = append(out.Notes, fmt.Sprintf("Interrupted after %.1f s.", out.Seconds))
		return shell.ExitPartial
	}
	return shell.ExitDone
}

// fromRecorder counts with the method timing of the flight recorder. If that is not available and has not begun, auto
// counts with the JVM's own counters.
func (q *callInquiry) fromRecorder(ctx context.Context, t session.Target, live *live.Source, before *hotspot.ClassList,
	out *render.MethodCallReport) (code int, err error) {
	recorder := &profile.FlightRecorder{
		Live: live, Duration: q.duration, Settings: profile.MethodTimingSettings(q.wanted),
	}
	done, err := recorder.Run(ctx)
	for _, left := range done.FilesLeft {
		out.Notes = append(out.Notes, left+" remains on the target's disk; a later run removes it.")
	}
	switch {
	case err != nil && !done.Started && before != nil && q.via != source.ViaAttach && ctx.Err() == nil:
		out.Notes = append(out.Notes, "No flight recording: "+shell.Failure(err).Message+".")
		return q.fromMemory(ctx, live, before, out)
	case errors.Is(err, profile.ErrNoRecorder):
		return shell.ExitNothing, shell.NoResult("--via memory", "%v", err)
	case err != nil:
		return shell.ExitNothing, session.Unrecorded(err, t, done)
	case done.Gone:
		return shell.ExitNothing, shell.NoResult("count for a shorter time: -d",
			"%s ended after %.1f s; its recording is lost", t.Label(), done.Elapsed.Seconds())
	}
	return q.timed(done, out)
}

// timed fills the report from a recording.
func (q *callInquiry) timed(done profile.FlightRecorded, out *render.MethodCallReport) (code int, err error) {
	calls, length, err := profile.ReadMethodTiming(bytes.NewReader(done.Data), q.wanted)
	if err != nil {
		return shell.ExitNothing, err
	}
	out.Source, out.Seconds = "jfr", length.Seconds()
	for _, m := range q.wanted {
		out.Methods = append(out.Methods, row(m, calls))
	}
	out.Notes = append(out.Notes, "Source: the flight recorder's method timing, which counts every call. The JVM "+
		"transformed the classes of these methods for it, and back afterwards.", session.RecorderThreads)
	if slices.ContainsFunc(out.Methods, func(m render.MethodCallRow) bool { return m.Calls == nil }) {
		out.Notes = append(out.Notes, "A method without a number was not timed: it is native or abstract, or its "+
			"class is not loaded.")
	}
	if done.Full != nil {
		out.Notes = append(out.Notes, fmt.Sprintf("Ended early: %v.", done.Full))
		return shell.ExitPartial, nil
	}
	return q.end(out, done.Interrupted), nil
}
