package hotspot_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvmtest"

	"github.com/jstall/jstall/analysis/object"
)

// TestPools reads pools of real libraries while threads wait for what they lack. HEAVY=1 tries all JDKs and further
// collectors.
func TestPools(t *testing.T) {
	classes := pooling(t)
	for _, jdk := range builds(t) {
		for _, flags := range []string{"-XX:+UseG1GC", "-XX:+UseSerialGC", "-XX:+UseZGC"} {
			usual := flags == "-XX:+UseG1GC" && (jdk.Version == 8 || jdk.Version == 25)
			if !usual && !jvmtest.Everywhere() || flags == "-XX:+UseZGC" && jdk.Version < 15 {
				continue
			}
			t.Run(fmt.Sprint(jdk.Version, flags), func(t *testing.T) {
				jvm := jvmtest.Start(t, jdk, jvmtest.Options{
					Class: "Pooling", JVMArgs: []string{"-cp", classes, "-Xmx128m", flags},
				})
				var got []string
				d := read(t, jvm.PID())
				for _, p := range d.Facts.Pools {
					got = append(got, fmt.Sprintf("%s: %d active, %d idle of %d, %v", simple(p.Object), p.Active,
						p.Idle, p.Most, named(d, p.ThreadIDs)))
				}
				for _, e := range d.Facts.Executors {
					if e.Kind == object.EventLoop && e.Queue != nil {
						got = append(got, fmt.Sprintf("%s: %d tasks, %v", simple(e.Object), e.Queue.Size,
							named(d, e.WorkerIDs)))
					}
				}
				slices.Sort(got)
				want := []string{
					"ConnectionPool: 2 active, 0 idle of 2, [tomcat]",
					"GenericObjectPool: 2 active, 0 idle of 2, [commons]",
					"HikariPool: 3 active, 0 idle of 3, [hikari hikari-too]", "NioEventLoop: 4 tasks, [loop]",
				}
				if !slices.Equal(got, want) {
					t.Errorf("%v, want %v", got, want)
				}
			})
		}
	}
}

func named(d *hotspot.Dump, ids []int64) []string {
	var names []string
	for _, t := range d.Threads {
		if slices.Contains(ids, t.ID) {
			names = append(names, t.Name)
		}
	}
	slices.Sort(names)
	return names
}

// pooling compiles testdata/hotspot/pooling and returns its class path.
func pooling(t *testing.T) string {
	t.Helper()
	for _, tool := range []string{"mvn", "javac"} {
		if _, err := exec.LookPath(tool); err != nil {
			jvmtest.Lack(t, "%s is needed to build the program: %v", tool, err)
		}
	}
	dir := t.TempDir()
	const folder = "../../testdata/hotspot/pooling"
	maven := exec.Command("mvn", "-q", "-o", "-f", folder, "dependency:copy-dependencies", "-DoutputDirectory="+dir)
	if out, err := maven.CombinedOutput(); err != nil { // not in the local repository yet
		maven = exec.Command("mvn", "-q", "-f", folder, "dependency:copy-dependencies", "-DoutputDirectory="+dir)
		if more, err := maven.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s%s", err, out, more)
		}
	}
	jars, err := filepath.Glob(filepath.Join(dir, "*.jar"))
	if err != nil || len(jars) == 0 {
		t.Fatalf("no libraries in %s: %v", dir, err)
	}
	path := strings.Join(append(jars, dir), ":")
	javac := exec.Command("javac", "--release", "8", "-nowarn", "-cp", path, "-d", dir,
		filepath.Join(folder, "Pooling.java"))
	if out, err := javac.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}
