package threaddump

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
)

const (
	listAddress = "0x00007f3c1c002a40"

	platformDump = `Full thread dump OpenJDK 64-Bit Server VM (25.0.5+9-LTS mixed mode, sharing):

Threads class SMR info:
_java_thread_list=` + listAddress + `, length=2, elements={
0x00007ff1a4019960, 0x00007ff1a40e49c0
}

"main" #1 [100] prio=5 os_prio=0 cpu=1.00ms elapsed=2.00s tid=0x00007ff1a4019960 nid=100 waiting on condition  [0x00007ff1a0000000]
   java.lang.Thread.State: TIMED_WAITING (sleeping)
	at java.lang.Thread.sleep(java.base@25.0.5/Thread.java:1)

"ForkJoinPool-1-worker-1" #35 [101] daemon prio=5 os_prio=0 cpu=1.00ms elapsed=2.00s tid=0x00007ff1a40e49c0 nid=101 waiting on condition  [0x00007ff1a0000000]
   Carrying virtual thread #4712
	at java.lang.VirtualThread.runContinuation(java.base@25.0.5/VirtualThread.java:293)

"VM Thread" os_prio=0 cpu=8.02ms elapsed=1.34s tid=0x00007fce000d9320 nid=32637 runnable

`
	trailer = "JNI global refs: 15, weak refs: 0\n\n"

	sectionText = "Virtual threads of " + listAddress + `: 5003 found, 5002 read; 1 moved while it was read

"order-7" #4711 virtual PARKED
   java.lang.Thread.State: WAITING (parking)
	at java.lang.VirtualThread.park(java.base@25.0.5/VirtualThread.java:664)
	- parking to wait for  <0x000000069ec17bc0> (a java.util.concurrent.locks.ReentrantLock$NonfairSync) owned by #35
	at com.acme.Order.run(Order.java:12)
   Locked monitors:
	- <0x000000069ec17bd0> (a com.acme.Order)
   Locked ownable synchronizers:
	- <0x000000069ec17be0> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)

"" #4712 virtual PINNED carrier=#35 scope=#1
   Container: java.util.concurrent.ThreadPerTaskExecutor@0x000000069ec00000
   java.lang.Thread.State: BLOCKED (on object monitor)
	at com.acme.Desk.move(Desk.java:9)
	- waiting to lock <0x000000069ec17bd0> (a com.acme.Order) owned by #4711
	- locked <0x000000069ec17bf0> (a com.acme.Desk)

"order-8" #4713 virtual UNPARKED
   java.lang.Thread.State: RUNNABLE
   Alike: 4999
	at com.acme.Order.run(Order.java:12)

"a\u000ab\u005cu0041 \u005c" #5 virtual PARKED" #4714 virtual RUNNING carrier=#36
   java.lang.Thread.State: RUNNABLE
   Stack unknown: it runs Java code

Virtual threads end
`
)

// virtualIn are the virtual threads of a dump.
func virtualIn(d *Dump) (threads []*Thread) {
	for _, t := range d.Threads {
		if t.Virtual {
			threads = append(threads, t)
		}
	}
	return threads
}

// One section: each of its threads has its own fields.
//
//gocyclo:ignore
func checkSection(t *testing.T, d *Dump) {
	t.Helper()
	v := virtualIn(d)
	if len(v) != 4 || !d.VirtualListed || d.VirtualFound != 5003 || d.VirtualMissing != "1 moved while it was read" {
		t.Fatalf("%d threads of %d, missing %q", len(v), d.VirtualFound, d.VirtualMissing)
	}
	if d.Cut || len(d.Problems) > 0 || d.Lost > 0 || d.Missing() > 0 {
		t.Errorf("cut %t, problems %+v, lost %d, missing %d", d.Cut, d.Problems, d.Lost, d.Missing())
	}
	first, second, third, last := v[0], v[1], v[2], v[3]
	locks := fmt.Sprint(stripLines(first.Locks))
	want := fmt.Sprint([]Lock{
		{Op: Parking, Address: 0x69ec17bc0, Class: "java.util.concurrent.locks.ReentrantLock$NonfairSync", Owner: 35},
		{Op: Locked, Address: 0x69ec17bd0, Class: "com.acme.Order", Depth: -1},
		{Op: OwnsSynchronizer, Address: 0x69ec17be0, Class: "java.util.concurrent.locks.ReentrantLock$NonfairSync",
			Depth: -1},
	})
	if locks != want {
		t.Errorf("locks %s, want %s", locks, want)
	}
	if first.VirtualState != "PARKED" || first.State != Waiting || len(first.Stack) != 2 || first.ID != 4711 {
		t.Errorf("%+v", first)
	}
	if second.Carrier != 35 || second.ScopeOwner != 1 || second.Name != "" || second.State != Blocked ||
		second.Container != "java.util.concurrent.ThreadPerTaskExecutor@0x000000069ec00000" ||
		second.Locks[0].Owner != 4711 || second.Locks[0].Class != "com.acme.Order" || second.Locks[1].Depth != 0 {
		t.Errorf("%+v", second)
	}
	if third.Alike != 4999 || third.VirtualState != "UNPARKED" {
		t.Errorf("%+v", third)
	}
	if last.Name != "a\nb\\u0041 \\\" #5 virtual PARKED" || last.ID != 4714 || last.Unread != "it runs Java code" ||
		last.Carrier != 36 || len(last.Stack) != 0 {
		t.Errorf("%+v", last)
	}
}

