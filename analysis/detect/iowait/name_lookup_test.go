package iowait_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

// A name lookup that lasts through the capture is the fault of the name servers. One that ends is no problem, and
// neither is a thread that looks up names all the time.
func TestNameLookup(t *testing.T) {
	lookup := At("!java.net.Inet6AddressImpl.lookupAllHostAddr", "java.net.InetAddress.getAllByName",
		"java.net.InetAddress.getByName", "Shop.connect", "Shop.order", "java.lang.Thread.run")
	moved := At("Shop.parse", "Shop.order", "java.lang.Thread.run")
	over := func(cpuEach float64, places ...Part) [][]*threaddump.Thread {
		var all [][]*threaddump.Thread
		for i, p := range places {
			all = append(all, []*threaddump.Thread{Thread(1, "a", p, Used(1+float64(i)*cpuEach, 9+float64(i)))})
		}
		return all
	}
	for name, c := range map[string]struct {
		dumps [][]*threaddump.Thread
		want  string
	}{
		"unanswered":        {over(0, lookup, lookup, lookup), "io-wait/warning/likely: a | "},
		"answered":          {over(0, lookup, lookup, moved), ""},
		"one after another": {over(0.01, lookup, lookup, lookup), ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := DiagnoseAll(c.dumps)
			ExpectOnly(t, r, finding.KindIOWait, c.want)
			for _, f := range r.Findings {
				if !strings.Contains(f.Title, "waits for a name lookup (DNS)") ||
					!strings.Contains(f.Advice, "name servers") {
					t.Errorf("%q, %q", f.Title, f.Advice)
				}
			}
		})
	}
}
