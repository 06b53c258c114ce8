//go:build linux

package attach_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

const nobody = 65534

// privateTemp gives the process its own /tmp that still holds the classes.
const privateTemp = `mount -t tmpfs none /mnt; mkdir /mnt/work /mnt/cwd
	mount --bind $WORK /mnt/work
	mount -t tmpfs none /tmp; mkdir $WORK; mount --bind /mnt/work $WORK
	`

func asNobody(jdk jvmtest.JDK, t *testing.T) jvmtest.JDK {
	return jvmtest.Wrapped(t, jdk, `exec unshare -m sh -ec 'eval "$BARE"
		exec setpriv --reuid 65534 --regid 65534 --clear-groups $JAVA "$@"' java "$@"`)
}

// JDK 8 wants trigger file and connection from its own uid, the others from root too.
func TestOtherUser(t *testing.T) {
	eachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		j := jvmtest.Start(t, asNobody(jdk, t), jvmtest.Options{Class: "Idle"})
		first := dump(t, patient(), j, 0)
		if !first.Triggered {
			t.Error("it answered without a signal")
		}
		dump(t, patient(), j, jdk.Version)
		unharmed(t, j)
		noTriggers(t, j)
	})
}

func TestOwnFolderOfOtherUser(t *testing.T) {
	jvmtest.NeedNamespaces(t)
	j := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle", User: nobody})
	dump(t, patient(), j, 0)
	unharmed(t, j)
	noTriggers(t, j)
}

// The dead process that had the JVM's id before was another user's: the JVM cannot
// put its own socket in the place of what that has left.
func TestStaleSocketOfOtherUser(t *testing.T) {
	jvmtest.NeedNamespaces(t)
	j := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle", User: nobody})
	stale(t, socketOf(j))
	if err := os.Chmod(socketOf(j), 0o600); err != nil {
		t.Fatal(err)
	}
	err := kernel.RunAs(nobody, nobody, nil, func() error {
		_, err := patient().Execute(t.Context(), target(j), attach.ThreadDump(0, false))
		return err
	})
	if e := wantError(t, err, attach.CodePermission); e.Remedy != "sudo rm "+socketOf(j) {
		t.Errorf("remedy %q", e.Remedy)
	}
	dump(t, patient(), j, 0)
	unharmed(t, j)
	noTriggers(t, j)
}

// inContainer are the capabilities that root has in a container by default: none
// to look into other users' processes.
const inContainer = 0xa80425fb

// withoutPtrace runs f with no more than them.
func withoutPtrace(t *testing.T, f func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var caps [2]unix.CapUserData
		err := unix.Capget(&header, &caps[0])
		caps[0].Effective &= inContainer
		caps[0].Permitted &= inContainer
		caps[1] = unix.CapUserData{}
		if err == nil {
			err = unix.Capset(&header, &caps[0])
		}
		if err == nil {
			f()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestWithoutPtrace(t *testing.T) {
	jvmtest.NeedNamespaces(t)
	jdk := jvmtest.Find(t, jvmtest.System)
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", User: nobody})
	withoutPtrace(t, func() {
		if _, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", j.PID())); err == nil {
			t.Error("its maps can be read all the same")
		}
		if _, err := patient().Execute(t.Context(), target(j), attach.ThreadDump(0, false)); err != nil {
			t.Error(err)
		}
	})
	unharmed(t, j)
	noTriggers(t, j)
}

func refuse(uint32, uint32, []uint32, func() error) error { return unix.EPERM }

func TestNeitherPtraceNorTheirIDs(t *testing.T) {
	jvmtest.NeedNamespaces(t)
	jdk := jvmtest.Find(t, jvmtest.System)
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", User: nobody})
	c := patient()
	c.RunAs = refuse
	to := target(j)
	to.Major = jdk.Version
	withoutPtrace(t, func() {
		_, err := c.Execute(t.Context(), to, attach.ThreadDump(0, false))
		if e := wantError(t, err, attach.CodePermission); !strings.Contains(e.Remedy, "--cap-add SYS_PTRACE") {
			t.Errorf("remedy %q", e.Remedy)
		}
	})
	unharmed(t, j)
	noTriggers(t, j)
}

func TestOtherUsersJVM(t *testing.T) {
	jvmtest.NeedNamespaces(t)
	j := idle(t, jvmtest.Find(t, jvmtest.System))
	c := patient()
	c.RunAs = nil
	err := kernel.RunAs(nobody, nobody, nil, func() error {
		_, err := c.Execute(t.Context(), target(j), attach.ThreadDump(0, false))
		return err
	})
	e := wantError(t, err, attach.CodePermission)
	if want := "sudo -u root jstall …"; e.Remedy != want {
		t.Errorf("remedy %q, want %q", e.Remedy, want)
	}
	unharmed(t, j)
	noTriggers(t, j)
}

// A container: process 1 of another namespace, with its own /tmp.
func TestContainer(t *testing.T) {
	someJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		inside := jvmtest.Wrapped(t, jdk, `exec unshare -m -p -f --kill-child sh -ec '`+privateTemp+`
			cd /; exec $JAVA "$@"' java "$@"`)
		j := jvmtest.Start(t, inside, jvmtest.Options{Class: "Idle"})
		to := attach.Target{PID: j.Child()}
		for range 2 {
			if _, err := patient().Execute(t.Context(), to, attach.ThreadDump(0, false)); err != nil {
				t.Fatal(err)
			}
		}
		unharmed(t, j)
		for _, path := range []string{"/.attach_pid1", "/tmp/.attach_pid1",
			fmt.Sprintf("/proc/%d/root/tmp/.attach_pid1", to.PID)} {
			if _, err := os.Lstat(path); err == nil {
				t.Errorf("%s is left", path)
			}
		}
	})
}

