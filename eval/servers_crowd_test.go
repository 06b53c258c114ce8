package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/jvmtest"
)

// crowd is the running JVMs of one server, by role.
type crowd struct {
	server server
	jstall string
	// dir has a folder for each role, and keeps the captures.
	dir  string
	pids map[string]int
	cmds []*exec.Cmd
}

// said is a report, and how many places of waiting threads its text lists.
type said struct {
	*analysis.Report
	text   string
	places int
}

func startCrowd(t *testing.T, script string, jdk jvmtest.JDK, s server, fault string) *crowd {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), script, s.name, "build").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := &crowd{server: s, jstall: jvmtest.Binary(t), pids: map[string]int{}, dir: kept(t, jdk, s.name+"-"+fault)}
	port := freePorts(t)
	// ZooKeeper's peers become ready only together
	ready := make(chan error, len(s.roles))
	for _, role := range s.roles {
		folder := filepath.Join(c.dir, role)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(script, s.name, role, strconv.Itoa(port), fault)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), "JAVA="+jdk.Java())
		errs, err := os.Create(filepath.Join(folder, "stderr"))
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stderr = errs
		c.cmds = append(c.cmds, cmd)
		go func() {
			settle := 1.0
			ready <- program{ID: s.name + " " + role, Settle: &settle, patience: 3 * time.Minute}.start(cmd)
			_ = errs.Close()
		}()
	}
	for range s.roles {
		if err := <-ready; err != nil {
			c.end()
			t.Fatalf("JDK %d, %s: %v; see %s", jdk.Version, fault, err, c.dir)
		}
	}
	for i, role := range s.roles {
		c.pids[role] = c.cmds[i].Process.Pid
	}
	return c
}

// kept is the empty folder build/servers/seen/jdkN/NAME.
func kept(t *testing.T, jdk jvmtest.JDK, name string) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("../build/servers/seen", fmt.Sprint("jdk", jdk.Version), name))
	if err == nil {
		err = errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// freePorts finds a port that is followed by thirty free ones.
func freePorts(t *testing.T) int {
	t.Helper()
search:
	for range 100 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := l.Addr().(*net.TCPAddr).Port
		_ = l.Close()
		for i := range 30 {
			next, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port+i))
			if err != nil {
				continue search
			}
			_ = next.Close()
		}
		return port
	}
	t.Fatal("no ports are free")
	return 0
}

// load makes the clients start.
func (c *crowd) load(t *testing.T) {
	t.Helper()
	for _, role := range c.server.roles {
		if err := os.WriteFile(filepath.Join(c.dir, role, "load"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func (c *crowd) end() {
	for _, cmd := range c.cmds {
		if cmd.Process != nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			_ = cmd.Wait()
		}
	}
}

// status is the report of `jstall PID` with further options; the capture is kept as NAME.zip.
func (c *crowd) status(role, name string, options ...string) (*said, error) {
	zip := filepath.Join(c.dir, name+".zip")
	report, err := c.report(append([]string{strconv.Itoa(c.pids[role]), "--keep", zip}, options...)...)
	if err != nil {
		return nil, err
	}
	return c.said(report, zip)
}

// oneDump is the report on a saved dump.
func (c *crowd) oneDump(role, name string) (*said, error) {
	file := filepath.Join(c.dir, name+".txt")
	dump, err := exec.Command(c.jstall, "dump", strconv.Itoa(c.pids[role])).Output()
	if err == nil {
		err = os.WriteFile(file, dump, 0o644)
	}
	if err != nil {
		return nil, err
	}
	report, err := c.report(file, "--platform-only")
	if err != nil {
		return nil, err
	}
	return c.said(report, file)
}

func (c *crowd) report(args ...string) (*analysis.Report, error) {
	cmd := exec.Command(c.jstall, append(args, "--json")...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	report := &analysis.Report{}
	if json.Unmarshal(out.Bytes(), report) != nil {
		return nil, fmt.Errorf("%s: %w: %s%s", args, err, out.String(), errs.String())
	}
	return report, nil
}

// said adds the text of a report, from the file that it was made of.
func (c *crowd) said(report *analysis.Report, file string) (*said, error) {
	out, err := exec.Command(c.jstall, file, "--platform-only").Output()
	if len(out) == 0 {
		return nil, err
	}
	return &said{Report: report, text: string(out), places: placesIn(string(out))}, nil
}

var (
	morePlaces = regexp.MustCompile(`^ +and [0-9,]+ threads? at ([0-9,]+) more places?`)
	noPlace    = regexp.MustCompile(`^ +and [0-9,]+ threads? that waits? for a time or a file`)
)

// placesIn counts the places below the heading Waiting.
func placesIn(text string) int {
	n := 0
	inside := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "Waiting "):
			inside = true
		case inside && strings.HasPrefix(line, "          "):
			n += one(!noPlace.MatchString(line))
			if m := morePlaces.FindStringSubmatch(line); m != nil {
				more, _ := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
				n += more - 1
			}
		default:
			inside = false
		}
	}
	return n
}
