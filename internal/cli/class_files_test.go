package cli

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// sourceOfDesk is a program in which one reads for long, and two wait to write. Where its class file on disk is
// replaced by that of asksTwice, each of these would have taken the read lock itself, and could never get the other.
const sourceOfDesk = `import java.util.concurrent.locks.ReentrantReadWriteLock;
public class Desk {
	static final ReentrantReadWriteLock book = new ReentrantReadWriteLock(true);
	static void entry() {
		book.writeLock().lock();
		book.writeLock().unlock();
	}
	static void walk() {
		book.readLock().lock();
		try { Thread.sleep(20_000); } catch (InterruptedException e) { } finally { book.readLock().unlock(); }
	}
	public static void main(String[] args) throws Exception {
		new Thread(() -> { while (true) walk(); }, "r").start();
		Thread.sleep(200);
		for (int i = 0; i < 2; i++) new Thread(() -> { while (true) entry(); }, "w-" + i).start();
		Thread.sleep(200);
		System.out.println("READY");
	}
}
`

const asksTwice = "book.readLock().lock(); book.writeLock().lock();"

// launchFrom runs a class from a folder until it is ready.
func launchFrom(t *testing.T, jdk jvmtest.JDK, dir, class string) (pid string) {
	t.Helper()
	cmd := exec.Command(jdk.Java(), "-cp", dir, class)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); strings.TrimSpace(line) != "READY" {
		t.Fatalf("%q, %v", line, err)
	}
	return strconv.Itoa(cmd.Process.Pid)
}

// What lies on the class path after a redeployment is not the code that runs, and is not looked at.
func TestReplacedClassFilesTellNothing(t *testing.T) {
	t.Parallel()
	dir := jvmtest.Compile(t, "Desk.java", sourceOfDesk)
	other := jvmtest.Compile(t, "Desk.java", strings.Replace(sourceOfDesk, "book.writeLock().lock();", asksTwice, 1))
	pid, file := launchFrom(t, jvmtest.Find(t, jvmtest.System), dir, "Desk"), filepath.Join(dir, "Desk.class")
	if err := os.Rename(filepath.Join(other, "Desk.class"), file); err != nil {
		t.Fatal(err)
	}
	expectContention(t, pid)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(file, 0o666); err != nil {
		t.Fatal(err)
	}
	opened, stop := watchFIFO(file)
	expectContention(t, pid)
	close(stop)
	if <-opened {
		t.Error("the file was opened")
	}
}

// expectContention expects a report of a JVM whose threads wait for a lock, and of no deadlock.
func expectContention(t *testing.T, pid string) {
	t.Helper()
	r, got := reportOf(t, pid, "--count", "3", "--interval", "800ms")
	if got.code != shell.ExitDone || r.Verdict.State == analysis.Deadlocked ||
		len(findingsOf(r, finding.KindLockContention)) != 1 {
		t.Errorf("exit %d, %+v", got.code, r.Verdict)
	}
}

// watchFIFO reports, once stop is closed, whether a process had a named pipe open to read.
func watchFIFO(path string) (opened chan bool, stop chan struct{}) {
	opened, stop = make(chan bool, 1), make(chan struct{})
	go func() {
		seen := false
		for {
			select {
			case <-stop:
				opened <- seen
				return
			default:
			}
			if w, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
				seen = true
				_ = w.Close()
			}
			time.Sleep(time.Millisecond) // who opens it to read waits until it is open to write
		}
	}()
	return opened, stop
}
