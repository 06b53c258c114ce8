package attach

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// execution is one Execute.
type execution struct {
	subject
	triggered bool // SIGQUIT was sent
	asked     bool // the whole command was sent
	sent      []Sent
}

func (c *Client) execute(ctx context.Context, t Target, cmd Command) (*Answer, *Error) {
	s := &execution{subject: subject{process: c.process(t)}}
	answer, e := s.execute(ctx, cmd)
	if answer != nil {
		answer.Sent = s.sent
	}
	if e == nil {
		return answer, nil
	}
	e.Triggered, e.Asked, e.Sent, e.At = s.triggered, s.asked, s.sent, time.Now()
	if len(e.FilesLeft) == 0 {
		e.FilesLeft = s.stillThere()
	}
	return answer, e
}

func (s *execution) execute(ctx context.Context, cmd Command) (*Answer, *Error) {
	if err := cmd.check(); err != nil {
		return nil, s.refused(err)
	}
	if e := refusal(s.Target, cmd); e != nil {
		return nil, e
	}
	if e := s.prove(checksOf(beforeAll)); e != nil {
		return nil, e
	}
	streams, e := s.streams(ctx)
	if e != nil {
		return nil, e
	}
	r := request{name: cmd.title(), protocol: 1, command: true, asked: cmd.Asked, early: cmd.Early}
	if cmd.name == dumpName {
		r.threads = s.status.threads
	}
	encode := cmd.encodeV1
	if streams {
		r.protocol, encode = 2, cmd.encodeV2
	}
	var err error
	if r.bytes, err = encode(); err != nil {
		return nil, s.refused(err)
	}
	answer, e := s.ask(ctx, r)
	if e == nil && answer.Status != 0 {
		e = s.commandFailed(answer)
	}
	return answer, e
}

// request is a command as bytes of one version of the protocol.
type request struct {
	name     string // for people
	protocol int
	bytes    []byte
	// command is true if it is not our own question for the version.
	command bool
	// threads is how many the answer is about, 0 if unknown.
	threads int
	// asked and early are the command's.
	asked func()
	early func(*Body)
}

// firstV2 is the first JDK that speaks version 2 of the protocol.
const firstV2 = 24

// streams reports whether the target speaks version 2 and writes its answers while
// it is stopped unless asked not to. It is asked once.
func (s *execution) streams(ctx context.Context) (bool, *Error) {
	if s.Major > 0 && s.Major < firstV2 {
		return false, nil
	}
	id := identity{s.PID, s.StartTime}
	if known, ok := s.client.streams.Load(id); ok {
		return known.(bool), nil
	}
	ask, err := GetVersion().encodeV1()
	if err != nil {
		return false, s.refused(err)
	}
	answer, e := s.ask(ctx, request{name: GetVersion().title(), protocol: 1, bytes: ask})
	if e != nil {
		return false, e
	}
	s.client.streams.Store(id, answer.namesStreaming())
	return answer.namesStreaming(), nil
}

// ask sends one request over a separate connection and reads the answer.
func (s *execution) ask(ctx context.Context, r request) (*Answer, *Error) {
	if e := s.hold(ctx, PhaseWrite); e != nil {
		return nil, e
	}
	fd, e := s.connect(ctx)
	if e != nil {
		return nil, e
	}
	socket := os.NewFile(uintptr(fd), "attach socket")
	defer func() { _ = socket.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = socket.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	begin := time.Now()
	s.sent = append(s.sent, Sent{r.name, begin})
	if _, err := socket.Write(r.bytes); err != nil {
		return nil, s.broken(ctx, PhaseWrite, err, "the request to be taken")
	}
	s.asked = r.command
	room := makeRoom(r.threads)
	if r.asked != nil {
		r.asked()
	}
	following := &follower{tell: r.early}
	raw, err := readAll(socket, room, s.client.maxAnswer(), following.grown)
	following.end(raw, err)
	took := time.Since(begin)
	if err != nil {
		return nil, s.broken(ctx, PhaseRead, err, progress(len(raw)))
	}
	return s.understand(raw, Answer{Triggered: s.triggered, Protocol: r.protocol, Took: took})
}

func progress(read int) string {
	if read == 0 {
		return "the answer"
	}
	return fmt.Sprintf("the rest of the answer, %d bytes of which came", read)
}

// hold waits for the moment at which the target can answer.
func (s *execution) hold(ctx context.Context, phase Phase) *Error {
	if s.client.Hold == nil {
		return nil
	}
	err := s.client.Hold(ctx)
	if err == nil {
		return nil
	}
	e := s.overdue(ctx, phase, "its garbage collection or safepoint to end, before anything was sent")
	e.Err = err
	return e
}

// understand makes the Answer of the bytes received.
func (s *execution) understand(raw []byte, a Answer) (*Answer, *Error) {
	var err error
	a.Status, a.Body, err = splitStatus(raw)
	switch {
	case err != nil && s.goneSoon():
		return nil, s.died(PhaseStatus, err)
	case err != nil:
		e := &Error{Phase: PhaseStatus, PID: s.PID, Code: CodeProtocol, Err: err, Remedy: tryAgain,
			Cause: "the answer does not follow the attach protocol"}
		if errors.Is(err, errEmpty) {
			e.Cause = fmt.Sprintf("the JVM closed the connection without an answer (its ids are %d:%d)", s.UID, s.GID)
		}
		return nil, e
	case a.Status == statusBadVersion:
		return &a, &Error{Phase: PhaseStatus, PID: s.PID, Code: CodeProtocol, Remedy: tryAgain,
			Cause: fmt.Sprintf("the JVM does not know version %d of the attach protocol", a.Protocol)}
	case s.gone():
		return &a, s.died(PhaseRead, errors.New("the answer may be cut short"))
	}
	return &a, nil
}

// broken is the Error for a connection that failed while waiting for something.
func (s *execution) broken(ctx context.Context, phase Phase, err error, waitedFor string) *Error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return s.overdue(ctx, phase, waitedFor)
	case errors.Is(err, errTooLarge):
		return &Error{Phase: phase, PID: s.PID, Code: CodeTooLarge, Err: err,
			Cause: "the JVM's answer exceeds the limit", Remedy: "ask for less"}
	case s.goneSoon():
		return s.died(phase, err)
	}
	return &Error{Phase: phase, PID: s.PID, Code: CodeProtocol, Err: err, Remedy: tryAgain,
		Cause: "the JVM closed the connection while jstall waited for " + waitedFor}
}

// refused is the Error for a command that cannot be sent.
func (s *execution) refused(err error) *Error {
	return &Error{Phase: PhaseCheck, PID: s.PID, Code: CodeRequest, Err: err,
		Cause: "the command cannot be sent", Remedy: "send a shorter command"}
}

// commandFailed is the Error for a status other than 0; the JVM says why in the
// first line.
func (s *execution) commandFailed(a *Answer) *Error {
	line, _, _ := strings.Cut(string(a.Body[:min(len(a.Body), 200)]), "\n")
	return &Error{Phase: PhaseCommand, PID: s.PID, Code: CodeCommandFailed,
		Cause:  fmt.Sprintf("status %d: %s", a.Status, strings.Trim(strconv.Quote(line), `"`)),
		Remedy: fmt.Sprintf("jstall jcmd %d help", s.PID)}
}
