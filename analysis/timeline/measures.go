package timeline

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/threaddump"
)

// CPU is the CPU time of the whole process over the capture: the kernel's figure, else the sum over the threads if each
// one's is known.
func (f *Timeline) CPU() Opt[time.Duration] {
	first, last := f.Snaps[0].processCPU, f.Last().processCPU
	if first.Known && last.Known && len(f.Snaps) > 1 && last.Value >= first.Value {
		return threaddump.Known(last.Value - first.Value)
	}
	var sum time.Duration
	counted := false
	for _, h := range f.Threads {
		if h.CPU.Known {
			sum += h.CPU.Value
			counted = true
		}
	}
	return Opt[time.Duration]{Value: sum, Known: counted && f.Wall().Known}
}

// Counted returns the first and the last counters of the capture; ok is false if fewer than two dumps have counters.
func (f *Timeline) Counted() (first, last *Counters, ok bool) {
	for _, s := range f.Snaps {
		switch {
		case s.Counters == nil:
		case first == nil:
			first = s.Counters
		default:
			last = s.Counters
		}
	}
	return first, last, last != nil
}

// Machines returns the first and the last machine data of the capture; ok is false if fewer than two dumps have them.
func (f *Timeline) Machines() (first, last *Machine, ok bool) {
	for _, s := range f.Snaps {
		switch {
		case s.Machine == nil:
		case first == nil:
			first = s.Machine
		default:
			last = s.Machine
		}
	}
	return first, last, last != nil
}

// LastMachine is the latest known machine data, nil if no dump has them.
func (f *Timeline) LastMachine() *Machine {
	for i := len(f.Snaps) - 1; i >= 0; i-- {
		if m := f.Snaps[i].Machine; m != nil {
			return m
		}
	}
	return nil
}

// Gained is the growth of a sum; unknown if either end is unknown or it shrank.
func Gained[T ~int64](before, after Opt[T]) Opt[T] {
	if !before.Known || !after.Known || after.Value < before.Value {
		return Opt[T]{}
	}
	return threaddump.Known(after.Value - before.Value)
}

// ShareOf is a part of the capture's time; unknown if the capture is too short to measure.
func (f *Timeline) ShareOf(d Opt[time.Duration]) Opt[float64] {
	if !d.Known || !f.Measurable() {
		return Opt[float64]{}
	}
	return threaddump.Known(float64(d.Value) / float64(f.Wall().Value))
}

// InPercent is a share of one core in percent, rounded to a tenth; nil if unknown.
func InPercent(share Opt[float64]) *float64 {
	if !share.Known {
		return nil
	}
	return finding.Rounded(share.Value*100, 10)
}

// RoleShare is how many cores the threads of a role used over the capture; unknown if no thread's use is known.
func RoleShare(f *Timeline, is func(*Thread) bool) Opt[float64] {
	var sum time.Duration
	counted := false
	for _, h := range f.Threads {
		if is(h.Thread) && h.CPU.Known {
			sum += h.CPU.Value
			counted = true
		}
	}
	return f.ShareOf(Opt[time.Duration]{Value: sum, Known: counted})
}

// MostBy returns the threads of the program with at least a quarter of the sum of an amount, the largest first; total
// is the sum.
func MostBy(f *Timeline, amount func(*History) Opt[int64]) (most []*History, total int64) {
	var all []*History
	for _, h := range f.Threads {
		if a := amount(h); h.Thread.Java() && a.Known && a.Value > 0 {
			all = append(all, h)
			total += a.Value
		}
	}
	slices.SortStableFunc(all, func(a, b *History) int {
		return cmp.Or(cmp.Compare(amount(b).Value, amount(a).Value), CompareThreads(a.Thread, b.Thread))
	})
	for _, h := range all {
		if h.Thread.Program() && 4*amount(h).Value >= total {
			most = append(most, h)
		}
	}
	return most, total
}

// Megabytes formats an amount of memory.
func Megabytes(n int64) string {
	const mb = 1 << 20
	if n < 10*mb {
		return fmt.Sprintf("%.1f MB", float64(n)/mb)
	}
	return fmt.Sprintf("%d MB", n/mb)
}
