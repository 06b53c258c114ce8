package kernel

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// plant makes a tree of folders (names that end in a slash), files and links ("a -> b").
func plant(t *testing.T, root string, entries ...string) {
	t.Helper()
	for _, entry := range entries {
		name, target, link := strings.Cut(entry, " -> ")
		path := filepath.Join(root, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		switch {
		case err != nil:
		case link:
			err = os.Symlink(target, path)
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(path, 0o755)
		default:
			err = os.WriteFile(path, []byte(name), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// threadIn starts a thread of ours that stands for a process: with mounts, a root and a
// working directory that are its own, and with what begin does to it.
func threadIn(t *testing.T, root, cwd string, begin func() error) int {
	t.Helper()
	needRoot(t)
	ready, end, ended := make(chan int), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- withRights(func() error {
			err := unix.Unshare(unix.CLONE_FS | unix.CLONE_NEWNS)
			if err == nil {
				err = unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
			}
			if err == nil {
				err = begin()
			}
			if err == nil {
				err = unix.Chroot(root)
			}
			if err == nil {
				err = unix.Chdir(cwd)
			}
			return err
		}, func() error {
			ready <- unix.Gettid()
			<-end
			return nil
		})
	}()
	select {
	case tid := <-ready:
		t.Cleanup(func() {
			close(end)
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
		return tid
	case err := <-ended:
		t.Fatal(err)
		return 0
	}
}

func nothing() error { return nil }

// The kernel's own way of resolving inside of a root is what we are held to.
func TestWalkAgreesWithOpenat2(t *testing.T) {
	root := t.TempDir()
	plant(
		t,
		root,
		"file",
		"dir/file",
		"dir/sub/file",
		"dir/sub/deep/",
		"to-dir -> dir",
		"absolute -> /dir/sub",
		"up -> ../../..",
		"dir/up -> ..",
		"dir/sub/root -> /",
		"to-file -> dir/file",
		"loop -> loop",
		"ping -> pong",
		"pong -> ping",
		"dangling -> dir/nothing",
		"dot -> .",
		"slash -> dir/",
		"file-slash -> file/",
		"dir/far -> ../../../../dir/sub/../file",
		"chain0 -> dir",
		"self -> self/file",
		"double -> //dir//sub",
	)
	for i := range 45 {
		plant(t, root, fmt.Sprintf("chain%d -> chain%d", i+1, i))
	}
	fd, err := unix.Open(root, openAnchor, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(fd) }()
	base, err := nodeOf(fd)
	if err != nil {
		t.Fatal(err)
	}
	parts := []string{
		"", ".", "..", "file", "dir", "sub", "to-dir", "absolute", "up", "root", "to-file", "loop", "ping",
		"dangling", "dot", "slash", "file-slash", "far", "self", "double", "nothing", "chain39", "chain40",
		strings.Repeat("x", 256),
	}
	paths := []string{
		"/", "", strings.Repeat("../", 1400), strings.Repeat("./", 2040) + "dir",
		strings.Repeat("dir/../", 50) + "file",
	}
	for _, a := range parts {
		for _, b := range parts {
			for _, c := range parts {
				paths = append(paths, a+"/"+b+"/"+c, "/"+a+"/"+b+"/"+c+"/")
			}
			paths = append(paths, a+"/"+b, "/"+a+"/"+b+"/")
		}
		paths = append(paths, a, "/"+a, a+"/")
	}
	for _, path := range paths {
		agrees(t, base, path)
	}
	if open := descriptors(t); open > 100 {
		t.Errorf("%d files are open afterwards", open)
	}
}

func agrees(t *testing.T, base node, path string) {
	t.Helper()
	w := walk{root: base, base: base, enter: func(node) error { return nil }}
	got, err := w.resolve(path)
	fd, want := unix.Openat2(base.fd, path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_MAGICLINKS})
	if errors.Is(want, unix.ENOSYS) || errors.Is(want, unix.EPERM) {
		lack(t, "no openat2 here: %v", want)
	}
	if err != want {
		t.Errorf("%.100q: %v, the kernel: %v", path, err, want)
	}
	var there node
	if want == nil {
		there, _ = nodeOf(fd)
		_ = unix.Close(fd)
	}
	if err == nil {
		_ = unix.Close(got.fd)
	}
	if err == nil && !got.same(there) {
		t.Errorf("%.100q: inode %d, the kernel: %d", path, got.inode, there.inode)
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// A process sees its own tree whatever its links say.
func TestOpenerStaysInTheRoot(t *testing.T) {
	outer := t.TempDir()
	root := filepath.Join(outer, "root")
	plant(t, outer, "secret", "root/data/file", "root/work/here", "root/work/deep/",
		"root/work/out -> ../../secret", "root/work/far -> /../secret", "root/work/in -> ../data/file",
		"root/absolute -> /data", "root/hidden -> "+outer+"/secret", "root/work/secret", "root/proc/", "root/mnt/")
	tid := threadIn(t, root, "/work", func() error {
		err := unix.Mount("proc", filepath.Join(root, "proc"), "proc", 0, "")
		if err == nil {
			err = unix.Mount("tmpfs", filepath.Join(root, "mnt"), "tmpfs", 0, "")
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(root, "mnt/file"), []byte("mounted"), 0o644)
		}
		return err
	})
	o := live(t).Opener(tid)
	defer o.Close()
	for path, want := range map[string]string{
		"/data/file": "root/data/file", "/absolute/file": "root/data/file", "/../../data/file": "root/data/file",
		"here": "root/work/here", "deep/../here": "root/work/here", "in": "root/data/file",
		"../data/file":       "root/data/file",
		"../../../data/file": "root/data/file", "/mnt/file": "mounted",
		"out": "", "far": "", "../../secret": "", "/hidden": "", "/nothing": "", "/proc/self/environ": "",
		"/proc/self/root/secret":              "",
		fmt.Sprintf("/proc/%d/cwd/here", tid): "", fmt.Sprintf("/proc/%d/root/data/file", tid): "", "/data": "",
		strings.Repeat("x/", 3000): "", "": "",
	} {
		text, err := o.Read(path, 100)
		if string(text) != want || (err == nil) != (want != "") {
			t.Errorf("%.100s: %q, %v, want %q", path, text, err, want)
		}
	}
	if f, err := o.Folder("."); err != nil {
		t.Error(err)
	} else if link, _ := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd())); filepath.Base(link) != "work" {
		t.Errorf("the working directory is %s", link)
	}
}

// A working directory that is not below the root is one that ".." cannot leave.
func TestOpenerBeginsAtAFolderOutside(t *testing.T) {
	outer := t.TempDir()
	plant(t, outer, "secret", "cwd/here", "cwd/up -> ../secret", "cwd/sub/", "cwd/in -> /file", "root/file")
	tid := threadIn(t, filepath.Join(outer, "root"), ".",
		func() error { return unix.Chdir(filepath.Join(outer, "cwd")) })
	o := live(t).Opener(tid)
	defer o.Close()
	for path, want := range map[string]string{
		"here": "cwd/here", "sub/../here": "cwd/here", "in": "root/file", "../secret": "", "up": "",
		"sub/../../secret": "",
	} {
		if text, err := o.Read(path, 100); string(text) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v, want %q", path, text, err, want)
		}
	}
	for _, path := range []string{".", "sub"} {
		if _, err := o.Folder(path); !errors.As(err, new(*NotReadError)) {
			t.Errorf("folder %s: %v", path, err)
		}
	}
}

// What the process itself may not read is not for us to show.
func TestOpenerHasTheRightsOfTheProcess(t *testing.T) {
	root := t.TempDir()
	plant(t, root, "open", "closed", "locked/file", "theirs", "group")
	for name, mode := range map[string]fs.FileMode{".": 0o755, "open": 0o644, "closed": 0o600, "locked": 0o700,
		"theirs": 0o400, "group": 0o040} {
		if err := os.Chmod(filepath.Join(root, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Chown(filepath.Join(root, "theirs"), nobody, -1),
		os.Chown(filepath.Join(root, "group"), -1, 77)); err != nil {
		t.Fatal(err)
	}
	readable := map[string]bool{"/open": true, "/theirs": true, "/group": true, "/closed": false, "/locked/file": false}
	tid := rightless(t, root, nobody, []uint32{77})
	read := func(t *testing.T, o *Opener, readable map[string]bool) {
		defer o.Close()
		for path, want := range readable {
			if _, err := o.Read(path, 100); (err == nil) != want || err != nil && !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	t.Run("taken on", func(t *testing.T) { read(t, live(t).Opener(tid), readable) })
	t.Run("by the mode bits", func(t *testing.T) {
		r := live(t)
		r.self.once.Do(func() {})
		r.self.status = Status{UID: IDs{FS: 5}, GID: IDs{FS: 5}} // fakes one that may not take ids on
		read(t, r.Opener(tid), readable)
	})
	t.Run("root without capabilities", func(t *testing.T) {
		tid := rightless(t, root, 0, nil)
		read(t, live(t).Opener(tid), map[string]bool{"/open": true, "/closed": true, "/theirs": false, "/group": false})
	})
}

// rightless is a thread of a user that has no capability.
func rightless(t *testing.T, root string, user uint32, groups []uint32) int {
	t.Helper()
	needRoot(t)
	ready, end, ended := make(chan int), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- withRights(func() error {
			err := unix.Unshare(unix.CLONE_FS)
			if err == nil {
				err = unix.Chroot(root)
			}
			if err == nil {
				err = takeOn(user, user, groups)
			}
			if err == nil {
				err = keepOnly(0)
			}
			return err
		}, func() error {
			ready <- unix.Gettid()
			<-end
			return nil
		})
	}()
	select {
	case tid := <-ready:
		t.Cleanup(func() {
			close(end)
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
		return tid
	case err := <-ended:
		t.Fatal(err)
		return 0
	}
}

// A pipe keeps what is in it, and a device is not touched.
func TestOpenerOpensRegularFilesOnly(t *testing.T) {
	root := t.TempDir()
	plant(t, root, "dir/", "null -> /dev/null")
	pipe := filepath.Join(root, "pipe")
	if err := unix.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := f.WriteString("data"); err != nil {
		t.Fatal(err)
	}
	o := live(t).Opener(os.Getpid())
	defer o.Close()
	for _, path := range []string{pipe, root + "/dir", root + "/null", "/dev/full"} {
		if _, err := o.Read(path, 100); !errors.As(err, new(*NotReadError)) {
			t.Errorf("%s: %v", path, err)
		}
	}
	text := make([]byte, 10)
	if n, err := f.Read(text); string(text[:n]) != "data" || err != nil {
		t.Errorf("the pipe has %q, %v", text[:n], err)
	}
}

// deadDisk mounts a file system whose server never says a word.
func deadDisk(t *testing.T) string {
	t.Helper()
	needRoot(t)
	dir := t.TempDir()
	device, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err == nil {
		options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", device)
		err = unix.Mount("jstall", dir, "fuse.dead", unix.MS_NOSUID|unix.MS_NODEV, options)
	}
	if err != nil {
		lack(t, "no file system can be mounted: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_FORCE|unix.MNT_DETACH); _ = unix.Close(device) })
	return dir
}

// A mount whose server hangs is not even asked, whatever way leads to it.
func TestOpenerAsksNoServer(t *testing.T) {
	dir := t.TempDir()
	disk := deadDisk(t)
	plant(t, dir, "file -> "+disk+"/file", "folder -> "+disk, "deep/down -> ../folder/x/y")
	r := live(t)
	o := r.Opener(os.Getpid())
	defer o.Close()
	for _, path := range []string{disk + "/file", dir + "/file", dir + "/folder/file", dir + "/deep/down", disk} {
		begin := time.Now()
		_, err := o.Read(path, 100)
		if refused := (*NotReadError)(nil); !errors.As(err, &refused) ||
			!strings.Contains(refused.Cause, "(fuse.dead)") {
			t.Errorf("%s: %v after %v", path, err, time.Since(begin))
		}
	}
	if n := r.hung.Load(); n != 0 {
		t.Errorf("%d threads hang", n)
	}
}

// An access that hangs is given up, and after some of them none is begun any more, until
// the kernel has let go of one.
func TestOpenerGivesUp(t *testing.T) {
	r := live(t)
	release := make(chan struct{})
	hang := func(*view) (*os.File, error) { <-release; return nil, nil }
	refused := func(o *Opener, when string, f func(*view) (*os.File, error)) {
		t.Helper()
		if _, err := bounded(o, "x", o.asProcess, f); !errors.As(err, new(*NotReadError)) {
			t.Errorf("%s: %v", when, err)
		}
	}
	fine := func(o *Opener, when string) {
		t.Helper()
		if _, err := o.Read("/etc/passwd", 1<<20); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	for range mostHung / mostHungOfOne {
		o := r.Opener(os.Getpid())
		defer o.Close()
		refused(o, "hangs", hang)
		fine(o, "after one that hangs")
		refused(o, "hangs too", hang)
		refused(o, "after two that hang", nil)
	}
	o := r.Opener(os.Getpid())
	defer o.Close()
	refused(o, "with six that hang", nil)
	close(release)
	for end := time.Now().Add(10 * time.Second); r.hung.Load() > 0 &&
		time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	fine(o, "later")
}

// Somebody who exchanges a folder and a link to the way out all the time gains nothing.
func TestOpenerUnderRenames(t *testing.T) {
	outer := t.TempDir()
	root := filepath.Join(outer, "root")
	plant(t, outer, "etc/file", "root/tmp/file", "root/link -> ../../../../../.."+outer+"/etc", "root/a/b/")
	tid := threadIn(t, root, "/", nothing)
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-end:
				return
			default:
			}
			_ = unix.Renameat2(unix.AT_FDCWD, root+"/tmp", unix.AT_FDCWD, root+"/link", unix.RENAME_EXCHANGE)
			_ = unix.Renameat(unix.AT_FDCWD, root+"/a/b", unix.AT_FDCWD, root+"/c")
			_ = unix.Renameat(unix.AT_FDCWD, root+"/c", unix.AT_FDCWD, root+"/a/b")
		}
	}()
	defer func() { close(end); <-ended }()
	o := live(t).Opener(tid)
	defer o.Close()
	found := 0
	for range 3000 {
		text, err := o.Read("/a/b/../../tmp/file", 100)
		if err == nil && string(text) == "root/tmp/file" {
			found++
		} else if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ELOOP) {
			t.Fatalf("%q, %v", text, err)
		}
	}
	if found == 0 {
		t.Error("the file was never found")
	}
	for i := range 2000 {
		fd, err := live(t).OpenFolder(tid, "/tmp")
		if err != nil {
			continue
		}
		made, err := unix.Openat(fd, fmt.Sprintf("made%d", i), unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o600)
		_ = unix.Close(fd)
		if err != nil {
			t.Fatal(err)
		}
		_ = unix.Close(made)
	}
	if names, err := os.ReadDir(outer + "/etc"); err != nil || len(names) != 1 {
		t.Errorf("outside are %v, %v", names, err)
	}
}

// gopsutil reads without a deadline; the Opener gives it one, for processes whose memory gives
// no answer.
func TestArgumentsInMemoryThatHangs(t *testing.T) {
	r := tree(t, map[string]string{"7/stat": ""})
	for _, name := range []string{"cmdline", "environ"} {
		if err := unix.Mkfifo(r.Path(7, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files := r.Opener(7)
	defer files.Close()
	for name, read := range map[string]func() ([]string, error){
		"cmdline": files.CommandLine, "environ": files.Environment,
	} {
		begin := time.Now()
		words, err := read()
		var late *NotReadError
		if !errors.As(err, &late) || time.Since(begin) > 5*patience {
			t.Errorf("%s after %v: %q, %v", name, time.Since(begin), words, err)
		}
		if n := r.hung.Load(); n == 0 {
			t.Errorf("%s: the read is not counted as one that hangs", name)
		}
	}
	for _, name := range []string{"cmdline", "environ"} {
		if writer, err := os.OpenFile(r.Path(7, name), os.O_WRONLY|unix.O_NONBLOCK, 0); err == nil {
			_ = writer.Close() // the read ends
		}
	}
}