// A chroot, in which the way to the socket leads over an absolute link: it means
// the chroot's /tmp, not ours.
func TestChroot(t *testing.T) {
	jdk := jvmtest.Find(t, jvmtest.System)
	inside := jvmtest.Wrapped(t, jdk, `exec unshare -m sh -ec 'mount --rbind / /mnt; mount -t tmpfs none /mnt/tmp
		mkdir /mnt$WORK; mount --bind $WORK /mnt$WORK; ln -s /tmp /mnt/tmp/link
		exec chroot /mnt $JAVA "$@"' java "$@"`)
	j := jvmtest.Start(t, inside, jvmtest.Options{Class: "Idle"})
	to := target(j)
	to.TempDir = "/tmp/link"
	for range 2 {
		if _, err := patient().Execute(t.Context(), to, attach.ThreadDump(0, false)); err != nil {
			t.Fatal(err)
		}
	}
	unharmed(t, j)
}

func TestReadOnlyFolders(t *testing.T) {
	jdk := jvmtest.Find(t, jvmtest.System)
	inside := jvmtest.Wrapped(t, jdk, `exec unshare -m sh -ec '`+privateTemp+`mount -t tmpfs -o ro none /mnt/cwd
		mount -o remount,ro /tmp; cd /mnt/cwd; exec $JAVA "$@"' java "$@"`)
	j := jvmtest.Start(t, inside, jvmtest.Options{Class: "Idle"})
	e := wantCode(t, patient(), target(j), attach.CodeTriggerFile)
	if !strings.Contains(fmt.Sprint(e.Err), unix.EROFS.Error()) {
		t.Errorf("%v does not say that the file system is read-only", e)
	}
	unharmed(t, j)

	results := map[string]attach.Result{}
	for _, check := range patient().Checks(target(j)) {
		results[check.Name] = check.Result
	}
	if results["folders"] != attach.NotOK || results["enabled"] != attach.OK {
		t.Errorf("checks: %v", results)
	}
}

func TestDeletedWorkingDirectory(t *testing.T) {
	j := idle(t, jvmtest.Find(t, jvmtest.System))
	if err := os.RemoveAll(j.Dir()); err != nil {
		t.Fatal(err)
	}
	dump(t, patient(), j, 0)
	unharmed(t, j)
	noTriggers(t, j)
}

