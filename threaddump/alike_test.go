package threaddump

import (
	"fmt"
	"strings"
	"testing"
)

// alikeDump is a JSON dump of n virtual threads that wait for one lock, of n that
// wait each for its own, and of a ring of two among those: each waits for what the
// other owns.
func alikeDump(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"threadDump":{"runtimeVersion":"25","threadContainers":[{"container":"<root>","threads":[`)
	add := func(id, owner int, object string) {
		fmt.Fprintf(&b, "%s\n"+`{"tid":"%d","virtual":true,"name":"v-%d","state":"WAITING",`+
			`"parkBlocker":{"object":"%s","owner":"%d"},"stack":["a.B.c(B.java:3)"]}`,
			strings.Repeat(",", min(1, id-1)), id, id, object, owner)
	}
	for i := 1; i <= n; i++ {
		add(i, 7, "a.Lock@1f")
	}
	for i := n + 1; i <= 2*n; i++ {
		owner := 0
		if i >= 2*n-1 {
			owner = 4*n - 1 - i
		}
		add(i, owner, fmt.Sprintf("a.Latch@%x", i))
	}
	b.WriteString("]}]}}")
	return []byte(b.String())
}

func TestAlikeThreadsAreCountedAndTheirOwnersListed(t *testing.T) {
	const n = 3000
	text := alikeDump(n)
	dumps, err := Parse(text, WithAlikeCounted())
	if err != nil || len(dumps) != 1 {
		t.Fatalf("%d dumps, %v", len(dumps), err)
	}
	total, listed := 0, map[int64]*Thread{}
	waiting := 0
	for _, th := range dumps[0].Threads {
		total += 1 + th.Alike
		listed[th.ID] = th
		if th.Locks[0].Class == "a.Lock" {
			waiting += 1 + th.Alike
		}
	}
	if total != 2*n || waiting != n {
		t.Errorf("%d threads, %d of them at the lock; want %d and %d", total, waiting, 2*n, n)
	}
	if len(listed) > listedAlike+listedAtPlace+3 {
		t.Errorf("%d threads are listed", len(listed))
	}
	for id, owner := range map[int64]int64{2*n - 1: 2 * n, 2 * n: 2*n - 1} {
		th := listed[id]
		if th == nil || th.Locks[0].Owner != owner || th.Name != fmt.Sprintf("v-%d", id) ||
			th.Stack[0].Name() != "a.B.c" {
			t.Errorf("thread %d, which another waits for: %+v", id, th)
		}
	}
	all, _ := Parse(text)
	if len(all[0].Threads) != 2*n {
		t.Errorf("without the option %d threads", len(all[0].Threads))
	}
}

// Small dumps read the same with the option.
func TestFewAlikeAreAllListed(t *testing.T) {
	for _, name := range []string{"jdk21/V-vdl-dump_to_file.json", "jdk25/V-vdl-dump_to_file.json",
		"jdk27/V-mon-dump_to_file.txt", "jdk25/V-pinned-dump_to_file.txt"} {
		text := read(t, "../testdata/dumps/"+name)
		plain, _ := Parse(text)
		with, err := Parse(text, WithAlikeCounted())
		if err != nil || describe(plain, nil) != describe(with, nil) {
			t.Errorf("%s: %v\n%s", name, err, describe(with, nil))
		}
	}
}
