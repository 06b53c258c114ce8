package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// fakeClient replaces docker, podman and kubectl where there is no daemon and no cluster. It takes the command
// lines that the real ones take, and no other; the container is this machine. A container "distroless" has no sh, one
// "readonly" has no folder that can be written (no mkdir, as we may be root).
const fakeClient = `#!/bin/sh
name=${0##*/}
refuse() { echo "fake-$name: this is not how $name is called: $*" >&2; exit 125; }
case $name in
docker | podman)
  [ "$1 $2 $4 $5 $#" = "exec -i sh -c 6" ] || refuse "$@"
  container=$3; shift 3 ;;
kubectl)
  [ "$1 $2 $3 $4" = "exec -i -n shop" ] || refuse "$@"
  container=$5; shift 5
  if [ "$1" = -c ]; then [ "$2" = app ] || refuse "$@"; shift 2; fi
  [ "$1 $2 $3 $#" = "-- sh -c 4" ] || refuse "$@"
  shift ;;
esac
case $container in
distroless)
  echo 'OCI runtime exec failed: exec failed: unable to start container process: exec: "sh": executable file not found in $PATH: unknown' >&2
  exit 127 ;;
readonly) PATH=$FAKE_BARE; export PATH ;;
orders-1) ;;
*) echo "Error: No such container: $container" >&2; exit 1 ;;
esac
exec "$@"
`

// fakes puts the fake clients on the PATH.
func fakes(t *testing.T) {
	t.Helper()
	dir, bare := t.TempDir(), t.TempDir()
	fake := filepath.Join(dir, "fake-client")
	if err := os.WriteFile(fake, []byte(fakeClient), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"docker", "podman", "kubectl"} {
		if err := os.Symlink(fake, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tool := range []string{"sh", "uname", "head"} {
		if err := os.Symlink(strings.TrimSpace(output(t, "which", tool)), filepath.Join(bare, tool)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("FAKE_BARE", bare)
}

// TestContainers reaches a JVM through fakes of docker, podman and kubectl.
func TestContainers(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "MonitorDeadlock", "2", "0")
	jvmtest.Binary(t) // while TMPDIR is the usual one
	fakes(t)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	got := runOn(t, "deadlock", pid, "--on", "docker:orders-1", "--on", "podman:orders-1", "--on", "k8s:shop/orders-1",
		"--on", "k8s:shop/orders-1/app", "--on", "k8s:shop/distroless/app", "--on", "docker:readonly",
		"--on", "podman:gone")
	for _, want := range []string{
		"7 targets: 4 DEADLOCKED, 3 UNKNOWN", "deadlock (proven) in 4 of 7 targets",
		"Where     docker:orders-1, podman:orders-1, k8s:shop/orders-1, k8s:shop/orders-1/app\n",
		"k8s:shop/distroless/app  UNKNOWN     no result: it has no sh",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
	for _, want := range []string{
		"k8s:shop/distroless/app: it has no sh, so nothing can be copied there\n  hint: put a container with a shell " +
			"next to it: kubectl debug -n shop distroless -c jstall --image=busybox --target=app --profile=general " +
			"-- sleep 600; then: --on " +
			"k8s:shop/distroless/jstall\n",
		"docker:readonly: no folder there can be written and executed\n  hint: put a container with a shell " +
			"next to it: docker run -d --rm --name jstall-debug --pid=container:readonly --cap-add=SYS_PTRACE " +
			"busybox sleep 600; then: --on docker:jstall-debug\n",
		"podman:gone: Error: No such container: gone\n  hint: this must work: podman exec gone true\n",
	} {
		if !strings.Contains(got.stderr, want) {
			t.Errorf("no %q in\n%s", want, got.stderr)
		}
	}
	if got.code != shell.ExitDeadlock || len(leftIn(t, tmp)) > 0 {
		t.Errorf("exit %d, left there: %q", got.code, leftIn(t, tmp))
	}
}

// TestWrongUseOfOn names what cannot be at another place.
func TestWrongUseOfOn(t *testing.T) {
	for line, want := range map[string]string{
		"status 1 --on web1":                          "names no kind of place",
		"status 1 --on ssh:-oProxyCommand=id":         "would take it for a flag",
		"status --on ssh:web1":                        "name a pid, a part of a main class, or all",
		"status 1 --on ssh:web1 --on ssh:web1":        "is named twice",
		"status - --on ssh:web1":                      "reads no standard input",
		"status -f x.zip --on ssh:web1":               "-f reads a recording here",
		"status 1 --keep-binary":                      "--keep-binary is for --on",
		"record 1 --on ssh:web1 -o -":                 "goes to a file",
		"record 1 --on ssh:web1 --redact-rules x":     "--redact-rules names a file here",
		"compare 1 --on ssh:web1":                     "name one target and two places",
		"flame --on ssh:web1 -- java A":               "--on profiles running JVMs",
		"status 1 --on ssh:web1 --connect-timeout 0s": "--connect-timeout must be positive",
	} {
		got := run(t, "", strings.Fields(line)...)
		if got.code != shell.ExitUsage || !strings.Contains(got.stderr, want) {
			t.Errorf("jstall %s: exit %d, want %q\n%s", line, got.code, want, got.stderr)
		}
	}
}
