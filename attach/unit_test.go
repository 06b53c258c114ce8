package attach

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

func TestRequestBytes(t *testing.T) {
	tests := []struct {
		cmd    Command
		v1, v2 string
	}{
		{
			ThreadDump(8, true), "1\x00threaddump\x00-l\x00\x00\x00",
			"2\x0028\x00threaddump streaming=0\x00-l\x00\x00\x00",
		},
		{ThreadDump(8, false), "1\x00threaddump\x00\x00\x00\x00", "2\x0026\x00threaddump streaming=0\x00\x00\x00\x00"},
		{ThreadDump(0, true), "1\x00threaddump\x00-l\x00\x00\x00", ""},
		{ThreadDump(11, false), "1\x00threaddump\x00-e\x00\x00\x00", ""},
		{
			ThreadDump(26, true), "1\x00threaddump\x00-l -e\x00\x00\x00",
			"2\x0031\x00threaddump streaming=0\x00-l -e\x00\x00\x00",
		},
		{PlainThreadDump(), "1\x00threaddump\x00\x00\x00\x00", ""},
		{Jcmd("VM.uptime", "GC.heap_info"), "1\x00jcmd\x00VM.uptime\nGC.heap_info\x00\x00\x00", ""},
		{Command{name: "load", args: []string{"a", "b", "c"}}, "1\x00load\x00a\x00b\x00c\x00", ""},
	}
	for _, test := range tests {
		if got, err := test.cmd.encodeV1(); string(got) != test.v1 || err != nil {
			t.Errorf("%v in version 1: %q, %v; want %q", test.cmd, got, err, test.v1)
		}
		got, err := test.cmd.encodeV2()
		if test.v2 != "" && string(got) != test.v2 || err != nil {
			t.Errorf("%v in version 2: %q, %v; want %q", test.cmd, got, err, test.v2)
		}
		length, payload, _ := bytes.Cut(got[2:], []byte{0})
		if string(length) != strconv.Itoa(len(payload)) {
			t.Errorf("length %s of %d bytes", length, len(payload))
		}
	}
}

func TestRequestLimits(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	fits := []Command{{name: long(16)}, {name: "jcmd", args: []string{long(1024)}}}
	tooLong := []Command{
		{name: long(17)}, {name: "jcmd", args: []string{long(1025)}}, {name: "a", args: make([]string, 4)},
	}
	for _, cmd := range fits {
		if _, err := cmd.encodeV1(); err != nil {
			t.Error(err)
		}
	}
	for _, cmd := range tooLong {
		if b, err := cmd.encodeV1(); err == nil {
			t.Errorf("version 1 takes %.40q", b)
		}
		if _, err := cmd.encodeV2(); err != nil {
			t.Error(err)
		}
	}
	if _, err := Jcmd(long(maxPayloadV2)).encodeV2(); err == nil {
		t.Error("version 2 takes any length")
	}
	for _, cmd := range []Command{{}, {name: "a\x00b"}, Jcmd("VM.uptime\x00")} {
		if cmd.check() == nil {
			t.Errorf("%q can be sent", cmd.name)
		}
	}
}

func TestSplitStatus(t *testing.T) {
	good := map[string]struct {
		status int
		body   string
	}{
		"0\n":                  {0, ""},
		"0\n2 streaming":       {0, "2 streaming"},
		"101\n":                {101, ""},
		"101\nunknown version": {101, "unknown version"},
		"-1\nOperation x\n":    {-1, "Operation x\n"},
		"-2147483648\n\n":      {-2147483648, "\n"},
	}
	for sent, want := range good {
		status, body, err := splitStatus([]byte(sent))
		if status != want.status || string(body) != want.body || err != nil {
			t.Errorf("%q: %d, %q, %v", sent, status, body, err)
		}
	}
	for _, sent := range []string{"", "\n", "0", "-", "-\n", "--1\n", "+1\n", "0 \n", " 0\n", "0\r\n", "0x1\n",
		"1-\n", "123456789012\n", "OK\n"} {
		if status, body, err := splitStatus([]byte(sent)); err == nil {
			t.Errorf("%q: %d, %q", sent, status, body)
		}
	}
}

// unheard is given what of an answer is there, and does nothing.
func unheard([]byte) {}

func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{"", "0\n", "0\n2", "0\n2 streaming", "101\n",
		"-1\nOperation bogus not recognized!", "0", "-", "x\n", "00\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		read, err := readAll(iotest.OneByteReader(bytes.NewReader(sent)), makeRoom(0), int64(len(sent)), unheard)
		if err != nil || !bytes.Equal(read, sent) {
			t.Fatalf("read %q, %v of %q", read, err, sent)
		}
		status, body, err := splitStatus(read)
		if err != nil {
			return
		}
		line, rest, ended := bytes.Cut(sent, []byte("\n"))
		if n, err := strconv.Atoi(string(line)); n != status || err != nil || !ended || !bytes.Equal(rest, body) {
			t.Fatalf("%q became %d and %q", sent, status, body)
		}
		(&Answer{Status: status, Body: body}).namesStreaming()
	})
}

