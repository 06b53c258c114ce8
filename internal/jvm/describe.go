package jvm

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"time"

	"github.com/jstall/jstall/internal/kernel"
)

// addCommand fills in the facts of the command line, the environment and the files next to the libjvm. If one of these
// cannot be read, its fields stay unknown.
func (in *inspector) addCommand(p *Process, files *kernel.Opener) {
	open := func(file string) ([]byte, error) {
		text, err := files.Read(file, maxText)
		p.noteNotRead(err)
		return text, err
	}
	if !p.Deleted { // otherwise the file may be of another version by now
		for _, name := range ReleaseFiles(p.LibJVM) {
			if text, err := open(name); err == nil {
				p.setVersion(parseRelease(string(text)))
			}
			if p.JavaVersion != "" {
				break
			}
		}
	}
	if p.Major == 0 {
		p.Major = layoutMajor(p.LibJVM)
	}
	argv, err := files.CommandLine()
	p.noteNotRead(err)
	environ, err := files.Environment()
	p.noteNotRead(err)
	call := invocation{argv: argv, env: optionEnvironment(environ), open: p.noting(open)}
	c := call.command()
	p.JVMArgs = call.jvmOptions(c, p.launched(), p.Major)
	p.TempDir = in.tempDir(*p)
	if p.launched() || c.sure && !p.ofJDK() {
		p.MainClass, p.Args = c.name(), c.args
	}
	p.command = c
}

// noteNotRead notes for the user why an existing file was not read.
func (p *Process) noteNotRead(err error) {
	if refused := (*kernel.NotReadError)(nil); errors.As(err, &refused) && p.Incomplete == "" {
		const longest = 120
		p.Incomplete = fmt.Sprintf("known in part only: %.*s: %s", longest, refused.Path, refused.Cause)
	}
}

// noting wraps a reader of files of options such that it remembers those it cannot read.
func (p *Process) noting(open func(string) ([]byte, error)) func(string) ([]byte, error) {
	return func(file string) ([]byte, error) {
		text, err := open(file)
		if err != nil && !slices.Contains(p.Unread, file) {
			p.Unread = append(p.Unread, file)
		}
		return text, err
	}
}

func (p *Process) setVersion(version string) {
	if version != "" && p.JavaVersion == "" {
		p.JavaVersion, p.Major = version, majorOf(version)
	}
}

// launched reports whether the program is the java launcher under its own name.
func (p *Process) launched() bool { return baseName(p.Exe) == "java" || p.comm == "java" }

// ofJDK reports whether the program is another tool of the same JDK, such as javac.
func (p *Process) ofJDK() bool {
	for _, release := range ReleaseFiles(p.LibJVM) {
		if path.Dir(p.Exe) == path.Join(path.Dir(release), "bin") {
			return !p.launched()
		}
	}
	return false
}

// tempDir is the folder of the JVM's socket: /tmp whatever java.io.tmpdir says, except with -XX:AltTempDir of JDK 28.
// That option may be set in a place that was not read. Then the folder is that of the counters, if the process sees
// the same paths as we do.
func (in *inspector) tempDir(p Process) string {
	const usual = "/tmp"
	if dir, ok := p.Flag("AltTempDir"); ok && dir != "" && (p.Major == 0 || p.Major >= 28) {
		return dir
	}
	if p.PerfDataPath == "" || (p.Major != 0 && p.Major < 28) || !in.unrooted(p.PID) {
		return usual
	}
	return path.Dir(path.Dir(p.PerfDataPath))
}

// addPerfData adds the facts of the JVM's counters, if it has any.
func (in *inspector) addPerfData(p *Process, files *kernel.Opener) {
	data, err := readPerfData(files, *p)
	if err != nil {
		p.noteNotRead(err)
		return
	}
	d, err := ParsePerfData(data)
	if err != nil {
		return
	}
	p.decorate(d, time.Now())
}

func (p *Process) decorate(d *PerfData, now time.Time) {
	if v := versionOf(d.vmVersion(), d.javaVersion()); v != "" {
		p.JavaVersion, p.Major = v, majorOf(v)
	}
	p.VMName = d.vmName()
	p.HeapUsed, p.HeapMax, p.GC = d.HeapUsed(), d.HeapMax(), d.GC()
	p.Attachable = d.attachable()
	if started := d.started(); started.Known {
		p.Uptime = kernel.Known(min(max(0, now.Sub(started.Value)), p.Age))
	}
	p.nameFrom(d.javaCommand())
}

// nameFrom takes the main class from the JVM's own text, but the exact arguments from the command line if both agree.
func (p *Process) nameFrom(kept string) {
	c := splitCommand(kept)
	if p.command.main != "" && !p.ofJDK() && p.command.agrees(kept, p.launched()) {
		c = p.command
	}
	if c.main != "" {
		p.MainClass, p.Args = c.name(), c.args
	}
}

// unrooted reports whether the process's root is that of its mount namespace.
func (in *inspector) unrooted(pid int) bool {
	root, err := os.Readlink(in.r.Path(pid, "root"))
	return err == nil && root == "/"
}
