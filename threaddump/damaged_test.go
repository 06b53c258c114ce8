package threaddump

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"testing"
	"testing/iotest"
)

// identities are the threads of a parse by what differs between them.
func identities(dumps []*Dump) map[string]bool {
	ids := map[string]bool{}
	for _, d := range dumps {
		for _, t := range d.Threads {
			ids[fmt.Sprintf("%q #%d %x %d", t.Name, t.ID, t.TID, t.NativeID)] = true
		}
	}
	return ids
}

// TestTruncatedAnywhere cuts dumps after each byte: no thread may come out that
// the whole dump does not have, and no line that the input does not have.
func TestTruncatedAnywhere(t *testing.T) {
	for _, name := range []string{
		"jdk8/mondl-threaddump-l.txt", "jdk21/V-pinned-threaddump-l.txt", "jdk27/V-pinned-threaddump-l.txt",
		"jdk27/V-pinned-dump_to_file.json", "jdk25/V-pinned-dump_to_file.txt", "jdk17/idle-jhsdb-jstack.txt",
	} {
		t.Run(name, func(t *testing.T) {
			b := read(t, "../testdata/dumps/"+name)
			whole, err := Parse(b)
			if err != nil {
				t.Fatal(err)
			}
			known := identities(whole)
			step := 1 + len(b)/4000 // every byte of the smaller ones
			for n := 0; n < len(b); n += step {
				dumps, _ := Parse(b[:n])
				for id := range identities(dumps) {
					if !known[id] {
						t.Fatalf("cut after %d bytes invents %s", n, id)
					}
				}
				checkLines(t, b[:n], dumps)
			}
		})
	}
}

// checkLines fails if a line number is not one of the input.
func checkLines(t *testing.T, b []byte, dumps []*Dump) {
	t.Helper()
	last := bytes.Count(b, []byte("\n")) + 1
	check := func(line int) {
		if line < 1 || line > last {
			t.Fatalf("line %d of %d", line, last)
		}
	}
	for _, d := range dumps {
		check(d.Line)
		for _, th := range d.Threads {
			check(th.Line)
			for _, l := range append(th.Locks, th.MountedLocks...) {
				check(l.Line)
			}
		}
		for _, p := range d.Problems {
			check(p.Line)
		}
		for _, dl := range d.Deadlocks {
			check(dl.Line)
			for _, m := range dl.Members {
				check(m.Line)
			}
		}
	}
}

func TestTruncationIsTold(t *testing.T) {
	b := read(t, "../testdata/dumps/jdk21/mondl-threaddump-l.txt")
	d := one(t, b[:len(b)/3])
	if len(d.Threads) < 3 || !d.Cut || d.Missing() == 0 {
		t.Fatal(describe([]*Dump{d}, nil))
	}
}

// TestEveryCutIsTold cuts dumps at many places, of lines or within: each such dump
// is cut, and no whole one is.
func TestEveryCutIsTold(t *testing.T) {
	for _, file := range fixtures(t) {
		if d, _ := Parse(read(t, file)); len(d) > 0 && d[0].Cut {
			t.Errorf("%s is whole and reported as cut", file)
		}
	}
	eachTextFixture(t, func(t *testing.T, file string, b []byte) {
		if strings.Contains(file, "oddnl") { // threads named like the sections of a dump
			return
		}
		first := bytes.Index(b, []byte("\n\"")) + 20
		end := bytes.LastIndex(b, []byte("\nJNI global")) + 1
		cutBetween(t, b, first, end)
		if report := bytes.Index(b[end:], []byte("\nFound one Java-level deadlock:\n")); report >= 0 {
			cutBetween(t, b, end+report+40, bytes.LastIndex(b, []byte("\nFound "))+1)
		}
	})
}

func cutBetween(t *testing.T, b []byte, from, to int) {
	for n := to; n > from; n -= 1 + (to-from)/37 {
		if d := one(t, b[:n]); !d.Cut {
			t.Errorf("cut behind %q and not reported", b[n-20:n])
		}
	}
}

// TestHeadLost: a log that was rotated in the middle of a dump.
func TestHeadLost(t *testing.T) {
	eachTextFixture(t, func(t *testing.T, file string, b []byte) {
		if strings.Contains(file, "oddnl") {
			return
		}
		want := one(t, b)
		cut := bytes.Index(b, []byte("\n\"")) + 1
		got := one(t, b[cut:])
		if len(got.Threads) != len(want.Threads) || len(got.Deadlocks) != len(want.Deadlocks) {
			t.Errorf("%d threads, want %d", len(got.Threads), len(want.Threads))
		}
		next := cut + bytes.Index(b[cut:], []byte("\n\n\"")) + 2
		if got := one(t, append([]byte("log\n\tat lost.Frame(Frame.java)\n\n"), b[next:]...)); len(got.Threads) != len(
			want.Threads,
		)-1 {
			t.Errorf("%d threads, want %d", len(got.Threads), len(want.Threads)-1)
		}
	})
}

