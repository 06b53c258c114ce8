package threaddump

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
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

// variedDump prints a dump of a server with many kinds of work: pools of several names, stacks of 4 to 60 frames of
// which a part is the same in all threads of a pool, and a few that no other thread has, locks, states and CPU times.
func variedDump(threads, number int) []byte {
	random := rand.New(rand.NewPCG(uint64(number), 2))
	var b bytes.Buffer
	fmt.Fprintf(&b, "2026-11-20 14:%02d:%02d\nFull thread dump OpenJDK 64-Bit Server VM (21.0.13+9-LTS mixed mode, "+
		"sharing):\n\n", number/60%60, number%60)
	for i := range threads {
		pool := i % 37
		state, condition := "WAITING (parking)", "waiting on condition"
		switch pool % 5 {
		case 1:
			state, condition = "RUNNABLE", "runnable"
		case 2:
			state, condition = "BLOCKED (on object monitor)", "waiting for monitor entry"
		case 3:
			state, condition = "TIMED_WAITING (on object monitor)", "in Object.wait()"
		}
		fmt.Fprintf(&b, "\"pool-%d-thread-%d\" #%d [%d] daemon prio=5 os_prio=0 cpu=%d.%02dms elapsed=%d.31s "+
			"tid=0x%016x nid=%d %s  [0x%016x]\n   java.lang.Thread.State: %s\n", pool, i/37, 30+i, 32650+i,
			random.IntN(90000), i%100, 100+number, 0x7ff1a4000000+0x1230*uint64(i), 32650+i, condition,
			0x7ff1a0000000+uint64(i)<<16, state)
		kind := random.IntN(12) // of work that a thread of the pool does now
		for level := range 4 + (pool*7+kind*5)%57 {
			line := 10 + (pool*31+level*17)%900
			switch {
			case level < 3:
				fmt.Fprintf(&b, "\tat java.util.concurrent.locks.LockSupport.park%d"+
					"(java.base@21.0.13/LockSupport.java:%d)\n", pool%5, 200+level)
			case level == 5+kind && random.IntN(4) == 0:
				fmt.Fprintf(&b, "\tat com.example.generated.Mapper$$Lambda/0x%016x.apply(Unknown Source)\n",
					0x7ff130000a08+random.IntN(4000))
			default:
				fmt.Fprintf(&b, "\tat com.example.service%d.Handler%d.handle%d(Handler%d.java:%d)\n", pool, kind, level,
					kind, line)
			}
			if level == 0 && pool%5 != 1 {
				fmt.Fprintf(&b, "\t- parking to wait for  <0x%016x> "+
					"(a java.util.concurrent.locks.ReentrantLock$NonfairSync)\n", 0x69ec00000+64*random.IntN(5000))
			}
			if level == 7 {
				fmt.Fprintf(&b, "\t- locked <0x%016x> (a com.example.service%d.Session)\n", 0x6a0c00000+64*i, pool)
			}
		}
		b.WriteString("\n   Locked ownable synchronizers:\n\t- None\n\n")
	}
	b.WriteString("JNI global refs: 15, weak refs: 0\n\n")
	return b.Bytes()
}

// BenchmarkParseVaried reads different dumps of one server: each as a text, and all as one stream.
func BenchmarkParseVaried(b *testing.B) {
	var texts [][]byte
	for number := range 10 {
		texts = append(texts, variedDump(5000, number))
	}
	all := bytes.Join(texts, nil)
	b.Run("texts", func(b *testing.B) {
		b.SetBytes(int64(len(all)))
		b.ReportAllocs()
		for b.Loop() {
			for _, text := range texts {
				if dumps, err := Parse(text); err != nil || len(dumps[0].Threads) != 5000 {
					b.Fatal(len(dumps), err)
				}
			}
		}
	})
	b.Run("stream", func(b *testing.B) {
		b.SetBytes(int64(len(all)))
		b.ReportAllocs()
		for b.Loop() {
			r, n := NewReader(bytes.NewReader(all)), 0
			for d, err := r.Next(); err == nil; d, err = r.Next() {
				n += len(d.Threads)
			}
			if n != 10*5000 {
				b.Fatal(n)
			}
		}
	})
}
