package kernel

import (
	"context"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v3/common"
	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/mem"
)

// host makes gopsutil read the tree under Root, whatever HOST_PROC is set to.
func (r *Reader) host() context.Context {
	return context.WithValue(context.Background(), common.EnvKey, common.EnvMap{common.HostProcEnvKey: r.Root})
}

// Busy returns how long the CPUs that a process may use have worked since boot, for
// whomever, other guests of the host included, and how many they are.
func (r *Reader) Busy(pid int) (Opt[time.Duration], int) {
	status, _ := r.ReadFile(pid, "status")
	allowed := allowedCPUs(status)
	all, err := cpu.TimesWithContext(r.host(), true)
	if err != nil || len(all) == 0 {
		return Opt[time.Duration]{}, len(allowed)
	}
	seconds := 0.0
	for _, c := range all {
		id := number([]byte(strings.TrimPrefix(c.CPU, "cpu")))
		if allowed == nil || allowed[int(id.Value)] {
			seconds += c.User + c.Nice + c.System + c.Irq + c.Softirq + c.Steal
		}
	}
	busy := Known(time.Duration(seconds * float64(time.Second)).Round(time.Second / clockTicks))
	if allowed != nil {
		return busy, len(allowed)
	}
	return busy, len(all)
}

// memory is that of the host, in bytes; Total is 0 where it cannot be read.
func (r *Reader) memory() mem.VirtualMemoryStat {
	m, err := mem.VirtualMemoryWithContext(r.host())
	if err != nil {
		return mem.VirtualMemoryStat{}
	}
	return *m
}
