package live

import (
	"context"
	"errors"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
)

// predictLocks decides whether the next dump is one with the owners of locks. What it asked the JVM itself is the
// entry.
func (a *Asker) predictLocks(ctx context.Context, maxPause time.Duration) (source.LockOutcome, recording.Entry) {
	answer := a.jcmd(ctx, form.HeapInfoCommand)
	h := heapUseOf(answer, a.Counters())
	if e := (*attach.Error)(nil); errors.As(answer.Err, &e) &&
		(e.Code == attach.CodeZombie || e.Code == attach.CodeTargetDied) {
		return source.LockOutcome{}, answer // the JVM has ended
	}
	o := source.LockOutcome{Predicted: ownersWalk().pause(h)}
	if refused := ownersWalk().refusal(h, "", maxPause); refused != nil {
		o.Why = refused.why()
	}
	o.Asked = o.Why == ""
	return o, answer
}