func TestReadAll(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 3*firstRead+7)
	if b, err := readAll(iotest.HalfReader(bytes.NewReader(long)), makeRoom(0), 1<<20, unheard); !bytes.Equal(b,
		long) ||
		err != nil {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if b, err := readAll(iotest.HalfReader(bytes.NewReader(long)), makeRoom(len(long)/perThread+1), 1<<20,
		unheard); !bytes.Equal(
		b, long) ||
		err != nil {
		t.Errorf("with room for all: %d bytes, %v", len(b), err)
	}
	if b, err := readAll(bytes.NewReader(long), makeRoom(0), int64(len(long))-1, unheard); !errors.Is(err,
		errTooLarge) ||
		len(b) == 0 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	broken := io.MultiReader(strings.NewReader("0\nFull"), iotest.ErrReader(io.ErrClosedPipe))
	if b, err := readAll(broken, makeRoom(0), 1<<20, unheard); string(b) != "0\nFull" ||
		!errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%q, %v", b, err)
	}
}

func TestNamesStreaming(t *testing.T) {
	for body, want := range map[string]bool{"2 streaming": true, "2 streaming\n": true, "2 other streaming": true,
		"2": false, "2 streaming=1": false, "1 streaming": false, "3 streaming": false, "streaming": false} {
		if got := (&Answer{Body: []byte(body)}).namesStreaming(); got != want {
			t.Errorf("%q: %v", body, got)
		}
	}
	if (&Answer{Status: -1, Body: []byte("2 streaming")}).namesStreaming() {
		t.Error("a failed answer names streaming")
	}
}

const statusText = "Name:\tjava\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t71\nPid:\t71\nTracerPid:\t0\n" +
	"Uid:\t1000\t1001\t1002\t1003\nGid:\t1\t2\t3\t4\nGroups:\t4 24 27 \nNStgid:\t71\t7\t1\nNSpid:\t71\t7\t1\n" +
	"SigCgt:\t2000000181005ccf\nCapEff:\t00000000a80425fb\n"

func TestParseStatus(t *testing.T) {
	s, err := parseStatus([]byte(statusText))
	if err != nil {
		t.Fatal(err)
	}
	if s.letter() != 'S' || s.tgid != 71 || s.uid != 1001 || s.gid != 2 || s.nspid != 1 ||
		!slices.Equal(s.groups, []uint32{4, 24, 27}) || s.caught&sigquit == 0 || s.effCaps != 0xa80425fb {
		t.Errorf("%+v", s)
	}
	for _, bad := range []string{"", "Name:\tjava\n", "State:\tS\nUid:\t1\t2\n", "State:\tS\nUid:\tx\tx\tx\tx\n",
		"State:\tS\nSigCgt:\tzz\n"} {
		if s, err := parseStatus([]byte(bad)); err == nil {
			t.Errorf("%q became %+v", bad, s)
		}
	}
	if (status{}).letter() != 0 {
		t.Error("a state without text")
	}
}

func TestParseStartTime(t *testing.T) {
	const tail = " S 1 2 3 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 19 0 567890 123456 789\n"
	for _, name := range []string{"java", "a b", ") (", "x) R 1"} {
		start, err := parseStartTime([]byte("71 (" + name + ")" + tail))
		if start != 567890 || err != nil {
			t.Errorf("%q: %d, %v", name, start, err)
		}
	}
	for _, bad := range []string{"", "71 java S 1", "71 (java) S 1 2", ")"} {
		if start, err := parseStartTime([]byte(bad)); err == nil {
			t.Errorf("%q: %d", bad, start)
		}
	}
}

func TestMappedRuntime(t *testing.T) {
	line := func(file string) string {
		return "7f00-7f01 r-xp 00000000 08:01 42                         " + file + "\n"
	}
	for maps, want := range map[string]runtime{
		"":                        noJVM,
		line("") + line("[heap]"): noJVM,
		line("/usr/lib/jvm/lib/server/libjvm.so"):          hotspot,
		line("/a b/libjvm.so (deleted)"):                   hotspot,
		line("/x/notlibjvm.so") + line("/libjvm.so.debug"): noJVM,
		line("/libjvm.so/other.so"):                        noJVM,
		line("/j9/libjvm.so") + line("/d/libj9vm29.so"):    openJ9,
	} {
		if got := mappedRuntime([]byte(maps)); got != want {
			t.Errorf("%q: %s, want %s", maps, got, want)
		}
	}
}

