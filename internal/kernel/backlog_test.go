package kernel

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"testing"
)

// A real listening socket of ours: one connection accepted, two left waiting.
func TestBacklogOfOurselves(t *testing.T) {
	server, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	var clients []net.Conn
	dial := func() { clients = append(clients, connect(t, server.Addr())) }
	r, pid := live(t), os.Getpid()
	port := netip.MustParseAddrPort(server.Addr().String()).Port()
	if (network{r, pid}).mayWait() {
		t.Log("connections wait at other sockets of this machine")
	}
	dial()
	if !(network{r, pid}).mayWait() {
		t.Error("one waits, and the kernel is not understood to say so")
	}
	accepted := accept(t, server)
	if at := backlogAt(r.Surroundings(pid), port); at != nil {
		t.Errorf("no connection waits, and it says %+v", *at)
	}
	send(t, clients[0], "GET")
	if at := backlogAt(r.Surroundings(pid), port); at == nil || at.Unread != 1 || at.Open != 1 || len(at.Pending) > 0 {
		t.Fatalf("no process has read what came, and it says %+v", at)
	}
	if _, err := accepted.Read(make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	dial()
	dial()
	at := backlogAt(r.Surroundings(pid), port)
	if at == nil || at.Open != 1 || len(at.Pending) != 2 {
		t.Fatalf("two wait behind one, and it says %+v", at)
	}
	for _, c := range clients[1:] {
		if peer := netip.MustParseAddrPort(c.LocalAddr().String()); !slices.Contains(at.Pending, peer) {
			t.Errorf("%s waits and is not among %v", peer, at.Pending)
		}
	}
}

func connect(t *testing.T, to net.Addr) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp4", to.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func send(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if _, err := c.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

func accept(t *testing.T, server net.Listener) net.Conn {
	t.Helper()
	c, err := server.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func backlogAt(f Files, port uint16) *Backlog {
	for _, b := range f.Backlogs() {
		if b.Port == port {
			return &b
		}
	}
	return nil
}

func TestBacklogsOfOthersAreNotOurs(t *testing.T) {
	rows := parseSocketRows(
		[]byte(`  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000001 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
   1: 0100007F:1F91 00000000:0000 0A 00000000:00000001 00:00000000 00000000  1000        0 12 1 0 100 0 0 10 0
   2: 0100007F:1F91 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 0 1 0 20 4 30 10 -1
   3: 0100007F:1F91 0100007F:D432 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0
   4: 0100007F:1F91 0100007F:D433 01 00000000:00000000 00:00000000 00000000  1000        0 13 1 0 20 4 30 10 -1
   5: 0100007F:1F91 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 0 1 0 20 4 30 10 -1
   6: 0100007F:1F91 0100007F:D433 01 00000000:00000000 00:00000000 00000000  1000        0 13 1 0 20 4 30 10 -1
`),
	) // 5 and 6 are 2 and 4 again, as the kernel has it where the table changes meanwhile
	all := backlogsOf(rows, map[string]bool{"12": true, "13": true})
	if len(all) != 1 || all[0].Port != 8081 || all[0].Open != 1 ||
		!slices.Equal(all[0].Pending, []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:54321")}) {
		t.Errorf("%+v", all)
	}
}

func FuzzBacklogs(f *testing.F) {
	f.Add([]byte("8080 1 127.0.0.1:54321 [::1]:4\n"),
		[]byte("   0: 0100007F:1F90 00000000:0000 0A 00000000:00000001 00:00000000 00000000  1000 0 11 1\n"))
	f.Add([]byte("8080 -1\n\n65536 0 x"), []byte("0: 0:0 0:0 0A 0:0 x x x x"))
	f.Fuzz(func(t *testing.T, lines, table []byte) {
		for _, b := range (Files{backlogs: lines}).Backlogs() {
			if b.Open < 0 {
				t.Errorf("%d open connections", b.Open)
			}
		}
		for _, b := range backlogsOf(parseSocketRows(table), map[string]bool{"11": true}) {
			if len(b.Pending) > mostPending {
				t.Errorf("%d named", len(b.Pending))
			}
		}
	})
}
