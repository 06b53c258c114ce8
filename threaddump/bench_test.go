package threaddump

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"
)

// bigDump prints a dump as JDK 21 does with -l: threads parked 16 frames deep.
// Without shared, no two frames are equal; number changes what changes from one
// dump of a series to the next.
func bigDump(threads int, shared bool, number int) []byte {
	var b bytes.Buffer
	b.WriteString(
		"2026-11-20 14:59:49\n" +
			"Full thread dump OpenJDK 64-Bit Server VM (21.0.13+9-1-deb13u2-Debian mixed mode, sharing)\n\n")
	fmt.Fprintf(&b, "Threads class SMR info:\n_java_thread_list=0x00007ff118003210, length=%d, elements={", threads)
	tid := func(i int) uint64 { return 0x7ff1a4000000 + 0x1230*uint64(i) }
	for i := range threads {
		if b.WriteString(", "[:min(i, 1)]); i%4 == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "0x%016x", tid(i))
	}
	b.WriteString("\n}\n\n")
	for i := range threads {
		n := i
		if shared {
			n = 0
		}
		fmt.Fprintf(&b,
			"\"deep-%d\" #%d [%d] daemon prio=5 os_prio=0 cpu=%d.%02dms elapsed=%d.31s tid=0x%016x nid=%d waiting "+
				"on condition  [0x%016x]\n",
			i, 30+i, 32650+i, number, i%100, number, tid(i), 32650+i, 0x7ff1a0000000+uint64(i)<<16)
		b.WriteString("   java.lang.Thread.State: WAITING (parking)\n")
		fmt.Fprintf(&b, "\tat jdk.internal.misc.Unsafe.park(java.base@21.0.13/Native Method%.*d)\n", min(n, 1), n)
		fmt.Fprintf(&b, "\t- parking to wait for  <0x%016x> (a java.util.concurrent.CountDownLatch$Sync)\n",
			0x69ec00000+16*i+number)
		fmt.Fprintf(&b, "\tat java.util.concurrent.locks.LockSupport.park(java.base@21.0.13/LockSupport.java:%d)\n",
			221+n)
		fmt.Fprintf(&b, "\tat java.util.concurrent.CountDownLatch.await(java.base@21.0.13/CountDownLatch.java:%d)\n",
			230+n)
		for level := range 11 {
			fmt.Fprintf(&b, "\tat W.deep%d(W.java:%d)\n", level, 4+n)
		}
		fmt.Fprintf(&b, "\tat W$$Lambda/0x%016x.run(Unknown Source)\n", 0x7ff130000a08+n)
		fmt.Fprintf(&b, "\tat java.lang.Thread.run(java.base@21.0.13/Thread.java:%d)\n", 1583+n)
		b.WriteString("\n   Locked ownable synchronizers:\n\t- None\n\n")
	}
	b.WriteString("JNI global refs: 15, weak refs: 0\n\n")
	return b.Bytes()
}

func BenchmarkParse5000Threads(b *testing.B) { benchmarkParse(b, bigDump(5000, true, 1)) }

func BenchmarkParseDistinctFrames(b *testing.B) { benchmarkParse(b, bigDump(5000, false, 1)) }

func benchmarkParse(b *testing.B, text []byte) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		dumps, err := Parse(text)
		if err != nil || len(dumps) != 1 || len(dumps[0].Threads) != 5000 {
			b.Fatal(len(dumps), err)
		}
	}
}

// BenchmarkReadSeries reports what each dump of a series costs in memory when
// all of them are kept and their stacks are equal.
func BenchmarkReadSeries(b *testing.B) {
	const dumps = 8
	var text bytes.Buffer
	for number := range dumps {
		text.Write(bigDump(5000, true, number))
	}
	b.SetBytes(int64(text.Len()))
	var before, after runtime.MemStats
	for b.Loop() {
		r := NewReader(bytes.NewReader(text.Bytes()))
		first, err := r.Next()
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&before)
		kept := []*Dump{first}
		for d, err := r.Next(); err != io.EOF; d, err = r.Next() {
			kept = append(kept, d)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(kept)
		runtime.KeepAlive(r)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(dumps-1), "B/dump")
	}
}

// BenchmarkReadLog looks for dumps in a log that has none.
func BenchmarkReadLog(b *testing.B) {
	line := "2026-11-21 10:00:00,123 INFO  [http-nio-8080-exec-3] c.e.orders.OrderService - took order 4711 of " +
		"customer 17\n"
	log := bytes.Repeat([]byte(line), 100_000)
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		if _, err := Parse(log); err == nil {
			b.Fatal("found a dump")
		}
	}
}
