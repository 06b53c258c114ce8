package remote

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Job is one run of jstall at a place.
type Job struct {
	Place Place
	// Words are the arguments of jstall there, without the program.
	Words []string
	// Connect is how long the place may take to send the greeting; IdleTimeout is how long it may print nothing after
	// that, zero for no limit.
	Connect, IdleTimeout time.Duration
	// Longest is how long jstall may write there in total; zero means a time that fits IdleTimeout.
	Longest time.Duration
	// Keep leaves the binary there for later runs.
	Keep     bool
	Binaries *Binaries
	// Out receives the standard output of jstall.
	Out io.Writer
}

// Ended is how jstall ended at a place.
type Ended struct {
	Code int
	// Errors is its standard error, at most [mostErrors] bytes.
	Errors string
	// Unkept is the folder in which the binary could not be kept, empty otherwise.
	Unkept string
}

// Run runs jstall at a place to its end. If the context ends, jstall is ended there within [grace]. The error is a
// [Failure] if jstall did not run to its end.
func (j Job) Run(ctx context.Context) (Ended, error) {
	if err := ctx.Err(); err != nil {
		return Ended{}, err
	}
	s := &session{job: j, nonce: newNonce()}
	argv := j.Place.command(j.Connect)
	var err error
	if s.client, err = startClient(argv); err != nil {
		return Ended{}, &Failure{Place: j.Place, Stage: Starting, Err: err}
	}
	defer s.client.end()
	defer context.AfterFunc(ctx, func() { s.client.close(grace) })()
	ended, err := s.talk()
	switch {
	case ctx.Err() != nil:
		return ended, ctx.Err()
	case err == nil:
		return ended, nil
	}
	if s.stage == Greeting && !isEnd(err) {
		s.client.abandon()
	}
	s.client.end()
	failed := &Failure{Place: j.Place, Stage: s.stage, Err: err, Said: s.client.errors.String(),
		Late: s.client.killedFor(), Exit: s.client.exit()}
	if f := (*Failure)(nil); errors.As(err, &f) {
		failed.Nowhere, failed.Err = f.Nowhere, f.Err
	}
	return ended, failed
}

// grace is how long jstall may take to end after SIGTERM.
const grace = 4 * time.Second

// spareTime is how much longer its output is read than the script lets jstall run.
const spareTime = 30 * time.Second

// session is the conversation with the script.
type session struct {
	job    Job
	nonce  string
	client *client
	stage  Stage
	kept   map[string]bool // hashes of binaries that the place has
	unkept string
}

// greeting describes the other side.
type greeting struct {
	system, machine string
	gzip            bool
	// folder is the folder for the binary, empty if no folder can be written and executed.
	folder string
}

// mostKept bounds how many kept binaries are read from the greeting.
const mostKept = 1000

// mostJunk bounds the output before the greeting: some login shells print.
const mostJunk = 256 << 10

func (s *session) talk() (Ended, error) {
	s.stage = Greeting
	s.client.killAfter(s.job.Connect, fmt.Sprintf("no answer within %s", s.job.Connect))
	script := run{nonce: s.nonce, words: s.job.Words, keep: s.job.Keep, limit: s.limit(),
		room: s.job.Binaries.size() + spareRoom}
	if _, err := io.WriteString(s.client.in, script.lines()); err != nil {
		return Ended{}, err
	}
	out := bufio.NewReader(s.client.out)
	hello, err := s.greeted(out)
	if err != nil {
		return Ended{}, err
	}
	s.stage = Sending
	if err := s.send(hello); err != nil {
		return Ended{}, s.reason(out, err)
	}
	if err := s.started(out); err != nil {
		return Ended{}, err
	}
	s.stage = Running
	return s.run(out)
}

// reason is why the other side stopped reading, in its own words, or else the error of sending.
func (s *session) reason(out *bufio.Reader, err error) error {
	if !isEnd(err) {
		return err
	}
	if said := s.started(out); said != nil && !isEnd(said) {
		return said
	}
	return err
}

// spareRoom is how many bytes must stay free on the disk of a place in addition to the binary.
const spareRoom = 8 << 20

// limit is how long the script lets jstall run there: longer than we wait for it here.
func (s *session) limit() time.Duration {
	if s.job.IdleTimeout == 0 {
		return 0
	}
	return 2*s.job.IdleTimeout + time.Minute
}

