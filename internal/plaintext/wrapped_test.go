package plaintext

import (
	"io"
	"strings"
	"testing"
)

func plain(t *testing.T, text string) (string, *Reader) {
	t.Helper()
	r := NewReader(strings.NewReader(text))
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), r
}

func TestWrappedLinesArePutTogether(t *testing.T) {
	for _, test := range []struct{ wrapped, want string }{
		{
			"\"a b\" #14 daemon prio=9 os_prio=0 tid=0x00007fe3c0001000\n" +
				"nid=0x6395 waiting on condition [0x0000000000000000]\n",
			"\"a b\" #14 daemon prio=9 os_prio=0 tid=0x00007fe3c0001000 " +
				"nid=0x6395 waiting on condition [0x0000000000000000]\n",
		},
		{
			"\"a\" #1 prio=5 os_prio=0 tid=0x00007f nid=0x1 waiting on\n" +
				"condition [0x0]\n   java.lang.Thread.State: WAITING (on object\nmonitor)\n",
			"\"a\" #1 prio=5 os_prio=0 tid=0x00007f nid=0x1 waiting on condition [0x0]\n" +
				"   java.lang.Thread.State: WAITING (on object monitor)\n",
		},
		{
			"\tat a.b.C.d(\nC.java:7)\n\t- waiting to lock <0x01> (a\na.b.C)\n",
			"\tat a.b.C.d(C.java:7)\n\t- waiting to lock <0x01> (a a.b.C)\n",
		},
		{
			"Full thread dump OpenJDK 64-Bit Server VM (25.504-b08 mixed mode,\nsharing):\n",
			"Full thread dump OpenJDK 64-Bit Server VM (25.504-b08 mixed mode, sharing):\n",
		},
	} {
		if got, _ := plain(t, test.wrapped); got != test.want {
			t.Errorf("%q is %q, want %q", test.wrapped, got, test.want)
		}
	}
}