func TestFreezerFiles(t *testing.T) {
	got := freezerFiles([]byte("8:cpu:/c\n7:freezer:/docker/a:b\n0::/user.slice\nbroken\n"))
	want := []freezerFile{
		{"/sys/fs/cgroup/freezer/docker/a:b/freezer.state", "FROZEN"},
		{"/sys/fs/cgroup/user.slice/cgroup.events", "frozen 1"},
		{"/sys/fs/cgroup/unified/user.slice/cgroup.events", "frozen 1"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestCountConnections(t *testing.T) {
	const list = "Num       RefCount Protocol Flags    Type St Inode Path\n" +
		"0000000000000000: 00000002 00000000 00010000 0001 01 28562 /tmp/.java_pid7.tmp\n" +
		"0000000000000000: 00000003 00000000 00000000 0001 03 28563 /tmp/.java_pid7.tmp\n" +
		"0000000000000000: 00000003 00000000 00000000 0001 02     0 /tmp/.java_pid7.tmp\n" +
		"0000000000000000: 00000003 00000000 00000000 0001 03 28565 /tmp/.java_pid77.tmp\n" +
		"0000000000000000: 00000003 00000000 00000000 0001 03 28566 /a/tmp/.java_pid7.tmp\n" +
		"0000000000000000: 00000003 00000000 00000000 0001 03 28564\n"
	if n := countConnections([]byte(list), "/tmp/.java_pid7.tmp"); n != 2 {
		t.Errorf("%d connections, want 2", n)
	}
}

func TestAttachDisabled(t *testing.T) {
	const off, on = "-XX:+DisableAttachMechanism", "-XX:-DisableAttachMechanism"
	zero := func(words ...string) string { return strings.Join(words, "\x00") + "\x00" }
	tests := []struct {
		cmdline, environ string
		disabled         bool
		where            string
	}{
		{zero("java", "Main"), "", false, ""},
		{zero("java", off, "Main"), "", true, "the command line"},
		{zero("java", off, on, "Main"), "", false, ""},
		{zero("java", on, off, "Main"), "", true, "the command line"},
		{zero("java", "Main", off), "", false, ""},
		{zero("java", "-jar", "a.jar", off), "", false, ""},
		{zero("java", "-m", "a/b", off), "", false, ""},
		{zero("java", "-cp", "a:b", off, "Main"), "", true, "the command line"},
		{zero("java", "@options", off, "Main"), "", true, "the command line"},
		{zero("java", "-cp"), "", false, ""},
		{"", "", false, ""},
		{zero("java", "Main"), zero("A=b", "JAVA_TOOL_OPTIONS=-Xmx1g "+off), true, "JAVA_TOOL_OPTIONS"},
		{zero("java", on, "Main"), zero("JAVA_TOOL_OPTIONS=" + off), false, ""},
		{zero("java", "Main"), zero("JDK_JAVA_OPTIONS='" + off + "'"), true, "JDK_JAVA_OPTIONS"},
		{zero("java", on, "Main"), zero("_JAVA_OPTIONS=" + off), true, "_JAVA_OPTIONS"},
		{zero("java", "Main"), zero("MY_JAVA_TOOL_OPTIONS=" + off), false, ""},
	}
	for _, test := range tests {
		disabled, where := attachDisabled([]byte(test.cmdline), []byte(test.environ))
		if disabled != test.disabled || where != test.where {
			t.Errorf("%q with %q: %v in %q", test.cmdline, test.environ, disabled, where)
		}
	}
}

func TestSwitchedOff(t *testing.T) {
	const off, on = "-XX:+DisableAttachMechanism", "-XX:-DisableAttachMechanism"
	for _, test := range []struct {
		options   []string
		off, told bool
	}{
		{nil, false, false}, {[]string{"-Xmx1g"}, false, false},
		{[]string{off}, true, true}, {[]string{off, on}, false, true}, {[]string{on, off, "-ea"}, true, true},
	} {
		if off, told := switchedOff(test.options); off != test.off || told != test.told {
			t.Errorf("%q: %v, known %v", test.options, off, told)
		}
	}
}

func TestMark(t *testing.T) {
	m := mark{4026531836, identity{71, 567890}}
	if got, ok := parseMark([]byte(m.text())); !ok || got != m {
		t.Errorf("%q became %v, %v", m.text(), got, ok)
	}
	for _, other := range []string{"", "jstall", m.text()[1:], m.text() + "x", m.text()[:len(m.text())-2],
		strings.Replace(m.text(), "71", "-", 1)} {
		if got, ok := parseMark([]byte(other)); ok {
			t.Errorf("%q became %v", other, got)
		}
	}
}
