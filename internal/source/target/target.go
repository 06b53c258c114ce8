package target

import (
	"errors"
	"path"
	"time"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
)

// JVM reads the facts of the kernel and the counters about one JVM. It sends the JVM nothing.
type JVM struct {
	Kernel  *kernel.Reader
	Process jvm.Process
	// Start is the time from which entries count their time.
	Start time.Time
}

// Counters reads the performance counters. The entry has no bytes if the JVM has no counters.
func (l *JVM) Counters() recording.Entry {
	raw, err := jvm.ReadPerfData(l.Kernel, l.Process)
	return recording.Entry{Kind: recording.Counters, Bytes: raw, At: time.Since(l.Start), Err: err}
}

func (l *JVM) Stat() recording.Entry {
	raw, err := l.Kernel.ReadFile(l.Process.PID, "stat")
	return recording.Entry{Kind: recording.Process, Bytes: raw, At: time.Since(l.Start), Err: err}
}

// ReleaseFile is the name of the entry with the JDK's release file.
const ReleaseFile = "jdk/release"

// Release reads the release file of the JVM's JDK. The entry has an error if there is no such file.
func (l *JVM) Release() recording.Entry {
	e := recording.Entry{Kind: recording.Kernel, Name: ReleaseFile, At: time.Since(l.Start)}
	for _, name := range jvm.ReleaseFiles(l.Process.LibJVM) {
		if e.Bytes, e.Err = l.readFile(path.Clean(name)); e.Err == nil {
			return e
		}
	}
	if e.Err == nil {
		e.Err = errors.New("the JVM's place is not known")
	}
	return e
}

// mostRelease bounds how many bytes of a release file are read.
const mostRelease = 1 << 20

func (l *JVM) readFile(name string) ([]byte, error) {
	files := l.Kernel.Opener(l.Process.PID)
	defer files.Close()
	return files.Read(name, mostRelease)
}

// UsedCPU is the CPU time of the process since it began, 0 if that cannot be read.
func (l *JVM) UsedCPU() time.Duration {
	text, err := l.Kernel.ReadFile(l.Process.PID, "stat")
	if err != nil {
		return 0
	}
	stat, err := kernel.ParseStat(text)
	if err != nil {
		return 0
	}
	return stat.CPU()
}

// Gone reports whether the target has ended, or is ending.
func (l *JVM) Gone() bool {
	raw, err := l.Kernel.ReadFile(l.Process.PID, "stat")
	if err != nil {
		return true
	}
	stat, err := kernel.ParseStat(raw)
	return err != nil || stat.State == "Z" || l.Process.StartTime != 0 && stat.StartTime != l.Process.StartTime
}

// Stopped reports whether the target is stopped, held by a debugger or frozen.
func (l *JVM) Stopped() bool {
	raw, err := l.Kernel.ReadFile(l.Process.PID, "stat")
	if err != nil {
		return false
	}
	stat, err := kernel.ParseStat(raw)
	stopped := err == nil && (stat.State == "T" || stat.State == "t")
	return stopped || kernel.ParseFrozen(l.Kernel.Frozen(l.Process.PID))
}
