package cli

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

// target is one JVM to capture, or its saved dumps.
type target struct {
	process *jvm.Process
	files   []string
	// recorded is one JVM of the recording that files names.
	recorded *replay
	// word is what the user typed, err why it could not be resolved.
	word string
	err  error
	// place is where it was captured with --on, empty of what is here.
	place string
}

// isLive recognises a target that runs.
func (t target) isLive() bool { return t.process != nil }

func (t target) label() string {
	switch {
	case t.process != nil:
		return strconv.Itoa(t.process.PID)
	case t.recorded != nil:
		return fmt.Sprintf("%s, pid %d", t.fileNames(), t.recorded.jvm.Target.PID)
	case len(t.files) > 0:
		return t.fileNames()
	}
	return t.word
}

// typed is the target as a command line has it that runs once more.
func (t target) typed(pid int) string {
	if t.place == "" {
		return strconv.Itoa(pid)
	}
	return fmt.Sprintf("%d --on %s", pid, file.ShellWord(t.place))
}

// fileNames are those of its files, as messages say them.
func (t target) fileNames() string {
	names := make([]string, len(t.files))
	for i, file := range t.files {
		names[i] = source.NameOf(file)
	}
	return strings.Join(names, " ")
}

// resolver turns the words of the command line into targets.
type resolver struct {
	env     *shell.Env
	kernel  *kernel.Reader
	timeout time.Duration
	found   *jvm.Found // read once, if a word needs it
	targets []target
	files   []string
	seen    map[int]bool
	// standard input is read once: as dumps, or as the recording that piped is
	dumpsPiped bool
	piped      *recording.Recording
}

// resolve keeps the order of the words; all files together are one target, each
// JVM of a recording is one. A word that cannot be resolved is a target with its error, so that it does not
// cost the others their reports.
func resolve(ctx context.Context, env *shell.Env, words []string, timeout time.Duration) ([]target, error) {
	if len(words) == 0 {
		return nil, shell.Usage("jstall list shows the running JVMs",
			"name a pid, a part of a main class, all, or dump files")
	}
	return newResolver(env, timeout).resolve(ctx, words)
}

func newResolver(env *shell.Env, timeout time.Duration) *resolver {
	k := kernel.New(env.ProcRoot)
	shell.YieldMemory(k)
	return &resolver{env: env, kernel: k, timeout: timeout}
}

// resolve finds what words stand for, whatever was found before.
func (r *resolver) resolve(ctx context.Context, words []string) ([]target, error) {
	r.targets, r.files, r.seen = nil, nil, map[int]bool{}
	for _, word := range words {
		err := shell.Caught(func() error { return r.add(ctx, word) })
		if e, ok := errors.AsType[*shell.ExitError](err); ok && e.Code == shell.ExitUsage {
			return nil, err
		}
		if err != nil {
			r.targets = append(r.targets, target{word: word, err: err})
		}
	}
	if len(r.files) > 0 {
		r.targets = append(r.targets, target{files: r.files})
	}
	return r.targets, ctx.Err()
}

// isRecording distinguishes a recording from other archives.
func isRecording(path string) bool { return recording.Is(path) && !isArchive(path) }

func (r *resolver) add(ctx context.Context, word string) error {
	pid, err := strconv.Atoi(word)
	isFile := namesFile(word)
	switch {
	case strings.TrimSpace(word) == "":
		return shell.Usage("name a pid, a part of a main class, all, or dump files",
			"a target is empty; is a variable not set?")
	case err == nil && pid < 1, errors.Is(err, strconv.ErrRange):
		return shell.Usage("jstall list shows the running JVMs", "%s is not a process id", word)
	case word == shell.Standard && r.dumpsPiped:
		return shell.Usage("jstall dump1.txt - < dump2.txt", shell.OnceOnly)
	case word != shell.Standard && isFile && isRecording(word):
		return r.addRecording(ctx, word, "all")
	case isFile:
		r.files, r.dumpsPiped = append(r.files, word), r.dumpsPiped || word == shell.Standard
		return nil
	case err == nil:
		return r.addPID(ctx, pid)
	case looksLikePath(word):
		return shell.NoResult("", "%s: no such file", word)
	}
	return r.addMatching(ctx, word)
}

// isArchive recognises a zip that is no recording: its files are dumps.
func isArchive(word string) bool {
	opened, err := recording.Open(word)
	if err == nil {
		_ = opened.Close()
	}
	return errors.Is(err, recording.ErrNotOurs)
}

// namesFile tells a word for saved dumps: a number is always a pid.
func namesFile(word string) bool {
	_, err := strconv.Atoi(word)
	return word == shell.Standard || err != nil && shell.IsFile(word)
}

func looksLikePath(word string) bool {
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

func (r *resolver) addPID(ctx context.Context, pid int) error {
	if err := shell.NeedsLinux(); err != nil {
		return err
	}
	p, err := live.Await(ctx, r.kernel, pid, r.timeout)
	if z, ok := errors.AsType[*jvm.ZombieError](err); ok && z.Comm == "java" {
		// what is left of a JVM is worth a report
		p, err = jvm.Process{PID: z.PID, NSPID: z.PID, PPID: z.PPID, Exe: z.Comm, State: "Z"}, nil
	}
	if err != nil {
		return err
	}
	r.addProcess(p)
	return nil
}

func (r *resolver) addProcess(p jvm.Process) {
	if r.seen[p.PID] {
		return
	}
	r.seen[p.PID] = true
	r.targets = append(r.targets, target{process: &p})
}

// addMatching adds the JVMs that a filter, or "all", stands for.
func (r *resolver) addMatching(ctx context.Context, filter string) error {
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
		if p.NotSupported == "" && (filter == "all" || matches(p, filter)) {
			r.addProcess(p)
			count++
		}
	}
	if count == 0 {
		return noMatch(r.env, filter, r.found)
	}
	return nil
}

// matches reports whether the main class or jar holds the filter, whatever its case.
func matches(p jvm.Process, filter string) bool {
	return strings.Contains(strings.ToLower(p.Name()), strings.ToLower(filter))
}

func noMatch(env *shell.Env, filter string, found *jvm.Found) error {
	hint := "no running JVM is visible"
	if n := len(found.Processes); n > 0 {
		names := make([]string, 0, n)
		for _, p := range found.Processes {
			names = append(names, fmt.Sprintf("%d %s", p.PID, p.Name()))
		}
		hint = "running: " + strings.Join(names, ", ")
	}
	if found.Hidden > 0 {
		hint += "; " + hiddenOnes(found)
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
