package session

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/jstall/jstall/internal/profile"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/source/recorded"
)

// keptFile writes the readings of running JVMs into a recording. A nil keptFile writes nothing.
type keptFile struct {
	w    *recording.Writer
	sent *shell.Counter   // the bytes on standard output, nil if a file is written
	kept map[int]*keptJVM // by pid
	// Further, if set, are the facts that no analysis needs.
	Further *FurtherFacts
}

// FurtherFacts are the facts of a recording beyond the JVM's answers about itself.
type FurtherFacts struct {
	// Profile is how long to sample for a flame graph; zero means no profile.
	Profile time.Duration
	// Histogram asks for a class histogram, which costs a GC, if its predicted pause is shorter than MaxPause.
	Histogram bool
	MaxPause  time.Duration
}

type keptJVM struct {
	*recorded.Recorder
	live *live.Source
}

// newKeptFile begins a recording of the running targets.
func newKeptFile(env *shell.Env, path string, force bool, targets []Target, now taken) (*keptFile, error) {
	if path == shell.Standard && env.Piped == nil {
		return nil, shell.Usage("jstall record PID -o -", "--keep needs a file: standard output has the report")
	}
	if !slices.ContainsFunc(targets, Target.IsLive) {
		return nil, nothingToKeep(env, targets)
	}
	k := &keptFile{kept: map[int]*keptJVM{}}
	if err := k.create(env, path, force, now); err != nil {
		return nil, err
	}
	for _, t := range targets {
		if t.IsLive() {
			k.kept[t.Process.PID] = &keptJVM{Recorder: &recorded.Recorder{Into: k.w.JVM(
				recorded.TargetOf(*t.Process))}}
		}
	}
	return k, nil
}

// nothingToKeep is the error of targets without a running JVM.
func nothingToKeep(env *shell.Env, targets []Target) error {
	unresolved := 0
	for _, t := range targets {
		if t.Err != nil {
			PrintFailure(env, t, t.Err)
			unresolved++
		}
	}
	if unresolved > 0 {
		return &shell.ExitError{Code: shell.ExitNothing}
	}
	return shell.Usage("jstall status PID --keep FILE.zip", "--keep needs a running JVM")
}

// create begins the recording in a file, or on standard output.
func (k *keptFile) create(env *shell.Env, path string, force bool, now taken) (err error) {
	m := recording.Manifest{Tool: now.Version, Host: now.Host, Created: now.At}
	if path == shell.Standard {
		k.sent = &shell.Counter{W: env.Piped}
		k.w = recording.CreateOn(k.sent, m)
		return nil
	}
	if k.w, err = recording.Create(path, m, force); err != nil {
		return shell.Unwritable(err)
	}
	return nil
}

// source wraps src, which asks live, so that its readings are recorded.
func (k *keptFile) source(t Target, live *live.Source, src source.Source) source.Source {
	if k == nil {
		return src
	}
	kept := k.kept[t.Process.PID]
	kept.live, kept.Source = live, src
	return kept
}

// finish ends the recording of a target. It adds further facts, the cost, and why the captures ended early if they did.
func (k *keptFile) finish(ctx context.Context, t Target, ownCPU *float64, early error) error {
	if k == nil || !t.IsLive() {
		return nil
	}
	kept := k.kept[t.Process.PID]
	if k.Further != nil && early == nil {
		kept.takeFurther(ctx, *k.Further)
	}
	return kept.Finish(ownCPU, early)
}

// takeFurther takes the profile first, and the most disturbing facts last.
func (k *keptJVM) takeFurther(ctx context.Context, f FurtherFacts) {
	if k.live.FromMemory() {
		k.More(k.cleaned([]recording.Entry{k.live.Target().Release()}))
		return
	}
	if f.Profile > 0 {
		k.Rest = profile.TakeProfile(ctx, k.live, f.Profile, ProfileBudget(recordedShare),
			func(entries []recording.Entry) {
				k.Profile(k.cleaned(entries))
			})
	}
	more := k.live.Asker().More(ctx)
	unanswered := live.Unanswered(more)
	k.More(k.cleaned(more))
	if f.Histogram && ctx.Err() == nil && unanswered == nil {
		more = k.live.Histogram(ctx, f.MaxPause)
		unanswered = live.Unanswered(more)
		k.More(k.cleaned(more))
	}
	if k.Rest == nil && unanswered != nil {
		k.Rest = &recording.Failure{Message: shell.Failure(unanswered).Message}
	}
	if k.Rest == nil && ctx.Err() != nil {
		k.Rest = &recording.Failure{Message: "interrupted before all commands were sent"}
	}
}

// lacksAnswers reports whether the recording lacks the answers that record usually asks the JVM for.
func (k *keptFile) lacksAnswers(t Target) bool {
	return k != nil && k.Further != nil && t.IsLive() && k.kept[t.Process.PID].live.FromMemory()
}

// recordedShare is the part of the time for which a recorded profile may pause its target.
const recordedShare = 0.02

// cleaned returns the entries without their secrets, if redaction is on.
func (k *keptJVM) cleaned(entries []recording.Entry) []recording.Entry {
	if redacted, ok := k.Source.(*recorded.Redacted); ok {
		return redacted.Entries(entries)
	}
	return entries
}

// Close puts the recording at its path, and notes in it what was redacted.
func (k *keptFile) Close(r *redact.Redactor) error {
	if k == nil {
		return nil
	}
	if r != nil {
		k.w.Redacted(r.Counts())
	}
	switch err := k.w.Close(); {
	case err == nil || k.sent != nil:
		return err
	default:
		return shell.Unwritable(err)
	}
}

// Abandon removes the recording if it is not closed.
func (k *keptFile) Abandon() {
	if k != nil {
		k.w.Abandon()
	}
}

// name is the file of the recording.
func (k *keptFile) name() string {
	if k.sent != nil {
		return "standard output"
	}
	return k.w.Path()
}

// size is the size of the recording as text.
func (k *keptFile) size() string {
	n := int64(0)
	if info, err := os.Stat(k.w.Path()); k.sent != nil {
		n = k.sent.N
	} else if err != nil {
		return "unknown size"
	} else {
		n = info.Size()
	}
	if n >= 10<<20 {
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d kB", (n+1023)>>10)
}

// ProfileBudget is the budget of a profile that may cost its target this share of its time.
func ProfileBudget(share float64) profile.Budget {
	return profile.Budget{Share: share, OwnCPU: shell.OwnCPU, Cores: runtime.GOMAXPROCS(0)}
}