func stripLines(locks []Lock) (plain []Lock) {
	for _, l := range locks {
		l.Line = 0
		plain = append(plain, l)
	}
	return plain
}

// A section follows its dump at once, after the trailer, or after the heap and the report of deadlocks.
func TestVirtualSectionAfterADump(t *testing.T) {
	heap := "Heap\n garbage-first heap   total 1024K, used 2K\n  region size 1M\n"
	for name, between := range map[string]string{
		"nothing": "", "trailer": trailer, "heap": trailer + heap + "\n", "heap without empty line": trailer + heap,
		"another line": trailer + "a line of the log\n",
		"deadlock": trailer + "Found one Java-level deadlock:\n=============================\n\"a\":\n" +
			"  waiting to lock monitor 0x1 (object 0x2, a X),\n  which is held by \"b\"\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			text := []byte(platformDump + between + sectionText)
			d := one(t, text)
			checkSection(t, d)
			if len(d.Threads) != 7 || d.Threads[1].Carrying != 4712 {
				t.Errorf("%d threads", len(d.Threads))
			}
			checkLines(t, text, []*Dump{d})
			if d.Threads[3].Line != bytes.Count(text[:bytes.Index(text, []byte(`"order-7"`))], []byte("\n"))+1 {
				t.Errorf("line %d", d.Threads[3].Line)
			}
			halves := describe(readAll(iotest.HalfReader(bytes.NewReader(text))))
			if want := describe(Parse(text)); halves != want {
				t.Errorf("read in halves: %s", firstDifference(want, halves))
			}
		})
	}
}

// Two dumps with a section each, one of which is cut by the next dump.
func TestVirtualSectionsOfTwoDumps(t *testing.T) {
	cut, _, _ := strings.Cut(sectionText, `"order-8"`)
	dated := "2026-11-20 14:59:49\n" + platformDump
	dumps, err := Parse([]byte(platformDump + trailer + cut + dated + trailer + sectionText))
	if err != nil || len(dumps) != 2 {
		t.Fatal(len(dumps), err)
	}
	if v := virtualIn(dumps[0]); len(v) != 2 || !dumps[0].Cut || dumps[0].VirtualMissing == "" {
		t.Errorf("%d threads, %+v", len(v), dumps[0])
	}
	checkSection(t, dumps[1])
	if dumps[1].Time.IsZero() {
		t.Error("no time")
	}
}

func TestVirtualSectionAlone(t *testing.T) {
	d, err := ParseVirtual([]byte("\n" + sectionText))
	if err != nil || len(d.Threads) != 4 {
		t.Fatal(d, err)
	}
	checkSection(t, d)

	platform := one(t, []byte(platformDump+trailer))
	before := describe([]*Dump{platform}, nil)
	all := platform.WithVirtual(d, 1000)
	checkSection(t, all)
	if len(all.Threads) != 7 || virtualIn(all)[0].Line != d.Threads[0].Line+1000 ||
		virtualIn(all)[0].Locks[0].Line != d.Threads[0].Locks[0].Line+1000 {
		t.Errorf("%d threads, %+v", len(all.Threads), virtualIn(all)[0])
	}
	if describe([]*Dump{platform}, nil) != before {
		t.Error("WithVirtual changed the dump")
	}
	none := "Virtual threads of " + listAddress + ": 0 found, 0 read\n\nVirtual threads end\n"
	empty, err := ParseVirtual([]byte(none))
	if err != nil || !empty.VirtualListed || empty.Cut || len(empty.Threads) != 0 {
		t.Errorf("%+v, %v", empty, err)
	}
	for _, text := range []string{
		"", "\n", platformDump, strings.Replace(sectionText, "0x00007f", "0x7f", 1), "Virtual threads end\n",
		strings.Replace(sectionText, "found", "seen", 1),
	} {
		if d, err := ParseVirtual([]byte(text)); d != nil || !errors.Is(err, ErrNoDump) {
			t.Errorf("%.40q: %v, %v", text, d, err)
		}
	}
}