// TestShuffledThreads: the order of the threads does not matter.
func TestShuffledThreads(t *testing.T) {
	eachTextFixture(t, func(t *testing.T, file string, b []byte) {
		if strings.Contains(file, "oddnl") || strings.Contains(file, "-l.txt") {
			return // empty lines separate blocks of threads here
		}
		blocks := strings.Split(string(b), "\n\n")
		var first, last int
		for i, block := range blocks {
			if strings.HasPrefix(block, `"`) && strings.Contains(block, tidText) {
				if last = i + 1; first == 0 {
					first = i
				}
			}
		}
		want := identities([]*Dump{one(t, b)})
		rand.New(rand.NewSource(1)).Shuffle(last-first, func(i, j int) {
			blocks[first+i], blocks[first+j] = blocks[first+j], blocks[first+i]
		})
		got := identities([]*Dump{one(t, []byte(strings.Join(blocks, "\n\n")))})
		if len(got) != len(want) {
			t.Errorf("%d threads, want %d", len(got), len(want))
		}
		for id := range got {
			if !want[id] {
				t.Errorf("invents %s", id)
			}
		}
	})
}

func TestReadErrorComesWithThePart(t *testing.T) {
	b := read(t, "../testdata/dumps/jdk21/mondl-threaddump-l.txt")
	broken := errors.New("disk on fire")
	r := NewReader(io.MultiReader(bytes.NewReader(b), bytes.NewReader(b[:len(b)/2]), iotest.ErrReader(broken)))
	if d, err := r.Next(); d == nil || err != nil {
		t.Fatal(d, err)
	}
	d, err := r.Next()
	if d == nil || len(d.Threads) < 5 || !errors.Is(err, broken) {
		t.Fatal(d, err)
	}
	if d, err := r.Next(); d != nil || !errors.Is(err, broken) {
		t.Error(d, err)
	}
	if d, err := NewReader(iotest.ErrReader(broken)).Next(); d != nil || !errors.Is(err, broken) ||
		errors.Is(err, ErrNoDump) {
		t.Error(d, err)
	}
}

func TestNoDump(t *testing.T) {
	binary := make([]byte, 1<<20)
	rand.New(rand.NewSource(1)).Read(binary)
	for input, want := range map[string]string{
		"":                                    "the input is empty",
		" \r\n\n":                             "the input is empty",
		string(binary):                        "the input is binary",
		"\x1f\x8b\x08":                        "compressed with gzip",
		"\xff\xfe2\x00":                       `1 line of other text that begins "2"`,
		"-1\nOperation bogus not recognized!": `refusal of an attach command: "Operation bogus not recognized!"`,
		"101\n":                               "refusal of the attach protocol",
		"#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n": "hs_err",
		" num     #instances         #bytes  class name (module)\n":                  "heap histogram",
		"java.lang.RuntimeException: x\n\tat a.B.c(B.java:1)\n":                      "stack traces",
		"hello\nworld\n": `2 lines of other text that begins "hello"`,
		"taking a Full thread dump now\nFull thread dump\nFull thread dump of (x)y\n": "other text",
		"{\"threadDump\"":  "other text",
		"{\"a\": \"b\"}\n": "other text",
	} {
		dumps, err := Parse([]byte(input))
		if len(dumps) != 0 || !errors.Is(err, ErrNoDump) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %d dumps, error %v", input, len(dumps), err)
		}
		if _, err := NewReader(strings.NewReader(input)).Next(); !errors.Is(err, ErrNoDump) {
			t.Errorf("%.40q: error %v", input, err)
		}
	}
}

func TestDumpWithoutThreads(t *testing.T) {
	d := one(
		t,
		text("Full thread dump OpenJDK 64-Bit Server VM (21.0.13+9 mixed mode, sharing):", "",
			"JNI global refs: 0, weak refs: 0"),
	)
	if d.JVM != "OpenJDK 64-Bit Server VM" || d.Version != "21.0.13+9" || d.Mode != "mixed mode, sharing" ||
		len(d.Threads) != 0 ||
		len(d.Problems) != 0 {
		t.Errorf("%+v", d)
	}
}

// TestLongLines: neither a line of many megabytes nor many odd ones cost much.
func TestLongLines(t *testing.T) {
	long := append(bytes.Repeat([]byte{'x'}, 5<<20), '\n')
	b := read(t, "../testdata/dumps/jdk21/idle-threaddump-l.txt")
	src := newSource(io.MultiReader(bytes.NewReader(long), bytes.NewReader(b), bytes.NewReader(long)))
	src.max = 1 << 20
	r := newReader(src, nil)
	d, err := r.Next()
	if err != nil || len(d.Threads) == 0 || d.Line != 3 {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Error(err)
	}
	if p := r.Problems(); len(p) != 2 || p[0].Line != 1 || !strings.Contains(p[0].Message, "cut after") {
		t.Errorf("%+v", p)
	}
}

// TestManyOddLines would take minutes if each were looked at on its own.
func TestManyOddLines(t *testing.T) {
	dump := smrHead(0x7ff1a4019960, 0x7ff1a40e49c0) + jdk21Header("real", 11, 0x7ff1a4019960) + body
	odd := strings.Repeat("\"key\": \"a value of some length, as in JSON\"\n\n", 200_000)
	d := one(t, []byte(dump+odd))
	if len(d.Threads) != 1 || len(d.Problems) == 0 || len(d.Problems) > maxProblems {
		t.Errorf("%d threads, %d problems", len(d.Threads), len(d.Problems))
	}
}
