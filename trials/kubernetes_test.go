//go:build linux

package trials_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
)

// profile is what kubectl debug --profile gives the container that it adds: the command prefix that runs a program in a
// root folder with these rights, and the exit codes of jstall then, as docs/kubernetes.md describes.
type profile struct {
	name                 string
	words                []string
	attach, memory, perf int // the exit codes
}

// withTrace is asContainerRoot with CAP_SYS_PTRACE.
func withTrace() []string {
	words := slices.Clone(asContainerRoot)
	words[len(words)-1] += ",+sys_ptrace"
	return append(words, "chroot")
}

func profiles() []profile {
	root := append(slices.Clone(asContainerRoot), "chroot")
	return []profile{
		{"general", withTrace(), exitDone, exitDone, exitDone},
		{"baseline", root, exitDone, exitNothing, exitNoDump},
		{"restricted, user of the JVM", []string{"chroot", "--userspec=65534:65534", "--groups="}, exitDone, exitDone,
			exitDone},
		{"restricted, another user", []string{"chroot", "--userspec=4242:4242", "--groups="}, exitNothing, exitNothing,
			exitNothing},
	}
}

// TestContainerNextToAJVM is kubectl debug --target, and docker run --pid=container:, as the kernel sees them: a
// process in the JVM's pid namespace whose root folder has only jstall, as in an image FROM scratch.
func TestContainerNextToAJVM(t *testing.T) {
	j, c := inside(t, jvmtest.Find(t, jvmtest.System), containerOfNobody, true)
	root := image(t)
	for _, p := range profiles() {
		t.Run(p.name, func(t *testing.T) {
			for args, want := range map[string]int{
				"deadlock --via attach 1": p.attach, "deadlock --via memory 1": p.memory,
				"flame --engine perf -d 100ms 1": p.perf,
			} {
				program := append(slices.Clone(p.words), root, "/jstall")
				o := execute(t, slices.Concat(inPIDNamespaceOf(c, root), program, strings.Fields(args)))
				if o.code != want {
					t.Errorf("jstall %s: exit %d, want %d\n%s%s", args, o.code, want, o.stdout, o.stderr)
				}
			}
		})
	}
	harmless(t, j)
	noTriggerIn(t, c)
}

// image is a root folder with what an image of jstall has, and the folders that a runtime mounts.
func image(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, folder := range []string{"proc", "sys"} {
		if err := os.Mkdir(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	copyJstall(t, filepath.Join(root, "jstall"))
	return root
}

func copyJstall(t *testing.T, path string) {
	t.Helper()
	binary, err := os.ReadFile(jvmtest.Binary(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, binary, 0o755); err != nil {
		t.Fatal(err)
	}
}

// inPIDNamespaceOf is the command prefix that runs a program in the pid namespace of a JVM, with /proc and /sys in a
// root folder.
func inPIDNamespaceOf(c client, root string) []string {
	return []string{"nsenter", "-t", strconv.Itoa(c.pid), "-p", "unshare", "-m", "sh", "-ec",
		`mount -t proc proc "$0/proc"; mount --bind /sys "$0/sys"; exec "$@"`, root}
}

// TestExecInTheContainerOfAJVM is kubectl exec with a copied binary: a process in the JVM's namespaces, as its user.
func TestExecInTheContainerOfAJVM(t *testing.T) {
	j, c := inside(t, jvmtest.Find(t, jvmtest.System), containerOfNobody, true)
	copyJstall(t, filepath.Join("/proc", strconv.Itoa(c.pid), "root/tmp/jstall"))
	words := []string{"nsenter", "-t", strconv.Itoa(c.pid), "-p", "-m", "sh", "-ec",
		`mount -t proc proc /proc; exec "$@"`, "sh"}
	words = append(append(words, strings.Fields(toNobody)...), "/tmp/jstall")
	for _, args := range []string{"list", "doctor 1", "deadlock --via attach 1", "deadlock --via memory 1",
		"record 1 --count 1 -o /tmp/pod.zip"} {
		o := execute(t, slices.Concat(words, strings.Fields(args)))
		if o.code != exitDone || !strings.Contains(o.stdout, "1") {
			t.Errorf("jstall %s: exit %d\n%s%s", args, o.code, o.stdout, o.stderr)
		}
	}
	harmless(t, j)
	noTriggerIn(t, c)
}
