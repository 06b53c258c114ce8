package render

import (
	"strings"
	"testing"
)

// What goes first is what matters least.
func TestOrderOfLeavingOut(t *testing.T) {
	d := &document{}
	d.heading(1, plain("the verdict"))
	for _, title := range []string{"first", "second"} {
		d.heading(3, plain(title))
		d.blocks = append(d.blocks, line{label: "Evidence", text: []span{plain("evidence of the " + title)},
			item: true})
		d.code([]string{"frame 1 of the " + title, "frame 2 of the " + title})
	}
	d.section("Work", plain("much"))
	work := table{columns: []column{{title: "ROW"}}}
	for range 50 {
		work.add(plain("a row of the table"))
	}
	d.table(work)
	order := []string{"a row of the table", "much", "evidence of the second", "frame 2 of the first"}
	seen := len(order)
	for tokens := 300; tokens > 0; tokens-- {
		var out strings.Builder
		if err := writeMarkdownWithin(&out, d, tokens); err != nil {
			t.Fatal(err)
		}
		there := 0
		for i, text := range order {
			if strings.Contains(out.String(), text) {
				there++
			} else if there > 0 {
				t.Errorf("%d tokens: %q is gone before %q", tokens, text, order[i-1])
			}
		}
		if there > seen {
			t.Errorf("%d tokens hold more than one token more", tokens)
		}
		seen = there
		if !strings.Contains(out.String(), "evidence of the first") {
			t.Fatalf("%d tokens: the first finding is gone", tokens)
		}
	}
	if seen != 0 {
		t.Errorf("%d of %q stay in one token", seen, order)
	}
}
