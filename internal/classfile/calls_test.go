package classfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestWhatIsYetToBeCalled(t *testing.T) {
	source := `import java.util.concurrent.*;
class Shop {
	CountDownLatch latch;
	boolean busy;
	void close() {
		open();                     // 6
		latch.countDown();
		open();                     // 8
	}
	void serve() {
		try {
			open();                 // 12
		} finally {
			leave();
		}
	}
	void rounds() {
		while (true) {
			latch.countDown();
			open();                 // 20
		}
	}
	void season() {
		for (int i = 0; i < 9; i++)
			for (int k = 0; k < 9; k++)
				open();             // 26
		latch.countDown();
	}
	void inLine() {
		open(); latch.countDown();  // 30
	}
	void beat() throws Exception {
		while (busy) Thread.sleep(9); // 33
		end();
	}
	void forever() throws Exception {
		try {
			while (true) Thread.sleep(9); // 38
		} finally {
			latch.countDown();
		}
	}
	void toOther(Quay q) {
		open();                     // 44
		q.moor();
	}
	void open() {}
	void leave() { leave(); latch.countDown(); }
	void end() {}
	interface Quay { void moor(); }
	static class Pier implements Quay {
		CountDownLatch latch;
		public void moor() { latch.countDown(); }
	}
	static class Branch extends Shop {
		void end() { latch.countDown(); }
		void start() { open(); leave(); } // 57
	}
}
`
	var classes []*Class
	for _, text := range compile(t, source) {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		classes = append(classes, c)
	}
	calls := NewCalls(classes)
	for at, want := range map[string]string{
		"Shop close 6 open": "behind", "Shop close 7 gone": "", "Shop close 8 open": "", "Shop serve 12 open": "behind",
		"Shop rounds 20 open": "around", "Shop season 26 open": "behind", "Shop inLine 30 open": "behind", "Shop inLine 30 countDown": "",
		"Shop beat 33 sleep": "behind", "Shop forever 38 sleep": "", "Shop toOther 44 open": "behind", "Shop$Branch start 57 open": "behind",
		"Shop open 47 gone": "", "Shop gone 6 open": "", "Gone close 6 open": "", "Shop close 99 open": "",
	} {
		var p Place
		if _, err := fmt.Sscan(at, &p.Class, &p.Method, &p.Line, &p.Callee); err != nil {
			t.Fatal(err)
		}
		behind, around := calls.From(p)
		got := ""
		for i, all := range [][]string{behind, around} {
			if strings.Contains(strings.Join(all, " "), "CountDownLatch.countDown") {
				got += []string{"behind", "around"}[i]
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q; behind %q, around %q", at, got, want, behind, around)
		}
	}
	shop := classes[slices.IndexFunc(classes, func(c *Class) bool { return c.Name == "Shop" })]
	for range mostFollowed/len(shop.Methods) + 1 { // each method has one instruction at least
		classes = append(classes, shop)
	}
	if behind, around := NewCalls(classes).From(Place{"Shop", "close", 6, "open"}); behind != nil || around != nil {
		t.Errorf("%q, %q of more code than can be followed", behind, around)
	}
}
