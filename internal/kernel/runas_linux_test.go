package kernel

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const nobody = 65534

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		lack(t, "taking on other ids needs root")
	}
}

func TestRunAsActsAsTheOther(t *testing.T) {
	needRoot(t)
	dir, err := os.MkdirTemp("/tmp", "runas-")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "made")
	var groups []int
	err = RunAs(nobody, nobody, []uint32{12, 34}, func() error {
		groups, _ = syscall.Getgroups()
		return os.WriteFile(path, nil, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if owner := info.Sys().(*syscall.Stat_t); owner.Uid != nobody || owner.Gid != nobody {
		t.Errorf("made by %d:%d", owner.Uid, owner.Gid)
	}
	if slices.Sort(groups); !slices.Equal(groups, []int{12, 34}) {
		t.Errorf("groups %v", groups)
	}
}

// Every other thread keeps its ids: during the run, and after it, when the
// thread has to be gone.
func TestRunAsChangesNoOtherThread(t *testing.T) {
	needRoot(t)
	r := live(t)
	awaitNoneOf(t, r, nobody) // of the other tests
	var tid int
	err := RunAs(nobody, nobody, nil, func() error {
		tid = unix.Gettid()
		for other, uid := range threadUIDs(t, r) {
			if (uid == nobody) != (other == tid) {
				t.Errorf("thread %d has uid %d, ours is %d", other, uid, tid)
			}
		}
		return nil
	})
	if err != nil || tid == os.Getpid() {
		t.Fatalf("ran on thread %d of %d: %v", tid, os.Getpid(), err)
	}
	awaitNoneOf(t, r, nobody)
}

// awaitNoneOf waits until no thread of ours has the uid.
func awaitNoneOf(t *testing.T, r *Reader, uid uint32) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		uids := slices.Collect(maps.Values(threadUIDs(t, r)))
		if !slices.Contains(uids, uid) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("a thread of user %d is still there: %v", uid, uids)
		}
	}
}

func threadUIDs(t *testing.T, r *Reader) map[int]uint32 {
	t.Helper()
	tids, err := r.TIDs(os.Getpid())
	if err != nil {
		t.Error(err)
	}
	uids := map[int]uint32{}
	for _, tid := range tids {
		text, err := r.ReadFile(os.Getpid(), filepath.Join("task", strconv.Itoa(tid), "status"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		s, err := ParseStatus(text)
		if err != nil {
			t.Error(err)
		}
		uids[tid] = s.UID.Effective
	}
	return uids
}

func TestRunAsReturnsErrors(t *testing.T) {
	needRoot(t)
	want := errors.New("mine")
	if err := RunAs(nobody, nobody, nil, func() error { return want }); err != want {
		t.Errorf("got %v", err)
	}
	if err := RunAs(nobody, nobody, nil, func() error { runtime.Goexit(); return nil }); err == nil {
		t.Error("a function that never returned was no error")
	}
	err := RunAs(nobody, nobody, nil, func() error { return takeOn(0, 0, nil) })
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("no user became root: %v", err)
	}
}
