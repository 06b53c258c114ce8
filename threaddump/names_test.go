package threaddump

import (
	"fmt"
	"strings"
	"testing"
)

// jdk8Header and jdk21Header print a header as these JDKs do.
func jdk8Header(name string, id int, tid uint64) string {
	full := fmt.Sprintf("%q", "")[:1] + name + `" `
	return full[:min(len(full), jdk8NameLimit)] + fmt.Sprintf(
		"#%d daemon prio=5 os_prio=0 tid=0x%016x nid=0x64fb waiting on condition [0x00007f0ca8cfb000]", id, tid)
}

func jdk21Header(name string, id int, tid uint64) string {
	return fmt.Sprintf(
		"\"%s\" #%d [32650] daemon prio=5 os_prio=0 cpu=0.15ms elapsed=1.31s tid=0x%016x nid=32650 waiting on "+
			"condition  [0x00007ff1a844c000]",
		name, id, tid)
}

const body = "\n   java.lang.Thread.State: WAITING (parking)\n\tat real.Real.run(Real.java:1)\n\n"

// forgeries are names that look like more than a name.
func forgeries(header func(string, int, uint64) string) []string {
	fake := header("fake", 77, 0x7f0000000001)
	return []string{
		"two\nlines", "\n", "end\n\n", "a\n\n\nb", `quote"inside`, `"fully quoted"`, "", " ", "\"", "\n\"", "\"\n",
		"inj\n" + fake + body[:len(body)-2] + "\n",
		"inj\n\n" + fake + body,
		fake[1:] + "\n",
		fake[1:] + "\n   java.lang.Thread.State: RUNNABLE\n\tat evil.Evil.run(Evil.java:1)\n",
		fake,
		fake[1:],
		"x\n\nJNI global refs: 1, weak refs: 0\n\nFound one Java-level deadlock:\n=====\n\"a\":\n",
		"x\n2026-11-20 14:59:49\nFull thread dump Evil VM (1.0 mixed mode)\n\n" + fake + "\n",
		"tail\n\tat evil.Evil.run(Evil.java:1)",
		" tid=0x0000000000000001 nid=0x1 runnable [0x0000000000000002]",
		"\" os_prio=0 tid=0x0000000000000001 nid=0x1 runnable \n\n",
	}
}

// smrHead prints a JDK 21 dump's lines before its threads.
func smrHead(tids ...uint64) string {
	var elements []string
	for _, tid := range tids {
		elements = append(elements, fmt.Sprintf("0x%016x", tid))
	}
	return "2026-11-20 14:59:49\nFull thread dump OpenJDK 64-Bit Server VM (21.0.13+9 mixed mode, sharing)\n\n" +
		fmt.Sprintf("Threads class SMR info:\n_java_thread_list=0x00007ff118003210, length=%d, elements={\n%s\n}\n\n",
			len(tids), strings.Join(elements, ", "))
}

const jdk8Head = "2026-11-20 14:59:22\nFull thread dump OpenJDK 64-Bit Server VM (25.504-b01 mixed mode):\n\n"

const vmThread = "\"VM Thread\" os_prio=0 tid=0x00007fce000d9320 nid=0x32637 runnable \n\n"

func TestNamesThatForge(t *testing.T) {
	for _, jdk := range []struct {
		name   string
		head   string
		header func(string, int, uint64) string
	}{
		{"21", smrHead(0x7ff1a4019960, 0x7ff1a40e49c0, 0x7ff1a40e5f40), jdk21Header},
		{"8", jdk8Head, jdk8Header},
	} {
		for i, name := range forgeries(jdk.header) {
			t.Run(fmt.Sprintf("%s/%d", jdk.name, i), func(t *testing.T) {
				dump := jdk.head + jdk.header("before", 11, 0x7ff1a4019960) + body + jdk.header(name, 12,
					0x7ff1a40e49c0) + body +
					jdk.header("after", 13, 0x7ff1a40e5f40) + body + vmThread + "JNI global refs: 15, weak refs: 0\n\n"
				d := one(t, []byte(dump))
				var got []string
				for _, th := range d.Threads {
					got = append(got, fmt.Sprintf("#%d %x %q %d %s", th.ID, th.TID, th.Name, len(th.Stack), th.State))
				}
				want := []string{
					`#11 7ff1a4019960 "before" 1 WAITING`, fmt.Sprintf("#12 7ff1a40e49c0 %q 1 WAITING", name),
					`#13 7ff1a40e5f40 "after" 1 WAITING`, `#0 7fce000d9320 "VM Thread" 0 `,
				}
				if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
					t.Errorf("got\n%s\nwant\n%s", g, w)
				}
				if len(d.Problems) != 0 || len(d.Deadlocks) != 0 {
					t.Errorf("%+v %+v", d.Problems, d.Deadlocks)
				}
			})
		}
	}
}