// "docker pause" freezes the cgroup.
func TestFrozen(t *testing.T) {
	for _, kind := range []struct{ name, mount, file, freeze, thaw, state, frozen string }{
		{"version 1", " - cgroup cgroup rw,freezer", "freezer.state", "FROZEN", "THAWED", "freezer.state", "FROZEN"},
		{"version 2", " - cgroup2 ", "cgroup.freeze", "1", "0", "cgroup.events", "frozen 1"},
	} {
		t.Run(kind.name, func(t *testing.T) {
			jvmtest.NeedNamespaces(t)
			cgroup := newCgroup(t, kind.mount)
			set := func(file, value string) {
				if err := os.WriteFile(filepath.Join(cgroup, file), []byte(value), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			j := idle(t, jvmtest.Find(t, jvmtest.System))
			t.Cleanup(func() { // the kernel ends no frozen process
				set(kind.file, kind.thaw)
				j.Signal(syscall.SIGKILL)
				j.Wait()
				_ = os.Remove(cgroup)
			})
			set("cgroup.procs", fmt.Sprint(j.PID()))
			set(kind.file, kind.freeze)
			for state := ""; !strings.Contains(state, kind.frozen); time.Sleep(time.Millisecond) {
				text, err := os.ReadFile(filepath.Join(cgroup, kind.state))
				if err != nil {
					t.Fatal(err)
				}
				state = string(text)
			}
			_ = wantCode(t, patient(), target(j), attach.CodeStopped)
			set(kind.file, kind.thaw)
			dump(t, patient(), j, 0)
			set(kind.file, kind.freeze)
			e := wantCode(t, newClient(100*time.Millisecond), target(j), attach.CodeStopped)
			if e.Phase != attach.PhaseRead {
				t.Errorf("phase %s, want read", e.Phase)
			}
			unharmed(t, j)
		})
	}
}

// newCgroup makes a cgroup in the hierarchy whose line in mountinfo has this in it.
func newCgroup(t *testing.T, mount string) string {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mounts)) {
		if fields := strings.Fields(line); strings.Contains(line, mount) && len(fields) > 4 {
			dir := filepath.Join(fields[4], fmt.Sprintf("jstall-test-%d", os.Getpid()))
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Skipf("no cgroup can be made: %v", err)
			}
			return dir
		}
	}
	t.Skip("this machine has no such cgroups")
	return ""
}

func TestDies(t *testing.T) {
	j := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "FullGC", Args: []string{"4"},
		JVMArgs: []string{"-Xmx1g", "-XX:+UseSerialGC"}})
	time.AfterFunc(30*time.Millisecond, func() { j.Signal(syscall.SIGKILL) })
	var err error
	for err == nil {
		_, err = patient().Execute(t.Context(), target(j), attach.ThreadDump(0, false))
	}
	e := wantError(t, err, err.(*attach.Error).Code)
	if e.Code != attach.CodeTargetDied && e.Code != attach.CodeZombie && e.Code != attach.CodeNoProcess {
		t.Errorf("got %+v, want a target that has died", e)
	}
	if len(e.FilesLeft) > 0 {
		t.Errorf("%q is left", e.FilesLeft)
	}
	j.Wait()
	noTriggers(t, j)
}

func TestChecks(t *testing.T) {
	j := idle(t, jvmtest.Find(t, jvmtest.System))
	want := []string{
		"namespace", "process", "state", "credentials", "files", "memory", "listener", "hotspot", "sigquit", "signal",
		"enabled", "cgroup", "threads", "folders", "space",
	}
	c := patient()
	c.Limits = fakeLimits{}
	all := c.Checks(target(j))
	if len(all) != len(want) {
		t.Fatalf("%d checks", len(all))
	}
	for i, check := range all {
		if check.Name != want[i] || check.Result != attach.OK || check.Detail == "" {
			t.Errorf("check %d: %+v, want %s ok", i, check, want[i])
		}
	}
	noTriggers(t, j)
	to := target(j)
	to.StartTime = 1
	all = append(patient().Checks(to), patient().Checks(attach.Target{PID: 1 << 30})...)
	if len(all) != 2*len(want) {
		t.Fatalf("%d checks", len(all))
	}
	for i, check := range all {
		result := attach.Unknown
		if told := []attach.Result{attach.OK, attach.NotOK}; i%len(want) < len(told) {
			result = told[i%len(want)]
		}
		if check.Result != result {
			t.Errorf("check %d: %+v, want %s", i, check, result)
		}
	}
	unharmed(t, j)
}