// longest is how long the output of jstall is read, zero for no limit.
func (s *session) longest() time.Duration {
	if limit := s.limit(); s.job.Longest == 0 && limit > 0 {
		return limit + spareTime
	}
	return s.job.Longest
}

// line reads the next line of the script and returns its words without the mark.
func (s *session) line(out *bufio.Reader) ([]string, error) {
	mark := "jstall-" + s.nonce + " "
	for read := 0; read < mostJunk; {
		text, err := out.ReadSlice('\n')
		if read += len(text); err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		if _, said, ours := strings.Cut(string(text), mark); ours {
			return strings.Fields(said), nil
		}
	}
	return nil, errors.New("much output, but no greeting")
}

func (s *session) greeted(out *bufio.Reader) (greeting, error) {
	s.kept = map[string]bool{}
	for {
		words, err := s.line(out)
		switch {
		case err != nil:
			return greeting{}, err
		case len(words) == 2 && words[0] == "kept" && len(s.kept) < mostKept:
			s.kept[words[1]] = true
		case len(words) >= 5 && words[0] == "ready":
			g := greeting{system: words[1], machine: words[2], gzip: words[3] == "gzip"}
			if words[4] != "nowhere" {
				g.folder = strings.Join(words[4:], " ")
			}
			return g, nil
		default:
			return greeting{}, fmt.Errorf("unknown greeting %q", strings.Join(words, " "))
		}
	}
}

// send chooses the binary and sends it.
func (s *session) send(g greeting) error {
	arch := archOf(g.machine)
	if g.system != "Linux" || arch == "" {
		return fmt.Errorf("it runs %s on %s; jstall asks JVMs on Linux, on x86_64 and aarch64", g.system, g.machine)
	}
	binary, err := s.job.Binaries.find(arch)
	if err != nil {
		return err
	}
	how, content := "plain", binary.plain
	switch {
	case s.kept[binary.Hash]:
		how, content = "kept", nil
	case g.folder == "":
		return &Failure{Nowhere: true, Err: errors.New("no folder there can be written and executed")}
	case g.gzip:
		how = "gzip"
		if content, err = binary.packed(); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(s.client.in, "%s %d %s\n", how, len(content), binary.Hash); err != nil {
		return err
	}
	const piece = 256 << 10
	for len(content) > 0 {
		s.client.killAfter(sending, fmt.Sprintf("the connection took no byte of the binary in %s", sending))
		n, err := s.client.in.Write(content[:min(piece, len(content))])
		if err != nil {
			return err
		}
		content = content[n:]
	}
	return nil
}

// sending is how long a piece of the binary may take to send.
const sending = 30 * time.Second

func (s *session) started(out *bufio.Reader) error {
	s.client.killAfter(sending, fmt.Sprintf("jstall did not start within %s", sending))
	for {
		words, err := s.line(out)
		switch {
		case err != nil:
			return err
		case len(words) > 1 && words[0] == "unkept":
			s.unkept = strings.Join(words[1:], " ")
		case len(words) > 0 && words[0] == "start":
			return nil
		case len(words) > 1 && words[0] == "unwritten":
			return &Failure{Nowhere: true, Err: fmt.Errorf("the binary cannot be written to %s there",
				strings.Join(words[1:], " "))}
		case len(words) > 1 && words[0] == "unusable":
			return fmt.Errorf("the binary does not run there: %s", strings.Join(words[1:], " "))
		default:
			return fmt.Errorf("unknown answer %q", strings.Join(words, " "))
		}
	}
}

// run reads the output of jstall until it has ended.
func (s *session) run(out *bufio.Reader) (Ended, error) {
	t := newTrailed(s.job.Out, s.nonce)
	buffer := make([]byte, 64<<10)
	if longest := s.longest(); longest > 0 { // a script that was not changed ends jstall before
		late := fmt.Sprintf("jstall did not end there within %s", longest)
		defer time.AfterFunc(longest, func() { s.client.endNow(late) }).Stop()
	}
	for !t.done {
		s.client.killAfter(s.job.IdleTimeout, fmt.Sprintf("no output for %s", s.job.IdleTimeout))
		n, err := out.Read(buffer)
		_, _ = t.Write(buffer[:n]) // never fails
		if err != nil && !t.done {
			t.flush()
			return Ended{Unkept: s.unkept}, fmt.Errorf("the connection ended before jstall did: %w", err)
		}
	}
	s.client.end()
	return Ended{Code: t.code, Errors: s.client.errors.String(), Unkept: s.unkept}, t.err
}
