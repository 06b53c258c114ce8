// Package session has the use cases of jstall: it finds targets, captures them, records and redacts what is taken, and
// makes reports. The commands, the MCP server and the live screen use it.
package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/file"
	"github.com/jstall/jstall/internal/source/live"
)

// Target is one JVM to capture, or its saved dumps.
type Target struct {
	Process *jvm.Process
	Files   []string
	// Recorded is one JVM of the recording that Files names.
	Recorded *Replay
	// Word is what the user typed, Err why it could not be resolved.
	Word string
	Err  error
	// Place is where it was captured with --on, empty for this machine.
	Place string
}

// IsLive reports whether the target is running.
func (t Target) IsLive() bool { return t.Process != nil }

// Label is the name of the target in messages.
func (t Target) Label() string {
	switch {
	case t.Process != nil:
		return strconv.Itoa(t.Process.PID)
	case t.Recorded != nil:
		return fmt.Sprintf("%s, pid %d", t.FileNames(), t.Recorded.JVM.Target.PID)
	case len(t.Files) > 0:
		return t.FileNames()
	}
	return t.Word
}

// typed is the target as an argument of the next command line.
func (t Target) typed(pid int) string {
	if t.Place == "" {
		return strconv.Itoa(pid)
	}
	return fmt.Sprintf("%d --on %s", pid, file.ShellWord(t.Place))
}

// FileNames are the names of its files in messages.
func (t Target) FileNames() string {
	names := make([]string, len(t.Files))
	for i, file := range t.Files {
		names[i] = source.NameOf(file)
	}
	return strings.Join(names, " ")
}

// AllSaved reports whether all targets are files, and there is at least one.
func AllSaved(targets []Target) bool {
	isOther := func(t Target) bool { return t.IsLive() || t.Err != nil }
	return len(targets) > 0 && !slices.ContainsFunc(targets, isOther)
}

// Resolver turns the words of the command line into targets.
type Resolver struct {
	env     *shell.Env
	kernel  *kernel.Reader
	timeout time.Duration
	found   *jvm.Found // read once, when the first word needs it
	targets []Target
	files   []string
	seen    map[int]bool
	// standard input is read once: as dumps, or as the recording that piped is
	dumpsPiped bool
	piped      *recording.Recording
}

// Resolve finds the targets of words, in the order of the words. All files together are one target, each JVM of a
// recording is one. A word that cannot be resolved is a target with its error, so that the other targets still get
// their reports.
func Resolve(ctx context.Context, env *shell.Env, words []string, timeout time.Duration) ([]Target, error) {
	if len(words) == 0 {
		return nil, shell.Usage("jstall list shows the running JVMs",
			"name a pid, a part of a main class, all, or dump files")
	}
	return NewResolver(env, timeout).resolve(ctx, words)
}

// NewResolver makes a Resolver that waits for a starting JVM for as long as the timeout.
func NewResolver(env *shell.Env, timeout time.Duration) *Resolver {
	k := kernel.New(env.ProcRoot)
	shell.YieldMemory(k)
	return &Resolver{env: env, kernel: k, timeout: timeout}
}

// resolve finds the targets of words. It forgets earlier ones.
func (r *Resolver) resolve(ctx context.Context, words []string) ([]Target, error) {
	r.targets, r.files, r.seen = nil, nil, map[int]bool{}
	for _, word := range words {
		err := shell.Caught(func() error { return r.add(ctx, word) })
		if e, ok := errors.AsType[*shell.ExitError](err); ok && e.Code == shell.ExitUsage {
			return nil, err
		}
		if err != nil {
			r.targets = append(r.targets, Target{Word: word, Err: err})
		}
	}
	if len(r.files) > 0 {
		r.targets = append(r.targets, Target{Files: r.files})
	}
	return r.targets, ctx.Err()
}

// IsRecording distinguishes a recording from other archives.
func IsRecording(path string) bool { return recording.Is(path) && !isArchive(path) }

func (r *Resolver) add(ctx context.Context, word string) error {
	pid, err := strconv.Atoi(word)
	isFile := NamesFile(word)
	switch {
	case strings.TrimSpace(word) == "":
		return shell.Usage("name a pid, a part of a main class, all, or dump files",
			"a target is empty; is a variable not set?")
	case err == nil && pid < 1, errors.Is(err, strconv.ErrRange):
		return shell.Usage("jstall list shows the running JVMs", "%s is not a process id", word)
	case word == shell.Standard && r.dumpsPiped:
		return shell.Usage("jstall dump1.txt - < dump2.txt", shell.OnceOnly)
	case word != shell.Standard && isFile && IsRecording(word):
		return r.addRecording(ctx, word, "all")
	case isFile:
		r.files, r.dumpsPiped = append(r.files, word), r.dumpsPiped || word == shell.Standard
		return nil
	case err == nil:
		return r.addPID(ctx, pid)
	case LooksLikePath(word):
		return shell.NoResult("", "%s: no such file", word)
	}
	return r.addMatching(ctx, word)
}

