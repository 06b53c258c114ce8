package mcp

import (
	"context"
	"errors"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// server is the state that calls share.
type server struct {
	jstall Jstall
	folder *folder // nil without --dir
	now    func() time.Time
	limits limiter
	looks  looks
	// turn holds a token while a call reads or captures. Only one call runs at a time, to bound memory and load.
	turn chan struct{}
	// ended is done when the server ends; calls are the calls in progress.
	ended context.Context
	calls sync.WaitGroup
}

// takeTurn waits for the call before to end; done ends this one.
func (s *server) takeTurn(ctx context.Context) (done func(), err error) {
	select {
	case s.turn <- struct{}{}:
		return func() { <-s.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inTurn runs work while no other call runs. If work comes too soon for its JVM, other calls run until it may run
// again. It returns how long the call waited for that.
func (s *server) inTurn(ctx context.Context, work func(context.Context) error) (waited time.Duration, err error) {
	for {
		err := s.once(ctx, work)
		soon, ok := errors.AsType[*TooSoonError](err)
		if !ok || waited+soon.Wait > longestWait {
			return waited, err
		}
		select {
		case <-time.After(soon.Wait):
		case <-ctx.Done():
			return waited, ctx.Err()
		}
		waited += soon.Wait
	}
}

// once runs work once in its turn.
func (s *server) once(ctx context.Context, work func(context.Context) error) error {
	done, err := s.takeTurn(ctx)
	if err != nil {
		return err
	}
	defer done()
	return work(ctx)
}

// awaitCalls waits for calls to end, for at most that time.
func (s *server) awaitCalls(most time.Duration) {
	done := make(chan struct{})
	go func() { s.calls.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(most):
	}
}

// call runs one call. It ends with the server too. A client that asked for progress is notified that the call still
// runs.
func (s *server) call(ctx context.Context, r *sdk.CallToolRequest, run func(context.Context) (answer, error)) (
	answer, error,
) {
	s.calls.Add(1)
	defer s.calls.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ended, cancel)()
	defer reportProgress(ctx, r)()
	return run(ctx)
}

// reportProgress notifies the client each second that its call still runs, until the function it returns is called.
func reportProgress(ctx context.Context, r *sdk.CallToolRequest) (stop func()) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for seconds := 1.0; ; seconds++ {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
				ProgressToken: token, Progress: seconds, Message: "jstall is still at work",
			})
			if err != nil {
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}
