package eval

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

const servers = "../testdata/servers"

// server is a program of testdata/servers that runs in several JVMs, the roles; the last of them makes the load.
type server struct {
	name  string
	roles []string
}

var realServers = []server{
	{"kafka", []string{"broker", "client"}},
	{"zookeeper", []string{"peer1", "peer2", "peer3", "client"}},
	{"tomcat", []string{"server", "client"}},
	{"vertx", []string{"server", "client"}},
	{"hazelcast", []string{"member1", "member2", "client"}},
	{"artemis", []string{"broker", "client"}},
	{"derby", []string{"server", "client"}},
}

// phase is a part of a server's life, with the number of reports that are taken of each of its JVMs.
type phase struct {
	name    string
	before  time.Duration
	reports int
}

var phases = []phase{{"idle", 2 * time.Second, 4}, {"first load", 0, 4}, {"steady load", 15 * time.Second, 8}}

// clausesAllowed is the share of reports on healthy servers whose headline may name waiting threads. placesAllowed is
// how many places of waiting threads a report may list.
const (
	clausesAllowed = 0.05
	placesAllowed  = 3
)

// TestServers starts real servers with their clients: idle, at their first load and under a steady one, on the JDKs of
// EVAL_JDKS (default 17 and 25). No report may have a warning, nor a hint in its headline, and jstall watch must report
// nothing.
func TestServers(t *testing.T) {
	if os.Getenv("HEAVY") == "" {
		t.Skip("runs under `make heavy`: it fetches libraries and takes a quarter of an hour")
	}
	script := serverScript(t)
	for _, version := range serverVersions() {
		jdk := jvmtest.Find(t, version)
		table := healthTable{}
		for _, s := range realServers {
			if wantedServer(s.name) {
				table.add(s.name, observe(t, script, jdk, s))
			}
		}
		fmt.Printf("\nJDK %d\n%s\n", jdk.Version, table.text())
		table.judge(t, jdk)
	}
}

func serverVersions() []string {
	if os.Getenv("EVAL_JDKS") != "" {
		return versions()
	}
	return []string{"17", "25"}
}

// wantedServer reports whether EVAL_ONLY is empty or names the server or the fault "SERVER-FAULT".
func wantedServer(name string) bool {
	only := strings.Fields(os.Getenv("EVAL_ONLY"))
	for _, word := range only {
		if word == name || strings.HasPrefix(name, word+"-") {
			return true
		}
	}
	return len(only) == 0
}

func serverScript(t *testing.T) string {
	t.Helper()
	needMaven(t)
	script, err := filepath.Abs(filepath.Join(servers, "run.sh"))
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// observe takes the reports of all phases.
func observe(t *testing.T, script string, jdk jvmtest.JDK, s server) []seen {
	c := startCrowd(t, script, jdk, s, "healthy")
	defer c.end()
	watched := c.watch(t)
	var all []seen
	for _, p := range phases {
		if p.name == "first load" {
			c.load(t)
		}
		time.Sleep(p.before)
		all = append(all, c.look(t, p)...)
	}
	if out := watched(); out != "" {
		t.Errorf("JDK %d, %s: watch is not silent:\n%s", jdk.Version, s.name, out)
	}
	return all
}

// look takes the reports of one phase, on all JVMs at a time.
func (c *crowd) look(t *testing.T, p phase) []seen {
	var mu sync.Mutex
	var all []seen
	var roles sync.WaitGroup
	for _, role := range c.server.roles {
		roles.Go(func() {
			for i := range p.reports {
				name := fmt.Sprintf("%s-%s-%d", strings.ReplaceAll(p.name, " ", "-"), role, i)
				live, err := c.status(role, name)
				one, errOne := c.oneDump(role, name)
				mu.Lock()
				for _, o := range []struct {
					form string
					said *said
					err  error
				}{{"live", live, err}, {"one dump", one, errOne}} {
					if o.err != nil {
						t.Errorf("%s %s, %s: %v", c.server.name, name, o.form, o.err)
						continue
					}
					all = append(all, seen{phase: p.name, role: role, form: o.form, name: name, said: o.said})
				}
				mu.Unlock()
			}
		})
	}
	roles.Wait()
	return all
}

// watch starts jstall watch on all JVMs; the function that it returns stops it and returns what it printed.
func (c *crowd) watch(t *testing.T) func() string {
	args := []string{"watch", "--max-cpu", "3", "-o", t.TempDir()}
	for _, role := range c.server.roles {
		args = append(args, fmt.Sprint(c.pids[role]))
	}
	cmd := exec.Command(jvmtest.Binary(t), args...)
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() string {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		return out.String()
	}
}
