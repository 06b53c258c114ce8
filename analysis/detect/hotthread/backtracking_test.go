package hotthread_test

import (
	"strings"
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

// nested is a stack of n repetitions of (x+x+)+y above the frames below.
func nested(n int, below ...string) []string {
	frames := []string{"java.util.regex.Pattern$CharProperty.match"}
	for range n {
		frames = append(frames, "java.util.regex.Pattern$Curly.match", "java.util.regex.Pattern$GroupHead.match",
			"java.util.regex.Pattern$Loop.match", "java.util.regex.Pattern$GroupTail.match")
	}
	return append(frames,
		append([]string{"java.util.regex.Matcher.match", "java.util.regex.Matcher.matches"}, below...)...)
}

func TestBacktrackingInARegularExpression(t *testing.T) {
	in := func(id int64, name string, frames []string) *threaddump.Thread {
		return Thread(id, name, At(frames...))
	}
	for _, test := range []struct {
		name    string
		threads []*threaddump.Thread
		want    []string
	}{
		{"deep", []*threaddump.Thread{in(1, "a", nested(40, "shop.Mail.isValid", "shop.Main.run"))},
			[]string{"hot-thread/info/possible: a | "}},
		{"two at one place", []*threaddump.Thread{
			in(1, "a", nested(40, "shop.Mail.isValid")), in(2, "b", nested(60, "shop.Mail.isValid"))},
			[]string{"hot-thread/info/possible: a,b | "}},
		{"eleven repetitions", []*threaddump.Thread{in(1, "a", nested(11, "shop.Mail.isValid"))},
			[]string{"hot-thread/info/possible: a | "}},
		{"shallow", []*threaddump.Thread{in(1, "a", nested(10, "shop.Mail.isValid"))}, nil},
		{"a recursion of the application",
			[]*threaddump.Thread{in(1, "a", strings.Fields(strings.Repeat("shop.Tree.walk ", 200)))}, nil},
		{"a callback that runs below", []*threaddump.Thread{in(1, "a",
			append([]string{"shop.Text.charAt"}, nested(40, "shop.Mail.isValid")...))}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Diagnose(Observe(0, test.threads...))
			Expect(t, r, test.want...)
			if len(test.want) > 0 && r.Findings[0].Culprits[0].Frame != "shop.Mail.isValid" {
				t.Errorf("frame %q", r.Findings[0].Culprits[0].Frame)
			}
		})
	}
}
