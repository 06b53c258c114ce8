package capture

import (
	"errors"
	"path"
	"time"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
)

// target is what the kernel and the counters show of one JVM. It asks the JVM nothing.
type target struct {
	Kernel  *kernel.Reader
	Process jvm.Process
	// start is the moment from which entries count their time.
	start time.Time
}

// counters reads the performance counters; an entry without bytes where the
// JVM has none.
func (l *target) counters() recording.Entry {
	raw, err := jvm.ReadPerfData(l.Kernel, l.Process)
	return recording.Entry{Kind: recording.Counters, Bytes: raw, At: time.Since(l.start), Err: err}
}

func (l *target) processStat() recording.Entry {
	raw, err := l.Kernel.ReadFile(l.Process.PID, "stat")
	return recording.Entry{Kind: recording.Process, Bytes: raw, At: time.Since(l.start), Err: err}
}

// ReleaseFile is the name of the entry with the JDK's release file.
const ReleaseFile = "jdk/release"

// Release reads the release file of the JVM's JDK; an entry with Err where there is
// none.
func (l *target) Release() recording.Entry {
	e := recording.Entry{Kind: recording.Kernel, Name: ReleaseFile, At: time.Since(l.start)}
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

// mostRelease bounds what is read of a release file.
const mostRelease = 1 << 20

func (l *target) readFile(name string) ([]byte, error) {
	files := l.Kernel.Opener(l.Process.PID)
	defer files.Close()
	return files.Read(name, mostRelease)
}

// usedCPU is what the process has used since it began, 0 if that cannot be read.
func (l *target) usedCPU() time.Duration {
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

// gone reports that the target has ended, or is ending.
func (l *target) gone() bool {
	raw, err := l.Kernel.ReadFile(l.Process.PID, "stat")
	if err != nil {
		return true
	}
	stat, err := kernel.ParseStat(raw)
	return err != nil || stat.State == "Z" || l.Process.StartTime != 0 && stat.StartTime != l.Process.StartTime
}

// stands tells a target that is stopped, held by a debugger or frozen.
func (l *target) stands() bool {
	raw, err := l.Kernel.ReadFile(l.Process.PID, "stat")
	if err != nil {
		return false
	}
	stat, err := kernel.ParseStat(raw)
	stopped := err == nil && (stat.State == "T" || stat.State == "t")
	return stopped || kernel.ParseFrozen(l.Kernel.Frozen(l.Process.PID))
}
