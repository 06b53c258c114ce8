package flame

import (
	"regexp"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// flameOptions are the checked values of the flags.
type flameOptions struct {
	duration, interval, timeout time.Duration
	durationSet                 bool
	pauseShare                  float64
	weight                      string
	engine                      string
	event                       flame.Event
	eventSet                    bool
	asyncLib                    string
	top                         int
	thread                      shell.Chooser
	threadWord                  string
	method                      *regexp.Regexp
	idle, exactNames            bool
	// attachAnyway attaches although a check predicts harm.
	attachAnyway bool
	// labelFrom are the fields of events that become labels; by is the label to group by, empty for none.
	labelFrom []string
	by        string
	// needsDumps reports that a flag needs data that only thread dumps have.
	needsDumps bool
	// prefersMemory reports that dumps read from memory have that data too, although they lack the JVM's own threads.
	prefersMemory bool
	base, http    string
	children      bool
	color         bool
	output        flameOutput
	args          []string
}

// gathered is a profile with its notes.
type gathered struct {
	profile *pprof.Profile
	// timeline has the times of the profile's values, nil if unknown.
	timeline *flame.Timeline
	// notes are sentences for the reader that are not in the profile.
	notes []string
	// code is ExitPartial if the profile is not complete.
	code int
}

// exempt are flags for running JVMs that also have another meaning: --force replaces the output.
func (o flameOptions) exempt() []string {
	if o.output.Path != "" {
		return []string{"force"}
	}
	return nil
}

// cutShort notes why the profile is not complete.
func (g *gathered) cutShort(note string) {
	g.code = shell.ExitPartial
	g.notes = append(g.notes, note)
}

// note adds a note, unless it is empty.
func (g *gathered) note(text string) {
	if text != "" {
		g.notes = append(g.notes, text)
	}
}

// lacks notes the error that makes the profile incomplete, unless it is nil.
func (g *gathered) lacks(err error) {
	if err != nil {
		g.code = shell.ExitPartial
		g.notes = append([]string{shell.Failure(err).Message}, g.notes...)
	}
}

// noRecording refuses --event and --label-from for an input without events to choose from.
func (o flameOptions) noRecording(what string) error {
	if len(o.labelFrom) > 0 {
		return shell.Usage("", "--label-from is for a flight recording; %s is not one", what)
	}
	if !o.eventSet {
		return nil
	}
	hint := "--weight cpu, wall or samples chooses what is counted"
	if o.event == flame.EventCPU || o.event == flame.EventWall {
		hint = "--weight " + string(o.event)
	}
	return shell.Usage(hint, "--event is for a running JVM or a flight recording; %s is neither", what)
}

// threadOf is the thread that --thread names by an id of the host, nil without such a thread.
func (o flameOptions) threadOf(env *shell.Env, t session.Target) *session.HostThread {
	return session.FindHostThread(kernel.New(env.ProcRoot), t.Process, o.threadWord)
}
