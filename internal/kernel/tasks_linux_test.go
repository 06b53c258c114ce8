package kernel

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// onThread runs f on a separate thread, then keeps the thread asleep until the
// test ends; it returns the thread's id.
func onThread(t *testing.T, f func()) int {
	t.Helper()
	ready, end := make(chan int), make(chan struct{})
	go func() {
		runtime.LockOSThread()
		f()
		ready <- unix.Gettid()
		<-end
	}()
	t.Cleanup(func() { close(end) })
	return <-ready
}

func threadCPU(t *testing.T) time.Duration {
	t.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		t.Error(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestTasksAgreeWithTheThreadItself(t *testing.T) {
	r := live(t)
	const odd = ") R (\"x"
	var before time.Duration
	tid := onThread(t, func() {
		if err := os.WriteFile("/proc/thread-self/comm", []byte(odd), 0); err != nil {
			t.Error(err)
		}
		for before < 30*time.Millisecond {
			before = threadCPU(t)
		}
	})
	tasks, err := r.Tasks(os.Getpid(), TaskOptions{CPU: true, State: true, WaitChannel: true})
	if err != nil {
		t.Fatal(err)
	}
	got := tasks[tid]
	if got.CPU < before || got.CPU > before+time.Second || !got.RunQueue.Known {
		t.Errorf("CPU %v and run queue %+v, the thread says at least %v", got.CPU, got.RunQueue, before)
	}
	if got.Comm != odd || got.NSTID != tid || got.State == "" {
		t.Errorf("got %+v", got)
	}
	tids, err := r.TIDs(os.Getpid())
	if err != nil || !slices.Contains(tids, tid) {
		t.Errorf("threads %v, %v, want also %d", tids, err, tid)
	}
}

func TestTasksReadOnlyWhatIsAsked(t *testing.T) {
	r := live(t)
	tid := onThread(t, func() {})
	for name, opt := range map[string]TaskOptions{
		"comm": {Comm: true}, "state": {State: true}, "cpu": {CPU: true},
	} {
		opt.Only = []int{tid, 1 << 29}
		tasks, err := r.Tasks(os.Getpid(), opt)
		if err != nil || len(tasks) != 1 {
			t.Fatalf("%s: %v, %v", name, tasks, err)
		}
		got := tasks[tid]
		if (got.Comm != "") != (opt.Comm || opt.State) || (got.State != "") != opt.State ||
			got.RunQueue.Known != opt.CPU {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Kernels without scheduler statistics have no such file, or zeros in it.
func TestTasksWithoutSchedstat(t *testing.T) {
	for name, schedstat := range map[string]string{"none": "", "zeros": "0 0 0\n"} {
		files := map[string]string{"3/task/4/stat": "4 (w) " + statTail}
		if schedstat != "" {
			files["3/task/4/schedstat"] = schedstat
		}
		tasks, err := tree(t, files).Tasks(3, TaskOptions{CPU: true})
		want := map[int]Task{4: {NSTID: 4, CPU: 1680 * time.Millisecond}}
		if err != nil || len(tasks) != 1 || tasks[4] != want[4] {
			t.Errorf("%s: got %+v, %v", name, tasks, err)
		}
	}
}

func TestTasksOfDamagedTree(t *testing.T) {
	r := tree(t, map[string]string{"3/task/4/stat": "4 (w) " + statTail, "3/task/5/stat": "no"})
	if tasks, err := r.Tasks(3, TaskOptions{State: true}); err == nil || len(tasks) != 1 {
		t.Errorf("got %+v, %v, want one task and an error", tasks, err)
	}
}

func TestWaitChannel(t *testing.T) {
	r := tree(t, map[string]string{"3/task/4/wchan": "futex_wait_queue", "3/task/5/wchan": "0"})
	tasks, err := r.Tasks(3, TaskOptions{WaitChannel: true})
	if err != nil || tasks[4].WaitChannel != "futex_wait_queue" || tasks[5].WaitChannel != "" {
		t.Errorf("got %+v, %v", tasks, err)
	}
}

// A thread's writes are counted by the kernel, or are not known.
func TestWrites(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = null.Close() }()
	tid := onThread(t, func() {
		for range 3 {
			if _, err := null.Write([]byte("x")); err != nil {
				t.Error(err)
			}
		}
	})
	tasks, err := live(t).Tasks(os.Getpid(), TaskOptions{IO: true, Only: []int{tid}})
	if got := tasks[tid]; err != nil || !got.Writes.Known || got.Writes.Value < 3 || !got.Received.Known {
		t.Errorf("%+v, %v, want three writes and those of the runtime", got, err)
	}
	r := tree(
		t,
		map[string]string{
			"3/task/4/io": "rchar: 5\nsyscr: 8\nsyscw: 17\n", "3/task/5/stat": "", "3/task/6/io": "syscw: x\n",
		},
	)
	tasks, err = r.Tasks(3, TaskOptions{IO: true})
	if err != nil || tasks[4].Writes != Known(int64(17)) || tasks[4].Received != Known(int64(5)) ||
		tasks[5].Writes.Known ||
		tasks[6].Writes.Known {
		t.Errorf("got %+v, %v", tasks, err)
	}
}

func TestTasksInAPidNamespace(t *testing.T) {
	r := live(t)
	cmd := exec.Command("sleep", "60")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		lack(t, "cannot make a pid namespace: %v", err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	tasks, err := r.Tasks(cmd.Process.Pid, TaskOptions{})
	if err != nil || tasks[cmd.Process.Pid].NSTID != 1 {
		t.Errorf("got %+v, %v, want 1 as the namespace's own id", tasks, err)
	}
}

func BenchmarkTasks(b *testing.B) {
	for range 200 {
		go func() { runtime.LockOSThread(); select {} }()
	}
	r := New("/proc")
	tasks := 0
	for b.Loop() {
		got, err := r.Tasks(os.Getpid(), TaskOptions{CPU: true})
		if err != nil {
			b.Fatal(err)
		}
		tasks += len(got)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(tasks), "ns/task")
	b.ReportMetric(0, "ns/op")
}
