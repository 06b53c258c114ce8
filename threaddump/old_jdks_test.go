package threaddump

import (
	"strings"
	"testing"
	"time"
)

const jdk7 = `2024-03-01 10:00:00
Full thread dump Java HotSpot(TM) 64-Bit Server VM (24.80-b11 mixed mode):

"ware-1" daemon prio=10 tid=0x00007f6548136000 nid=0x554c waiting for monitor entry [0x00007f6538efe000]
   java.lang.Thread.State: BLOCKED (on object monitor)
	at com.acme.ware.Shelf.put(Shelf.java:12)
	- waiting to lock <0x00000000fc087b50> (a com.acme.ware.Shelf)
	at java.lang.Thread.run(Thread.java:745)

"C2 CompilerThread0" daemon prio=10 tid=0x00007f65480be000 nid=0x5541 waiting on condition [0x0000000000000000]
   java.lang.Thread.State: RUNNABLE

"VM Thread" prio=10 tid=0x00007f654806b000 nid=0x5537 runnable 

"GC task thread#0 (ParallelGC)" prio=10 tid=0x00007f654801f000 nid=0x5533 runnable 

"VM Periodic Task Thread" prio=10 tid=0x00007f65480cc800 nid=0x553d waiting on condition 

JNI global references: 123

`

const jdk5 = `Full thread dump Java HotSpot(TM) Server VM (1.5.0_22-b03 mixed mode):

"ware-1" daemon prio=1 tid=0x0413f000 nid=0x5fec waiting for monitor entry [0x74466000..0x74466e38]
	at com.acme.ware.Shelf.put(Shelf.java:10)
	- waiting to lock <0xfc0975e0> (a com.acme.ware.Shelf)
	at java.lang.Thread.run(Thread.java:595)

"main" prio=1 tid=0x0805d000 nid=0x5fe1 in Object.wait() [0xbfffd000..0xbfffd488]
	at java.lang.Object.wait(Native Method)
	- waiting on <0xfc0975a0> (a java.lang.Thread)
	at java.lang.Thread.join(Thread.java:1095)
	- locked <0xfc0975a0> (a java.lang.Thread)
	at java.lang.Thread.join(Thread.java:1148)

"poll" prio=1 tid=0x0805e000 nid=0x5fe2 in Object.wait() [0xbfffc000..0xbfffc488]
	at java.lang.Object.wait(Native Method)
	at com.acme.ware.Poll.once(Poll.java:7)

"CompilerThread0" daemon prio=1 tid=0x08080000 nid=0x5fe5 waiting on condition [0x00000000..0x7c0ff1c8]

"VM Thread" prio=1 tid=0x08070000 nid=0x5fe3 runnable 

`

const apple6 = `2012-02-01 10:00:00
Full thread dump Java HotSpot(TM) 64-Bit Server VM (20.65-b04-462 mixed mode):

"ware-1" prio=5 tid=f92f4145000 nid=0x105970000 waiting for monitor entry [124afe000]
   java.lang.Thread.State: BLOCKED (on object monitor)
	at com.acme.ware.Shelf.put(Shelf.java:12)
	- waiting to lock <7fc099410> (a com.acme.ware.Shelf)

"VM Thread" prio=9 tid=f92f4001000 nid=0x10100f000 runnable 

JNI global references: 5

`

func TestHeadersOfOldJDKs(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		roles string // of the threads, in their order
	}{
		"7": {jdk7, "application jit vm gc vm"}, "5": {jdk5, "application application application jit vm"},
		"Apple's 6": {apple6, "application vm"},
	} {
		d := one(t, []byte(c.text))
		roles := make([]string, len(d.Threads))
		for i, th := range d.Threads {
			roles[i] = th.Role().String()
			if th.Unnumbered != (roles[i] != "vm" && roles[i] != "gc") || th.NativeID == 0 {
				t.Errorf("%s: %+v", name, th)
			}
		}
		if got := strings.Join(roles, " "); got != c.roles || len(d.Problems) > 0 || d.Lost > 0 {
			t.Errorf("%s: %s, %+v", name, got, d.Problems)
		}
		ware := d.Threads[0]
		if ware.State != Blocked || ware.Locks[0].Address == 0 || len(ware.Stack) == 0 {
			t.Errorf("%s: %+v", name, ware)
		}
	}
}

// JDK 5 prints no states: they follow from the header's words and the frames.
func TestStatesWithoutTheirLines(t *testing.T) {
	d := one(t, []byte(jdk5))
	for name, want := range map[string]State{"ware-1": Blocked, "main": Waiting, "poll": TimedWaiting,
		"CompilerThread0": Runnable} {
		if got := byName(t, d, name).State; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

func TestFiguresOfAnyLocale(t *testing.T) {
	for _, figures := range []string{"cpu=1.83ms elapsed=2.63s allocated=1.5K defined_classes=12",
		"cpu=1,83ms elapsed=2,63s allocated=1,5K defined_classes=12", "cpu=1٫83ms elapsed=2٫63s allocated=1٫5K " +
			"defined_classes=12",
		"cpu=١٫٨٣ms elapsed=٢٫٦٣s allocated=١٫٥K defined_classes=١٢", "cpu=۱٫۸۳ms elapsed=۲٫۶۳s allocated=۱٫۵K " +
			"defined_classes=۱۲"} {
		var h header
		line := `"w" #7 daemon prio=5 os_prio=0 ` + figures +
			` tid=0x00007f731c018190 nid=0x387b runnable  [0x00007f7323ffe000]`
		if !parseHeader([]byte(line), &h) || h.unread != nil || h.id != 7 {
			t.Errorf("%s: %+v", line, h)
		}
		if h.cpu.Value != 1830*time.Microsecond || h.elapsed.Value != 2630*time.Millisecond ||
			h.allocated.Value != 1536 ||
			h.classes.Value != 12 {
			t.Errorf("%s: %+v", line, h)
		}
	}
}

// A figure that is no number costs itself only, and is reported.
func TestAFigureThatIsNoNumberIsTold(t *testing.T) {
	line := `"w" #7 daemon prio=5 os_prio=0 cpu=1;83ms elapsed=2.63s tid=0x00007f731c018190 nid=0x387b runnable  [0x00007f7323ffe000]`
	d := one(
		t,
		[]byte(
			"Full thread dump OpenJDK 64-Bit Server VM (17.0.1 mixed mode):\n\n"+line+"\n   java.lang.Thread.State: "+
				"RUNNABLE\n\nJNI global refs: 1, weak refs: 0\n"),
	)
	th := d.Threads[0]
	if th.ID != 7 || th.CPU.Known || !th.Elapsed.Known || len(d.Problems) != 1 || d.Problems[0].Text != "cpu=1;83ms" {
		t.Errorf("%+v %+v", th, d.Problems)
	}
}