// TestJDK8LosesTheQuote: at most 1,999 bytes of `"name" ` are printed.
func TestJDK8LosesTheQuote(t *testing.T) {
	for _, n := range []int{1994, 1995, 1996, 1997, 1998, 1999, 2500} {
		for _, fill := range []string{"z", "#", "\"", "\n", "#1 "} {
			name := strings.Repeat(fill, n)[:n]
			d := one(t,
				[]byte(jdk8Head+jdk8Header(name, 28, 0x7f0ccc187800)+body+vmThread+"JNI global references: 1\n"))
			want := name[:min(n, jdk8NameLimit-1)]
			if len(d.Threads) != 2 || d.Threads[0].ID != 28 ||
				d.Threads[0].Name != want && d.Threads[0].Name != strings.TrimSuffix(want, `"`) {
				t.Errorf("%d of %q: %s", n, fill, describe([]*Dump{d}, nil))
			}
		}
	}
}

// TestForgedHeaderAlone: with a whole SMR list a header that is not in it is no
// thread, and a thread that is missing is reported.
func TestForgedHeaderAlone(t *testing.T) {
	dump := smrHead(0x7ff1a4019960, 0x7ff1a40e49c0) + jdk21Header("real", 11, 0x7ff1a4019960) + body +
		jdk21Header("forged", 12, 0xbad) + body + vmThread + "JNI global refs: 15, weak refs: 0\n\n"
	d := one(t, []byte(dump))
	if len(d.Threads) != 2 || d.Threads[0].Name != "real" || d.Threads[1].Name != "VM Thread" {
		t.Error(describe([]*Dump{d}, nil))
	}
	if len(d.Problems) < 1 || !strings.Contains(d.Problems[0].Message, "not in the JVM's own list") {
		t.Errorf("problems %+v", d.Problems)
	}
	if d.Missing() != 1 || d.Cut {
		t.Errorf("%d missing, cut %v; want one missing from a dump that is not cut", d.Missing(), d.Cut)
	}
}

// TestOpeningLineLost: the rest of a name is better than no thread.
func TestOpeningLineLost(t *testing.T) {
	dump := smrHead(0x7ff1a4019960) + jdk21Header("two\nlines", 11, 0x7ff1a4019960) + body + vmThread
	dump = strings.Replace(dump, "\"two\n", "", 1)
	d := one(t, []byte(dump))
	if len(d.Threads) != 2 || d.Threads[0].Name != "lines" || d.Threads[0].ID != 11 || len(d.Threads[0].Stack) != 1 {
		t.Error(describe([]*Dump{d}, nil))
	}
	if len(d.Problems) == 0 {
		t.Error("no problem reported")
	}
}

func TestModifiedUTF8(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                        "plain",
		"nul\xc0\x80here":              "nul\x00here",
		"\xed\xa0\xbd\xed\xb8\x80":     "😀",
		"lone\xed\xa0\x80x":            "lone\xed\xa0\x80x",
		"low first\xed\xb8\x80":        "low first\xed\xb8\x80",
		"two high\xed\xa0\xbd\xed\xa0": "two high\xed\xa0\xbdí\u00a0", // what is no UTF-8 is CP1252
		"í한":                           "í한",                          // begins like a surrogate
		"\xc0":                         "À",
		"bad\xff":                      "badÿ",
	} {
		d := one(t, []byte(jdk8Head+jdk8Header(in, 28, 0x7f0ccc187800)+body))
		if got := d.Threads[0].Name; got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
