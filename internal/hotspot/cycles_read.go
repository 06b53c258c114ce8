package hotspot

import (
	"context"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"time"
)

// Dump reads all threads. tasks may be nil, as for a core file. Threads that moved while they were
// read are marked; an error means that there is no dump.
//
// Threads are read one after the other. Two that never waited for each other at one moment can look as if they
// did, so a cycle is reported only if none of its platform threads ran between the first and the last of these
// readings, and if two readings show the same of its virtual threads.
func (j *JVM) Dump(ctx context.Context, now time.Time, tasks thread.Tasks) (*Dump, error) {
	return steadyCycles(tasks,
		tasks == nil && j.IsStopped == nil, func() (*Dump, error) { return j.read(ctx, now, tasks) })
}