// isArchive reports whether a zip is not a recording: its files are dumps.
func isArchive(word string) bool {
	opened, err := recording.Open(word)
	if err == nil {
		_ = opened.Close()
	}
	return errors.Is(err, recording.ErrNotOurs)
}

// NamesFile reports whether a word names a file. A number is always a pid.
func NamesFile(word string) bool {
	_, err := strconv.Atoi(word)
	return word == shell.Standard || err != nil && shell.IsFile(word)
}

// LooksLikePath reports whether a word can only mean a file.
func LooksLikePath(word string) bool {
	if strings.ContainsRune(word, os.PathSeparator) {
		return true
	}
	switch filepath.Ext(word) {
	case ".txt", ".log", ".json", ".gz", ".zst", ".xz", ".bz2", ".zip", ".tar", ".tgz", ".tdump", ".dump", ".out",
		".md", ".html":
		return true
	}
	return false
}

func (r *Resolver) addPID(ctx context.Context, pid int) error {
	if err := shell.NeedsLinux(); err != nil {
		return err
	}
	p, err := live.Await(ctx, r.kernel, pid, r.timeout)
	if z, ok := errors.AsType[*jvm.ZombieError](err); ok && z.Comm == "java" {
		// a zombie is worth a report
		p, err = jvm.Process{PID: z.PID, NSPID: z.PID, PPID: z.PPID, Exe: z.Comm, State: "Z"}, nil
	}
	if err != nil {
		return err
	}
	r.addProcess(p)
	return nil
}

func (r *Resolver) addProcess(p jvm.Process) {
	if r.seen[p.PID] {
		return
	}
	r.seen[p.PID] = true
	r.targets = append(r.targets, Target{Process: &p})
}

// addMatching adds the JVMs that match a filter, or all for "all".
func (r *Resolver) addMatching(ctx context.Context, filter string) error {
	if err := shell.NeedsLinux(); err != nil {
		return err
	}
	if r.found == nil {
		found, err := jvm.Find(ctx, r.kernel, jvm.FindOptions{})
		if err != nil {
			return err
		}
		r.found = &found
	}
	count := 0
	for _, p := range r.found.Processes {
		if p.NotSupported == "" && (filter == "all" || Matches(p, filter)) {
			r.addProcess(p)
			count++
		}
	}
	if count == 0 {
		return NoMatch(r.env, filter, r.found)
	}
	return nil
}

// Matches reports whether the main class or jar contains the filter, ignoring case.
func Matches(p jvm.Process, filter string) bool {
	return strings.Contains(strings.ToLower(p.Name()), strings.ToLower(filter))
}

// NoMatch is the error of a filter that matches no JVM.
func NoMatch(env *shell.Env, filter string, found *jvm.Found) error {
	hint := "no running JVM is visible"
	if n := len(found.Processes); n > 0 {
		names := make([]string, 0, n)
		for _, p := range found.Processes {
			names = append(names, fmt.Sprintf("%d %s", p.PID, p.Name()))
		}
		hint = "running: " + strings.Join(names, ", ")
	}
	if found.Hidden > 0 {
		hint += "; " + HiddenOnes(found)
	}
	if filter == "all" {
		return shell.NoResult(hint, "no JVM is running")
	}
	if _, err := strconv.Atoi(filter); err == nil {
		return shell.NoResult(hint, "no visible JVM has the pid %s", filter)
	}
	if slices.Contains(env.Commands, filter) { // probably meant to be a second command
		hint += "; one command at a time: jstall " + filter + " TARGET"
	}
	return shell.NoResult(hint, "no running JVM matches %q", filter)
}

// Pid is the target's process id, 0 if unknown.
func (t Target) Pid() int {
	switch {
	case t.Process != nil:
		return t.Process.PID
	case t.Recorded != nil:
		return t.Recorded.JVM.Target.PID
	}
	return 0
}

// Only finds the only target that a word matches, in a recording if a file is named.
func (r *Resolver) Only(ctx context.Context, file, word string) (Target, error) {
	var found []Target
	var err error
	if file != "" {
		found, err = r.resolveIn(ctx, file, []string{word})
	} else {
		found, err = r.resolve(ctx, []string{word})
	}
	switch {
	case err != nil:
		return Target{}, err
	case len(found) > 1:
		var all string
		for _, t := range found {
			all += fmt.Sprintf(" %s;", t.Label())
		}
		return Target{}, shell.Usage("name one of them:"+all, "%s names %d JVMs", word, len(found))
	}
	return found[0], found[0].Err
}
