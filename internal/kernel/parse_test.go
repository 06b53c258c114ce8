package kernel

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

const statTail = "S 12 77 77 0 -1 4194304 915 0 0 0 123 45 0 0 20 0 33 0 98765 1048576 17 18446744073709551615 1 1 0"

func TestParseStat(t *testing.T) {
	for _, comm := range []string{"java", ") R 1 (", "a b", "((", "))", "", "tab\there", "line\nbreak"} {
		got, err := ParseStat([]byte("4711 (" + comm + ") " + statTail + "\n"))
		want := Stat{
			Comm: comm, State: "S", PPID: 12, UTime: 1230 * time.Millisecond, STime: 450 * time.Millisecond,
			NumThreads: 33, StartTime: 98765,
		}
		if err != nil || got != want {
			t.Errorf("%q: got %+v, %v", comm, got, err)
		}
		if got.CPU() != 1680*time.Millisecond {
			t.Errorf("CPU %v", got.CPU())
		}
	}
}

func TestParseStatRefuses(t *testing.T) {
	good := "4711 (x) " + statTail
	for _, bad := range []string{
		"", "4711", ")(", "4711 (x", "4711 (x)", "4711 (x) S 1 2", strings.Replace(good, " 98765 ", " many ", 1),
	} {
		if s, err := ParseStat([]byte(bad)); err == nil {
			t.Errorf("%q gave %+v", bad, s)
		}
	}
}

func TestParseStatSeesKernelThreads(t *testing.T) {
	text := "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 8 0 0 20 0 1 0 1 0 0 18446744073709551615 0"
	if s, err := ParseStat([]byte(text)); err != nil || !s.KernelThread {
		t.Errorf("got %+v, %v", s, err)
	}
}

func TestParseStatOfOurselves(t *testing.T) {
	text, err := live(t).ReadFile(os.Getpid(), "stat")
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseStat(text)
	if err != nil || s.PPID != os.Getppid() || s.State == "" || s.KernelThread || s.NumThreads < 2 {
		t.Errorf("got %+v, %v from %s", s, err, text)
	}
}

const statusText = `Name:	java
Umask:	0022
State:	S (sleeping)
Tgid:	4711
Ngid:	0
Pid:	4711
PPid:	1
TracerPid:	9
Uid:	1000	1001	1002	1003
Gid:	2000	2001	2002	2003
FDSize:	64
Groups:	4 24 4294967294 
NSpid:	4711	52	1
VmRSS:	  123456 kB
Threads:	33
SigBlk:	0000000000000004
SigIgn:	0000000000000001
SigCgt:	2000000181005ccf
CapPrm:	000001ffffffffff
CapEff:	00000000a80425fb
`

func TestParseStatus(t *testing.T) {
	s, err := ParseStatus([]byte(statusText))
	if err != nil {
		t.Fatal(err)
	}
	want := Status{
		Name: "java", State: "S", TGID: 4711, PPID: 1, TracerPID: 9,
		UID: IDs{1000, 1001, 1002, 1003}, GID: IDs{2000, 2001, 2002, 2003},
		Groups: []uint32{4, 24, 4294967294}, NSpid: []int{4711, 52, 1},
		SigBlk: 4, SigIgn: 1, SigCgt: 0x2000000181005ccf,
		CapPrm: 0x1ffffffffff, CapEff: 0xa80425fb, VmRSS: Known(int64(123456 << 10)), Threads: 33,
	}
	if fmt.Sprintf("%+v", s) != fmt.Sprintf("%+v", want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
	if s.InnermostPID() != 1 {
		t.Errorf("innermost pid %d", s.InnermostPID())
	}
	// a80425fb is what a container's root has by default.
	for c, has := range map[Capability]bool{CapSetUID: true, CapSetGID: true, CapSysPtrace: false} {
		if s.Has(c) != has {
			t.Errorf("capability %d: %v", c, !has)
		}
	}
}

func TestParseStatusKeepsWhatItRead(t *testing.T) {
	s, err := ParseStatus([]byte("State:\tT (stopped)\nUid:\tx\nThreads:\t7\n"))
	if err == nil || s.State != "T" || s.Threads != 7 {
		t.Errorf("got %+v, %v", s, err)
	}
	if s.VmRSS.Known || s.InnermostPID() != 0 {
		t.Errorf("made up what is not there: %+v", s)
	}
	if _, err := ParseStatus(nil); err == nil {
		t.Error("nothing is no status")
	}
}

func TestSelf(t *testing.T) {
	s, err := live(t).Self()
	if err != nil || s.TGID != os.Getpid() || int(s.UID.Effective) != os.Geteuid() ||
		int(s.GID.Effective) != os.Getegid() {
		t.Errorf("got %+v, %v", s, err)
	}
	groups, _ := os.Getgroups()
	for _, g := range groups {
		if !slices.Contains(s.Groups, uint32(g)) {
			t.Errorf("groups %v, want %v", s.Groups, groups)
		}
	}
}

func TestParseSchedstat(t *testing.T) {
	got, err := ParseSchedstat([]byte("1234567890 42 77\n"))
	if err != nil || got != (Schedstat{CPU: 1234567890, RunQueue: 42, Turns: 77}) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, bad := range []string{"", "1", "1 2", "a b c", "1 2 3 4", "99999999999999999999 1 1", "1 1 x"} {
		if _, err := ParseSchedstat([]byte(bad)); err == nil {
			t.Errorf("%q passed", bad)
		}
	}
}

func TestUptimeAndAge(t *testing.T) {
	up, err := tree(t, map[string]string{"uptime": "3600.25 7000.00\n"}).Uptime()
	if err != nil || up != 3600*time.Second+250*time.Millisecond {
		t.Fatalf("got %v, %v", up, err)
	}
	for start, want := range map[uint64]time.Duration{360000: 250 * time.Millisecond, 360025: 0, 999999: 0,
		1<<64 - 1: 0, 0: up} {
		if got := Age(up, start); got != want {
			t.Errorf("start %d: age %v, want %v", start, got, want)
		}
	}
	for _, bad := range []string{"", "x 1", "-1 1", "NaN 1", "1e300 1"} {
		if up, err := tree(t, map[string]string{"uptime": bad}).Uptime(); err == nil {
			t.Errorf("%q gave %v", bad, up)
		}
	}
}

// A process we start now must be seen to start between two looks at the clock.
func TestAgeOnTheLiveClock(t *testing.T) {
	r := live(t)
	text, err := r.ReadFile(os.Getpid(), "stat")
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseStat(text)
	if err != nil {
		t.Fatal(err)
	}
	now, err := r.Uptime()
	if err != nil {
		t.Fatal(err)
	}
	if start := ticks(int64(s.StartTime)); start > now {
		t.Errorf("we started %v after boot and it is only %v", start, now)
	}
}
