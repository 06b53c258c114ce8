package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/diagcmd"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
)

// The time that the walk for owners takes per megabyte of heap in use: about
// 50,000 small objects. ZGC and Shenandoah visit each through a barrier. A heap
// of large arrays takes a fraction of it.
const (
	pausePerMB        = 400 * time.Microsecond
	pausePerMBBarrier = 850 * time.Microsecond
)

// PredictPause is how long a dump with lock owners will stop a JVM that has so
// many bytes of heap in use, under a collector of [jvm.PerfData.GC].
func PredictPause(heapUsed int64, collector string) time.Duration {
	per := pausePerMB
	if collector == "ZGC" || collector == "Shenandoah" {
		per = pausePerMBBarrier
	}
	return time.Duration(float64(heapUsed) / (1 << 20) * float64(per))
}

// mayAskForLocks decides for one dump. What it asked the JVM itself is an entry.
func (l *Source) mayAskForLocks(ctx context.Context, r source.Request) (bool, []recording.Entry) {
	switch r.Locks {
	case source.LocksAlways:
		l.cost.Locks = source.LockOutcome{Asked: true}
		return true, nil
	case source.LocksAuto:
		return l.askIfShort(ctx, r.MaxPause)
	}
	return false, nil
}

func (l *Source) askIfShort(ctx context.Context, maxPause time.Duration) (bool, []recording.Entry) {
	answer := l.Asker().jcmd(ctx, form.HeapInfoCommand)
	info := diagcmd.ParseHeapInfo(string(answer.Bytes))
	used, collector := jvm.Opt[int64](info.Used), info.Collector
	if data, err := jvm.ParsePerfData(l.Target().Counters().Bytes); err == nil {
		collector = data.GC()
		if !used.Known {
			used = data.HeapUsed()
		}
	}
	if e := (*attach.Error)(nil); errors.As(answer.Err, &e) &&
		(e.Code == attach.CodeZombie || e.Code == attach.CodeTargetDied) {
		return false, []recording.Entry{answer} // nothing is left that could tell
	}
	if !used.Known {
		l.cost.Locks = source.LockOutcome{
			Why: "the JVM does not tell how much heap is in use, so the pause cannot be predicted",
		}
		return false, []recording.Entry{answer}
	}
	o := source.LockOutcome{Predicted: PredictPause(used.Value, collector)}
	o.Asked = o.Predicted < maxPause
	if !o.Asked {
		o.Why = fmt.Sprintf("a pause of about %s is predicted for the %d MB of heap in use, and --max-pause is %s",
			source.PauseText(o.Predicted), used.Value>>20, maxPause)
	}
	l.cost.Locks = o
	return o.Asked, []recording.Entry{answer}
}
