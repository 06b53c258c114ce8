package profile

import (
	"time"

	"github.com/jstall/jstall/internal/kernel"
)

// spareEvery is how often the machine is read: on a machine with many CPUs that costs the kernel as much as a dump.
const spareEvery = time.Second

// spare measures how much of a CPU is idle, of those that the target may run on. What jstall uses of that costs no
// other process anything.
type spare struct {
	kernel *kernel.Reader
	pid    int
	// limited reports that the target's control group has a quota. jstall may be in the group, and then what it uses of
	// the quota is lost to the target even on an idle CPU.
	limited bool
	at      time.Time
	busy    kernel.Opt[time.Duration]
	// core is 0 to 1, and 0 until it is known.
	core float64
}

func newSpare(r *kernel.Reader, pid int) spare {
	return spare{kernel: r, pid: pid, limited: r.Quota(pid).Known}
}

// share is the idle part of one CPU over the last second, 0 to 1.
func (s *spare) share(now time.Time) float64 {
	gone := now.Sub(s.at)
	if s.limited || gone < spareEvery {
		return s.core
	}
	busy, cpus := s.kernel.Busy(s.pid)
	if s.busy.Known && busy.Known {
		idle := float64(cpus) - float64(busy.Value-s.busy.Value)/float64(gone)
		s.core = max(0, min(1, idle))
	}
	s.at, s.busy = now, busy
	return s.core
}
