package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/threaddump"
)

// sectionName is a name as a virtual section has it.
func sectionName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r < ' ' || r == '\\' {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Names and containers of virtual threads lose the same secrets as names of platform threads; the section stays one.
func TestVirtualSectionsLoseTheirSecrets(t *testing.T) {
	const list = "0x00007f3c1c002a40"
	rules, err := redact.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	r := redact.New(rules, []byte("key"))
	r.Know("user", "mallory")
	for _, c := range []struct{ name, secret string }{
		{"mail to alice@example.com", "alice@example.com"},
		{"jdbc:mysql://bob:hunter2@db7.acme.internal/orders", "hunter2"},
		{"jdbc:mysql://bob:hunter2@db7.acme.internal/orders", "db7.acme.internal"},
		{"token=ghp_0123456789abcdefghijklmnopqrstuvwxyz", "ghp_0123456789"},
		{"job of mallory", "mallory"},
		{"first line\npassword=hunter2 rest", "hunter2"},
		{`read /home/alice/a\b.csv`, "alice"},
		{"from 10.20.30.41:5432", "10.20.30.41"},
		{`quoted " #5 virtual PARKED, password=hunter2`, "hunter2"},
	} {
		name := sectionName(c.name)
		section := "Virtual threads of " + list + ": 1 found, 1 read\n\n\"" + name + "\" #4711 virtual PARKED\n" +
			"   Container: " + name + "@0x000000069ec00000\n   java.lang.Thread.State: WAITING (parking)\n" +
			"\tat java.lang.VirtualThread.park(java.base@25.0.5/VirtualThread.java:664)\n" +
			"\t- parking to wait for  <0x000000069ec17bc0> (a com.acme.Latch$Sync) owned by #35\n" +
			"\nVirtual threads end\n"
		text := string(r.Text([]byte(section)))
		d, err := threaddump.ParseVirtual([]byte(text))
		if err != nil || d == nil || len(d.Threads) != 1 || len(d.Problems) > 0 {
			t.Fatalf("%q: %v in\n%s", c.name, err, text)
		}
		v := d.Threads[0]
		if strings.Contains(text, c.secret) || v.ID != 4711 || len(v.Locks) != 1 || v.Locks[0].Owner != 35 ||
			len(v.Stack) != 1 {
			t.Errorf("%q stays:\n%s", c.secret, text)
		}
		platform := string(r.Text([]byte("\"" + c.name + "\" #12 prio=5 os_prio=0 tid=0x1 nid=2 runnable")))
		if want, _, _ := strings.Cut(strings.TrimPrefix(platform, `"`), `" #12 prio`); v.Name != want {
			t.Errorf("%q: the virtual thread is %q, a platform thread %q", c.name, v.Name, want)
		}
		if v.Container == "" || strings.Contains(v.Container, c.secret) {
			t.Errorf("%q: the container is %q", c.name, v.Container)
		}
	}
}
