package diagcmd

import (
	"strings"
	"testing"
)

func TestHeapInfoOfEveryCollector(t *testing.T) {
	const kb, mb = int64(1 << 10), int64(1 << 20)
	for _, c := range []struct {
		name, text string
		used       int64
	}{
		{"G1 17", " garbage-first heap   total 387072K, used 1024K [0x0000000687400000, 0x0000000800000000)\n" +
			"  region size 1024K, 2 young (2048K), 0 survivors (0K)\n" +
			" Metaspace       used 3453K, capacity 4486K, committed 4864K, reserved 1056768K\n" +
			"  class space    used 298K, capacity 386K, committed 512K, reserved 1048576K\n", 1024 * kb},
		{"G1 26", "garbage-first heap   total reserved 6172672K, committed 12288K, used 1496K " +
			"[0x0000000687400000, 0x0000000800000000)\n" +
			" region size 4M, 1 eden (4M), 0 survivor (0M), 1 old (4M), 0 humongous (0M), 1 free (4M)\n",
			1496 * kb},
		{"Serial 21", " def new generation   total 116160K, used 10329K [0x0, 0x1, 0x2)\n" +
			"  eden space 103296K,  10% used [0x0, 0x1, 0x2)\n" +
			" tenured generation   total 258048K, used 1074K [0x0, 0x1, 0x2)\n" +
			"   the space 258048K,   0% used [0x0, 0x1, 0x2, 0x3)\n" +
			" Metaspace       used 81K, committed 320K, reserved 1114112K\n", 11403 * kb},
		{"Parallel 26", "PSYoungGen      total 2048K, used 155K [0x0, 0x1, 0x2)\n" +
			" eden space 1536K, 10% used [0x0,0x1,0x2)\nParOldGen       total 5632K, used 1168K [0x0, 0x1, 0x2)\n" +
			" object space 5632K, 20% used [0x0,0x1,0x2)\n", 1323 * kb},
		{"CMS 8", " par new generation   total 116160K, used 6198K [0x0, 0x1, 0x2)\n" +
			" concurrent mark-sweep generation total 258048K, used 7K [0x0, 0x1, 0x2)\n" +
			" Metaspace       used 2792K, capacity 4486K, committed 4864K, reserved 1056768K\n", 6205 * kb},
		{"ZGC 26", "ZHeap            used 4M, capacity 8M, max capacity 6028M\n Cache           4M (1)\n" +
			"  size classes   4M (1)\n", 4 * mb},
		{"Epsilon 21", "Epsilon Heap\nAllocation space:\n space 385692K,   0% used [0x100, 0x300, 0x200000)\n", 512},
		{"Shenandoah 21", "Shenandoah Heap\n 6028M max, 6028M soft max, 378M committed, 12288K used\n" +
			" 3014 x 2048K regions\nStatus: not cancelled\n", 12 * mb},
	} {
		if got := ParseHeapInfo(c.text).Used; !got.Known || got.Value != c.used {
			t.Errorf("%s: %+v, want %d", c.name, got, c.used)
		}
		want, _, _ := strings.Cut(c.name, " ")
		if got := ParseHeapInfo(c.text).Collector; got != want {
			t.Errorf("%s: collector %q", c.name, got)
		}
	}
	for _, text := range []string{"", "used", "a total used", " total x, used y",
		"java.lang.IllegalArgumentException: Unknown diagnostic command"} {
		if got := ParseHeapInfo(text).Used; got.Known {
			t.Errorf("%q gave %+v", text, got)
		}
	}
}

func TestCodeCache(t *testing.T) {
	const kb = int64(1 << 10)
	segmented := "CodeHeap 'non-profiled nmethods': size=1000Kb used=16Kb max_used=16Kb free=984Kb\n" +
		" bounds [0x0, 0x1, 0x2]\n" +
		"CodeHeap 'profiled nmethods': size=2000Kb used=1500Kb max_used=1500Kb free=500Kb\n" +
		" total_blobs=312 nmethods=78 adapters=148\n compilation: enabled\n"
	got := ParseCodeCache(segmented)
	if got.Size != known(3000*kb) || got.Used != known(1516*kb) || got.Fullest != known(0.75) || got.Disabled != "" {
		t.Errorf("segmented: %+v", got)
	}
	got = ParseCodeCache(
		"CodeCache: size=3072Kb used=3071Kb max_used=3071Kb free=1Kb\n bounds [0x0, 0x1, 0x2]\n" +
			" compilation: disabled (not enough contiguous free space left)\n full_count=1\n")
	if got.Size != known(3072*kb) || got.Disabled != "not enough contiguous free space left" {
		t.Errorf("17, full: %+v", got)
	}
	got = ParseCodeCache(
		"CodeHeap 'x': size=10Kb used=1Kb max_used=1Kb free=9Kb\n" +
			"CodeCache: size=245760Kb, used=1247Kb, max_used=1247Kb, free=244510Kb\n" +
			" total_blobs=303, nmethods=4, adapters=206, full_count=0\n" +
			"Compilation: disabled (interpreter mode), stopped_count=0\n")
	if got.Size != known(245760*kb) || got.Used != known(1247*kb) || got.Disabled != "" {
		t.Errorf("21, interpreted: %+v", got)
	}
	if got := ParseCodeCache("Unknown diagnostic command"); got != (CodeCache{}) {
		t.Errorf("no answer: %+v", got)
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add("CodeCache: size=3072Kb used=9223372036854775807Gb\n total used 1K")
	f.Fuzz(func(t *testing.T, text string) {
		if h := ParseHeapInfo(text); !h.Used.Known && h.Used.Value != 0 {
			t.Errorf("unknown and %d", h.Used.Value)
		}
		if c := ParseCodeCache(text); c.Fullest.Known && !c.Size.Known {
			t.Errorf("%+v", c)
		}
	})
}

func TestClassLoadersByTheirClass(t *testing.T) {
	got := ParseClassLoaders(
		"ClassLoader         Parent              CLD*               Classes   ChunkSz   BlockSz  Type\n" +
			"0x01  0x02  0x03       1      1280       618  app.Loader\n" +
			"0x04  0x02  0x03       2      1280       618  app.Loader\n" +
			"0x08  0x02  0x03       2      1280       618  app.Loader\n" +
			"0x09  0x02  0x03       0      1280       618  app.Loader\n" +
			"0x0a  0x02  0x03       0      1280       618  app.Loader\n" +
			"0x0b  0x02  0x03       0      1280       618  app.Loader\n" +
			"                                          7      1280       618   + hidden classes\n" +
			"0x05  0x00  0x03       x      1280       618  app.Other\n" +
			"0x0000000000000000  0x0000000000000000  0x07     431      1280       618  <boot class loader>\n" +
			"Total = 331                                                    989    978816    291757\n",
	)
	if want := (LoaderKind{Loaders: 6, Classes: 5, Alike: 2}); len(got) != 1 || got["app.Loader"] != want {
		t.Errorf("got %v", got)
	}
}