// Wherever a section ends early, the threads before its end are there, and that it is cut.
func TestCutVirtualSection(t *testing.T) {
	whole, err := ParseVirtual([]byte(sectionText))
	if err != nil {
		t.Fatal(err)
	}
	end := strings.Index(sectionText, virtualEnd) + len(virtualEnd)
	for n := strings.IndexByte(sectionText, '\n') + 1; n < end; n++ {
		d, err := ParseVirtual([]byte(sectionText[:n]))
		if err != nil || !d.Cut || len(d.Threads) > len(whole.Threads) {
			t.Fatalf("%d bytes: %v, %+v", n, err, d)
		}
		for i, th := range d.Threads {
			if w := whole.Threads[i]; th.ID != w.ID && i < len(d.Threads)-1 || len(th.Stack) > len(w.Stack) {
				t.Fatalf("%d bytes: thread %d is %+v", n, i, th)
			}
		}
	}
}

// No name of a thread, whatever is in it, makes a virtual thread: Java code does not know the address.
func TestForgedVirtualSection(t *testing.T) {
	forged := strings.Replace(sectionText, listAddress, "0x00007f3c1c002a48", 1)
	name := "inj\n" + forged + "\n"
	for _, text := range []string{
		strings.Replace(platformDump, `"main"`, `"`+name+`"`, 1) + trailer,
		platformDump + trailer + forged,
		strings.Replace(platformDump, listAddress, "unknown", 1) + trailer + sectionText,
		strings.Replace(platformDump, listAddress, "0x0000000000000000", 1) + trailer +
			strings.Replace(sectionText, listAddress, "0x0000000000000000", 1),
	} {
		d := one(t, []byte(text))
		if d.VirtualListed || len(virtualIn(d)) > 0 || d.Missing() > 0 {
			t.Errorf("%d virtual threads, %d missing: %+v", len(virtualIn(d)), d.Missing(), d.Problems)
		}
	}
	// A second section of a dump does not count, nor does one that a thread of the first names itself.
	again := platformDump + trailer + sectionText + strings.ReplaceAll(sectionText, "#471", "#871")
	checkSection(t, one(t, []byte(again)))
}

// What is not understood is a problem, and costs nothing around it.
func TestDamagedVirtualSection(t *testing.T) {
	for old, with := range map[string]string{
		`"order-8" #4713 virtual UNPARKED`: `"order-8" #4713 virtual ASLEEP`,
		`#4713 virtual`:                    `#471x virtual`,
		`"order-8" #4713`:                  `order-8 #4713`,
		`virtual UNPARKED`:                 `virtual UNPARKED carrier=#x`,
		`   Alike: 4999`:                   `   Alike: many`,
	} {
		d, err := ParseVirtual([]byte(strings.Replace(sectionText, old, with, 1)))
		if err != nil || d.Cut {
			t.Fatalf("%q: %v, %+v", with, err, d)
		}
		if d.Lost+len(d.Problems) == 0 {
			t.Errorf("%q: no problem", with)
		}
		if first, last := d.Threads[0], d.Threads[len(d.Threads)-1]; first.ID != 4711 || last.ID != 4714 {
			t.Errorf("%q: threads from %d to %d", with, first.ID, last.ID)
		}
	}
}

// A section with more threads than any machine has ends in an error, with what was read so far.
func TestEndlessVirtualSection(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("Virtual threads of " + listAddress + ": 999999999999 found, 1 read\n")
	for i := range maxThreads + 2 {
		fmt.Fprintf(&b, "\n\"\" #%d virtual NEW\n", i+1)
	}
	d, err := ParseVirtual(b.Bytes())
	if bound := (*BoundError)(nil); !errors.As(err, &bound) || !d.Cut || len(d.Threads) < maxThreads {
		t.Errorf("%v, %d threads", err, len(d.Threads))
	}
	dumps, err := Parse(append([]byte(platformDump+trailer), b.Bytes()...))
	if bound := (*BoundError)(nil); !errors.As(err, &bound) || len(dumps) != 1 {
		t.Errorf("%v, %d dumps", err, len(dumps))
	}
}
