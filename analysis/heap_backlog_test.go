package analysis

import (
	"fmt"
	"strings"
	"testing"

	"jstall/threaddump"
)

// A queue without a bound grows where no dump shows who takes from it waiting for the next.
func TestHeapGrowthOfABacklog(t *testing.T) {
	fed := Bytecode{Read: 4, Calls: []string{"java.util.Queue.add", "java.util.Queue.poll"}, Fed: []string{"shop.Inbox.letters/shop.Inbox.next,shop.Clerk.run"}}
	others := fed
	others.Others = true
	sleeps := func(th *threaddump.Thread) { sleeping(th) }
	for _, test := range []struct {
		name   string
		code   Bytecode
		stack  part
		waits  int // the dump in which it waits, -1 for none
		frames []string
		want   string
	}{
		{"who sleeps", fed, sleeps, -1, []string{"!java.lang.Thread.sleep", "shop.Clerk.run"}, "heap-growth/warning/likely: a,c | "},
		{"who waits in the second dump", fed, sleeps, 1, []string{"!java.lang.Thread.sleep", "shop.Clerk.run"}, "heap-growth/info/possible: a | "},
		{"who does something else", fed, sleeps, -1, []string{"!java.lang.Thread.sleep", "shop.Cook.run"}, "heap-growth/info/possible: a | "},
		{"as far as some classes tell", others, sleeps, -1, []string{"!java.lang.Thread.sleep", "shop.Clerk.run"}, "heap-growth/info/possible: a | "},
	} {
		t.Run(test.name, func(t *testing.T) {
			look := filling(20*mb, 160*mb, 180*mb, 200*mb)
			for i := range look {
				look[i].Dump.Threads[0].Elapsed = lasting(8 + float64(i))
				consumer := thread(2, "c", at(test.frames...), used(0.1*float64(i), 8+float64(i)), test.stack)
				if i == test.waits {
					consumer = thread(2, "c", at("!java.lang.Object.wait", "shop.Inbox.next", "shop.Clerk.run"), used(0.1*float64(i), 8+float64(i)), waitingState)
				}
				look[i].Dump.Threads = append(look[i].Dump.Threads, consumer)
			}
			r := diagnose(append(look, Observation{Bytecode: &test.code})...)
			expect(t, r, test.want)
			const words = `Inbox.letters has no bound, by its class files (4 read), and "c", the only thread that takes from it, is not seen to wait for more`
			if told := strings.Contains(fmt.Sprint(r.Findings[0].Evidence), words); told != strings.Contains(test.want, "warning") {
				t.Errorf("evidence %v", r.Findings[0].Evidence)
			}
			if told := strings.HasSuffix(r.Findings[0].Title, "; Inbox.letters fills faster than it is emptied"); told != strings.Contains(test.want, "warning") {
				t.Errorf("title %q", r.Findings[0].Title)
			}
		})
	}
}
