package flame

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	pprof "github.com/google/pprof/profile"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/profile"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/file"
)

// gatherFiles makes one profile of saved dumps and of other programs' profiles.
func gatherFiles(ctx context.Context, env *shell.Env, names []string, o flameOptions) (gathered, error) {
	defer shell.GrowFreely()()
	var g gathered
	var parts []*pprof.Profile
	var dumps []*file.Input
	var unread []error
	var times []*flame.Timeline
	for _, name := range names {
		in, err := file.OpenInput(ctx, name, env.Stdin, flame.SniffLen)
		if err != nil {
			return g, err
		}
		kind := flame.Sniff(in.Head)
		if kind == flame.InputDumps {
			in.HoldsDumps()
			dumps = append(dumps, in)
			continue
		}
		p, of, err := readProfile(ctx, in, kind, o)
		if err != nil {
			err = fmt.Errorf("%s: %w", source.NameOf(name), err)
		}
		if p == nil {
			unread = append(unread, err)
			continue
		}
		g.lacks(err)
		parts, times = append(parts, p), append(times, of)
	}
	if len(unread) > 0 && (len(parts)+len(dumps) == 0 || ctx.Err() != nil) {
		return g, unread[0]
	}
	for _, err := range unread {
		g.lacks(err)
	}
	if len(dumps) > 0 {
		fromDumps, err := gatherDumps(ctx, dumps, o)
		if err != nil {
			return g, err
		}
		g.notes, g.code = append(g.notes, fromDumps.notes...), shell.WorstCode([]int{g.code, fromDumps.code})
		parts, times = append(parts, fromDumps.profile), append(times, fromDumps.timeline)
	}
	p, err := flame.Merge(parts)
	if err != nil {
		return g, shell.NoResult(unitHint(parts), "%v", err)
	}
	g.profile = p
	if len(times) == 1 { // several files have several times
		g.timeline = times[0]
	}
	return g, nil
}

// unitHint says what to do about profiles that cannot be merged.
func unitHint(parts []*pprof.Profile) string {
	if slices.ContainsFunc(parts, flame.IsUnnamed) {
		return "collapsed stacks have no unit: name it with --weight cpu, wall or samples, or use .pb.gz files"
	}
	return ""
}

// readProfile reads the profile of another profiler or of an earlier run of jstall. Only recordings have times.
func readProfile(ctx context.Context, in *file.Input, kind flame.Input, o flameOptions) (
	*pprof.Profile, *flame.Timeline, error,
) {
	if kind == flame.InputJFR {
		if len(o.labelFrom) > 0 && !in.Repeatable() {
			return nil, nil, shell.Usage("save it to a file: jstall flame FILE.jfr --label-from "+o.labelFrom[0],
				"--label-from reads a recording twice, and %s can be read only once", source.NameOf(in.Name))
		}
		open := func() (io.ReadCloser, error) { return in.Content(ctx) }
		return readRecording(open, source.NameOf(in.Name), o)
	}
	content, err := in.Content(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = content.Close() }()
	p, err := readStacks(content, kind, in, o)
	return p, nil, err
}

// readStacks reads a profile in a format without times.
func readStacks(content io.Reader, kind flame.Input, in *file.Input, o flameOptions) (*pprof.Profile, error) {
	if err := o.noRecording(source.NameOf(in.Name)); err != nil {
		return nil, err
	}
	p, partial := flame.Read(content, kind)
	if p == nil {
		return nil, shell.NoResult("a FILE holds thread dumps, a flight recording, collapsed stacks or a pprof profile",
			"%s: %v", source.NameOf(in.Name), partial)
	}
	flame.NameWeight(p, o.weight)
	if kind == flame.InputCollapsed || len(p.Comments) == 0 {
		p.Comments = append([]string{source.NameOf(in.Name)}, p.Comments...)
	}
	if flame.IsUnnamed(p) {
		p.Comments = append(p.Comments,
			"Collapsed stacks have no unit. Name it with --weight cpu, wall or samples.")
	}
	if o.thread != nil {
		flame.OnlyThreads(p, func(name string) bool { return o.thread(name, 0) })
	}
	return p, partial
}

// gatherDumps profiles saved thread dumps.
func gatherDumps(ctx context.Context, inputs []*file.Input, o flameOptions) (gathered, error) {
	return gatherSamples(ctx, profile.FoldInputs(inputs), titleOf(inputs), o)
}

// namesInTitle is how many files a title names one by one.
const namesInTitle = 5

func titleOf(inputs []*file.Input) string {
	if more := len(inputs) - namesInTitle; more > 0 {
		return fmt.Sprintf("%s and %d more files", titleOf(inputs[:namesInTitle]), more)
	}
	names := make([]string, len(inputs))
	for i, in := range inputs {
		names[i] = source.NameOf(in.Name)
	}
	return strings.Join(names, " ")
}

// gatherSamples makes a profile of earlier samples: saved dumps, or a recording.
func gatherSamples(ctx context.Context, fold *profile.Fold, title string, o flameOptions) (gathered, error) {
	if err := o.noRecording(title); err != nil {
		return gathered{}, err
	}
	var b *flame.Builder
	var times *flame.Timeline
	fold.Begin = func() func(*timeline.Delta) {
		times = &flame.Timeline{}
		b = flame.NewBuilder(flame.Options{ExactNames: o.exactNames, Thread: o.thread, Timeline: times})
		return b.Add
	}
	defer shell.GrowFreely()()
	result, err := fold.Run(ctx)
	if result.Dumps == 0 {
		if err == nil {
			err = shell.NoResult("", "%s: no thread dump in it", title)
		}
		return gathered{}, err
	}
	g := gathered{notes: result.Warnings}
	if err == nil {
		err = result.Partial
	}
	g.lacks(err)
	g.profile, g.timeline = b.Profile(title), times
	if more := len(g.notes) - maxNotes; more > 0 {
		g.notes = append(g.notes[:maxNotes:maxNotes], fmt.Sprintf("and %d more notes", more))
	}
	return g, nil
}

// maxNotes bounds the notes about the dumps.
const maxNotes = 10
