package remote

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Stage is how far a run got.
type Stage int

// The stages of a run, in their order.
const (
	Starting Stage = iota // the client is started
	Greeting              // the other side says what it is
	Sending               // it gets the binary
	Running               // jstall runs there
)

// Failure is why jstall did not run to its end at a place.
type Failure struct {
	Place Place
	Stage Stage
	Err   error
	// Said is what the client and the other side wrote to standard error.
	Said string
	// Late is what did not arrive in time, empty if all did.
	Late string
	// Exit is the client's exit code, -1 if a signal ended it.
	Exit int
	// Nowhere reports that no folder there can be written and executed.
	Nowhere bool
}

func (f *Failure) Unwrap() error { return f.Err }

// Error is the reason in one line, without the place.
func (f *Failure) Error() string {
	switch {
	case errors.Is(f.Err, exec.ErrNotFound):
		return fmt.Sprintf("there is no %s on the PATH", f.Place.client())
	case f.Stage == Starting:
		return fmt.Sprintf("%s cannot be started: %v", f.Place.client(), f.Err)
	case f.Late != "":
		return f.Late
	case f.Nowhere && f.Stage == Sending && f.lastSaid() != "":
		return f.Err.Error() + ": " + f.lastSaid()
	case f.Nowhere:
		return f.Err.Error()
	case f.lacksShell():
		return "it has no sh, so nothing can be copied there"
	}
	if f.Stage != Running && !isEnd(f.Err) {
		return f.Err.Error()
	}
	why := f.lastSaid()
	switch {
	case why != "":
	case f.Exit < 0:
		why = fmt.Sprintf("a signal ended %s", f.Place.client())
	default:
		why = fmt.Sprintf("%s ended with exit code %d and said nothing", f.Place.client(), f.Exit)
	}
	if f.Stage == Running {
		return "the connection ended before jstall did: " + why
	}
	return why
}

// isEnd reports whether an error only means that the other side has gone.
func isEnd(err error) bool {
	text := err.Error()
	return strings.Contains(text, "EOF") || strings.Contains(text, "broken pipe") || strings.Contains(text, "closed")
}

// lacksShell reports whether the container has no shell, by the messages of docker, podman and kubectl.
func (f *Failure) lacksShell() bool {
	if f.Stage != Greeting {
		return false
	}
	said := strings.ToLower(f.Said)
	names := strings.Contains(said, `"sh"`) || strings.Contains(said, "`sh`") || strings.Contains(said, "/sh:")
	return names && (strings.Contains(said, "not found") || strings.Contains(said, "no such file"))
}

// lastSaid is the last line that gives the reason: kubectl's own last line has only the exit code.
func (f *Failure) lastSaid() string {
	last := ""
	for line := range strings.Lines(f.Said) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "command terminated with exit code") {
			last = line
		}
	}
	return last
}

// Remedy is the next command or step for the user.
func (f *Failure) Remedy() string {
	if e := (*BinaryError)(nil); errors.As(f.Err, &e) {
		return fmt.Sprintf("build one (GOOS=linux GOARCH=%[1]s go build -o jstall-linux-%[1]s ./cmd/jstall) and "+
			"name it with --binary, or put it next to jstall", e.Arch)
	}
	switch {
	case errors.Is(f.Err, exec.ErrNotFound):
		return fmt.Sprintf("install %s, or reach the place with exec:'COMMAND'", f.Place.client())
	case f.Nowhere || f.lacksShell():
		return f.Place.sidecar()
	case f.Stage == Greeting && f.Late != "":
		return f.Place.try() + "; --connect-timeout 30s waits longer"
	case f.Stage <= Greeting:
		return f.Place.try()
	}
	return ""
}

// try is the smallest command that must work by hand.
func (p Place) try() string {
	switch p.Kind {
	case SSH:
		port := ""
		if p.port != "" {
			port = "-p " + p.port + " "
		}
		return "this must work without a password: ssh " + port + word(p.host) + " true"
	case Kubernetes:
		of := ""
		if p.container != "" {
			of = " -c " + word(p.container)
		}
		return fmt.Sprintf("this must work: kubectl exec -n %s %s%s -- true", word(p.namespace), word(p.pod), of)
	case Exec:
		return "this must print a line: " + p.host + " 'uname -m'"
	}
	return fmt.Sprintf("this must work: %s exec %s true", p.client(), word(p.host))
}

// sidecar is how to run jstall next to a container that has no shell or no folder for it.
func (p Place) sidecar() string {
	switch p.Kind {
	case Kubernetes:
		container := p.container
		if container == "" {
			container = "CONTAINER"
		}
		return fmt.Sprintf("put a container with a shell next to it: kubectl debug -n %s %s -c jstall --image=busybox "+
			"--target=%s --profile=general -- sleep 600; then: --on k8s:%s/%s/jstall", word(p.namespace), word(p.pod),
			word(container), word(p.namespace), word(p.pod))
	case Docker, Podman:
		return fmt.Sprintf("put a container with a shell next to it: %[1]s run -d --rm --name jstall-debug "+
			"--pid=container:%[2]s --cap-add=SYS_PTRACE busybox sleep 600; then: --on %[1]s:jstall-debug", p.client(),
			word(p.host))
	}
	return "set TMPDIR there to a folder that can be written and is not mounted noexec"
}

// word quotes a word, if necessary, so that it can be pasted into a shell.
func word(word string) string {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:@%+=,"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return quote(word)
}
