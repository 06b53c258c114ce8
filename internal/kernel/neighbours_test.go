package kernel

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Processes that are looked at together see one moment of the machine; the next reading
// of one of them is another moment.
func TestTheMachineIsReadOnceForAll(t *testing.T) {
	const tail = " S 1 77 77 0 -1 4194304 915 0 0 0 123 45 5 3 20 0 33 0 98765 1048576 17 1\n"
	r := machineTree(t, map[string]string{
		"proc/loadavg": "0.10 0.20 0.30 3/700 99\n",
		"proc/7/stat":  "7 (a)" + tail, "proc/8/stat": "8 (b)" + tail, "proc/9/stat": "9 (c)" + tail,
	})
	read := func(pid int) (tasks int64, others map[int]OtherProcess) {
		m := r.Surroundings(pid).Machine()
		return m.Tasks.Used.Value, m.Others
	}
	read(7)
	r.moment.taken = time.Now().Add(time.Hour) // however slow this machine is
	if err := os.WriteFile(filepath.Join(r.Root, "loadavg"), []byte("0.10 0.20 0.30 3/800 99\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tasks, others := read(8)
	if _, self := others[8]; tasks != 700 || len(others) != 2 || self {
		t.Errorf("8 next to 7: %d tasks, want 700; others %v, want 7 and 9", tasks, others)
	}
	if tasks, others = read(7); tasks != 800 || len(others) != 2 {
		t.Errorf("7 again: %d tasks, want 800; others %v", tasks, others)
	}
	r.moment.taken = time.Now().Add(-time.Minute)
	if err := os.WriteFile(filepath.Join(r.Root, "loadavg"), []byte("0.10 0.20 0.30 3/900 99\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if tasks, _ = read(9); tasks != 900 {
		t.Errorf("9 a minute later: %d tasks, want 900", tasks)
	}
}
