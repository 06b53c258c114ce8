package remote

import (
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPlaces(t *testing.T) {
	ssh := []string{"ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=8", "-o", "ServerAliveInterval=15", "-T"}
	for word, want := range map[string][]string{
		"ssh:web1":             append(slices.Clip(ssh), "--", "web1", line),
		"ssh:me@web1:2222":     append(slices.Clip(ssh), "-p", "2222", "--", "me@web1", line),
		"ssh:[2001:db8::1]:22": append(slices.Clip(ssh), "-p", "22", "--", "2001:db8::1", line),
		"ssh:me@[::1]:2222":    append(slices.Clip(ssh), "-p", "2222", "--", "me@::1", line),
		"ssh:2001:db8::1":      append(slices.Clip(ssh), "--", "2001:db8::1", line),
		"docker:3f2a":          {"docker", "exec", "-i", "3f2a", "sh", "-c", collect},
		"podman:shop":          {"podman", "exec", "-i", "shop", "sh", "-c", collect},
		"k8s:shop/orders-1": {"kubectl", "exec", "-i", "-n", "shop", "orders-1", "--", "sh", "-c",
			collect},
		"k8s:shop/orders-1/app": {"kubectl", "exec", "-i", "-n", "shop", "orders-1", "-c", "app", "--", "sh", "-c",
			collect},
		"exec:docker exec -i web sh -c": {"sh", "-c", `docker exec -i web sh -c "$@"`, "sh", line},
	} {
		p, err := ParsePlace(word)
		if err != nil {
			t.Errorf("%s: %v", word, err)
			continue
		}
		if got := p.command(7500 * time.Millisecond); !slices.Equal(got, want) {
			t.Errorf("%s becomes %q, want %q", word, got, want)
		}
	}
	for _, word := range []string{"", "web1", "ssh:", "ssh: ", "ssh:-oProxyCommand=id", "docker:-it", "k8s:shop",
		"k8s:shop/", "k8s:/orders", "k8s:a/b/c/d", "k8s:a/-b", "k8s:a/b/-c", "ftp:web1", "ssh:a\x00b"} {
		if p, err := ParsePlace(word); err == nil {
			t.Errorf("%q is taken for %+v", word, p)
		}
	}
}

// TestFailuresSayWhyAndWhatToDo gives what clients really print.
func TestFailuresSayWhyAndWhatToDo(t *testing.T) {
	const noShell = "OCI runtime exec failed: exec failed: unable to start container process: exec: \"sh\": " +
		"executable file not found in $PATH: unknown\n"
	for _, c := range []struct {
		place       string
		failure     Failure
		want, hints string
	}{
		{"ssh:web7", Failure{Stage: Greeting, Err: io.EOF, Exit: 255,
			Said: "ssh: connect to host web7 port 22: Connection refused\r\n"},
			"ssh: connect to host web7 port 22: Connection refused", "ssh web7 true"},
		{"ssh:web7:2222", Failure{Stage: Greeting, Err: io.EOF, Late: "no answer within 8s"},
			"no answer within 8s", "ssh -p 2222 web7 true; --connect-timeout 30s"},
		{"podman:x", Failure{Err: &exec.Error{Name: "podman", Err: exec.ErrNotFound}},
			"there is no podman on the PATH", "install podman"},
		{"docker:3f2a", Failure{Stage: Greeting, Err: io.EOF, Exit: 127, Said: noShell},
			"it has no sh", "docker run -d --rm --name jstall-debug --pid=container:3f2a"},
		{"k8s:shop/orders-1/app", Failure{Stage: Greeting, Err: io.EOF, Exit: 1,
			Said: "error: Internal error occurred: error executing command in container: failed to exec in " +
				"container: failed to start exec: " + noShell},
			"it has no sh", "kubectl debug -n shop orders-1 -c jstall --image=busybox --target=app --profile=general"},
		{"k8s:shop/orders-1", Failure{Stage: Sending, Nowhere: true, Err: errors.New("no folder there")},
			"no folder there",
			"--target=CONTAINER --profile=general -- sleep 600; then: --on k8s:shop/orders-1/jstall"},
		{"k8s:shop/orders-9", Failure{Stage: Greeting, Err: io.EOF, Exit: 1,
			Said: "Error from server (NotFound): pods \"orders-9\" not found\n"},
			`pods "orders-9" not found`, "kubectl exec -n shop orders-9 -- true"},
		{"ssh:arm", Failure{Stage: Sending, Err: &BinaryError{Arch: "arm64", Path: "/opt/jstall-linux-arm64"}},
			"no jstall for linux/arm64 on this machine: /opt/jstall-linux-arm64 does not exist", "--binary"},
		{"docker:3f2a", Failure{Stage: Running, Err: io.ErrUnexpectedEOF, Exit: 137,
			Said: "x\ncommand terminated with exit code 137\n"}, "the connection ended before jstall did: x", ""},
	} {
		place, err := ParsePlace(c.place)
		if err != nil {
			t.Fatal(err)
		}
		c.failure.Place = place
		if got := c.failure.Error(); !strings.Contains(got, c.want) {
			t.Errorf("%s: it says %q, want %q", c.place, got, c.want)
		}
		if got := c.failure.Remedy(); !strings.Contains(got, c.hints) || c.hints == "" && got != "" {
			t.Errorf("%s: it advises %q, want %q", c.place, got, c.hints)
		}
	}
}
