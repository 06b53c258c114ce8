package kernel

import (
	"os"
	"slices"
)

// MemoryBound is one limit on memory above a process. Used and Limit are bytes; Used
// leaves out what the kernel can take back at once.
type MemoryBound struct {
	Bound
	// Swap is how much of what is in use the kernel could move to swap.
	Swap int64
	// Slows is true for a limit at which the kernel slows the group down and does not kill.
	Slows bool
	// Theirs and Ours tell whose memory it bounds: that of the process, and our own.
	Theirs, Ours bool
}

// Room is how much more can be taken before the kernel kills, or slows down.
func (b MemoryBound) Room() int64 { return b.Free() + b.Swap }

// MemoryBounds returns the limits on memory above a process and above ourselves: those
// of every control group, and what the machine has left.
func (r *Reader) MemoryBounds(pid int) []MemoryBound {
	host := r.memory()
	theirs, ours := groups(r, pid, "memory"), ownGroups(r, "memory")
	var bounds []MemoryBound
	for _, g := range theirs {
		bounds = append(bounds, g.memory(int64(host.SwapFree), true, slices.Contains(ours, g))...)
	}
	for _, g := range ours {
		if !slices.Contains(theirs, g) {
			bounds = append(bounds, g.memory(int64(host.SwapFree), false, true)...)
		}
	}
	if host.Total > 0 {
		bounds = append(bounds, MemoryBound{Theirs: true, Ours: true, Swap: int64(host.SwapFree),
			Bound: Bound{File: "MemAvailable", Used: int64(host.Total - host.Available), Limit: int64(host.Total)}})
	}
	return bounds
}

// OwnMemoryBounds returns the limits on memory of the control groups above ourselves.
func (r *Reader) OwnMemoryBounds() []MemoryBound {
	host := r.memory()
	var bounds []MemoryBound
	for _, g := range ownGroups(r, "memory") {
		bounds = append(bounds, g.memory(int64(host.SwapFree), false, true)...)
	}
	return bounds
}

// memory are the limits of one group: that at which the kernel kills, and the one at
// which it slows down.
func (g controlGroup) memory(swap int64, theirs, ours bool) []MemoryBound {
	var bounds []MemoryBound
	use := memoryUse(g.read)
	if use.Used.Known && use.Limit.Known {
		file := "memory.max"
		if g.read("memory.limit_in_bytes") != nil {
			file = "memory.limit_in_bytes"
		}
		bounds = append(bounds, MemoryBound{Theirs: theirs, Ours: ours, Swap: g.swap(swap),
			Bound: Bound{File: g.visible(file), Used: use.Used.Value, Limit: use.Limit.Value}})
	}
	if high := limitOf(g.read("memory.high")); high.Known && use.Used.Known {
		bounds = append(bounds, MemoryBound{Theirs: theirs, Ours: ours, Slows: true, Swap: g.swap(swap),
			Bound: Bound{File: g.visible("memory.high"), Used: use.Used.Value, Limit: high.Value}})
	}
	return bounds
}

// swap is how much of the machine's free swap a group may still take.
func (g controlGroup) swap(free int64) int64 {
	if most, used := limitOf(g.read("memory.swap.max")), number(g.read("memory.swap.current")); most.Known &&
		used.Known { // v2
		return max(0, min(free, most.Value-used.Value))
	}
	both, used := limitOf(g.read("memory.memsw.limit_in_bytes")), number(g.read("memory.memsw.usage_in_bytes")) // v1
	memory, inMemory := limitOf(g.read("memory.limit_in_bytes")), number(g.read("memory.usage_in_bytes"))
	if both.Known && used.Known && memory.Known && inMemory.Known {
		return max(0, min(free, both.Value-memory.Value-(used.Value-inMemory.Value)))
	}
	return free
}

// RaiseOOMScore makes this process the first choice of the OOM killer, so
// that it does not end the process that we look at. A program that is started later
// inherits it.
func RaiseOOMScore() { _ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) }
