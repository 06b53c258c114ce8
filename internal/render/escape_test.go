package render

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"http-nio-8080":                   "http-nio-8080",
		"a\nb\rc\td":                      `a\nb\rc\td`,
		"\x1b[31mred\x1b[0m":              `\x1b[31mred\x1b[0m`,
		"\x00\x7f":                        `\x00\x7f`,
		"\u009b31m":                       `\x9b31m`,
		"\u202eexe.gpj":                   `\u202eexe.gpj`,
		"\u2028\ufeff\u200b":              `\u2028\ufeff\u200b`,
		"\U000e0041":                      `\U000e0041`,
		"\xff\xc0\x80":                    `\xff\xc0\x80`,
		"\xed\xa0\xbd":                    `\xed\xa0\xbd`,
		"naïve 日本 \U0001f600":             "naïve 日本 \U0001f600",
		"\ufffd":                          "\ufffd",
		"\u0301a\u0301":                   "\\u0301a\u0301",
		"a" + strings.Repeat("\u0301", 4): "a\u0301\u0301\\u0301\\u0301",
	} {
		if got := escape(in); got != want {
			t.Errorf("escape(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"abcdefgh", 8, "abcdefgh"},
		{"abcdefgh", 5, "ab…gh"},
		{"abcdefgh", 4, "ab…h"},
		{"abcdefgh", 1, "…"},
		{"abcdefgh", 0, "abcdefgh"},
		{"日本日本", 6, "日…本"},
		{"abce\u0301", 3, "a…e\u0301"},
		{`"pool-worker-1234"`, 8, `"p…1234"`},
		{`"pool-worker-1234"`, 5, `"…34"`},
		{`"pool-worker"`, 6, `"po…r"`},
	} {
		if got := shorten(c.in, c.limit); got != c.want {
			t.Errorf("shorten(%q, %d) = %q, want %q", c.in, c.limit, got, c.want)
		}
	}
}

func TestShortenFrame(t *testing.T) {
	const frame = "com.acme.shop.Db$Row.query(Db.java:77)"
	for limit, want := range map[int]string{
		38: frame,
		37: "c.acme.shop.Db$Row.query(Db.java:77)",
		32: "c.a.s.Db$Row.query(Db.java:77)",
		25: "Db$Row.query(Db.java:77)",
		16: "Db$Row.query:77",
		9:  "Db$R…y:77",
	} {
		if got := shortenFrame(frame, limit); got != want {
			t.Errorf("shortenFrame to %d = %q, want %q", limit, got, want)
		}
	}
}

func TestClassesLoseTheirPackagesFirst(t *testing.T) {
	for _, c := range []struct {
		in    span
		limit int
		want  string
	}{
		{strong("com.example.orders.OrderService"), 26, "c.e.orders.OrderService"},
		{strong("com.example.orders.OrderService"), 12, "OrderService"},
		{quoted("[Lcom.example.orders.Order;"), 20, "[Lc.e.orders.Order;"},
		{quoted("[Lcom.example.orders.Order;"), 9, "[LOrder;"},
		{strong(`"com.example.Worker-17"`), 12, `"com.e…r-17"`},
		{plain("/opt/my.app.Jar"), 9, "/opt….Jar"},
	} {
		if got := c.in.fit(c.limit); got != c.want {
			t.Errorf("%q in %d columns: %q, want %q", c.in.text, c.limit, got, c.want)
		}
	}
}

func TestFrameText(t *testing.T) {
	for in, want := range map[string]string{
		"java.lang.Thread.sleep(java.base@21.0.13/Thread.java:509)": "java.lang.Thread.sleep(Thread.java:509)",
		"a.B.c(app//B.java:1)":                                   "a.B.c(B.java:1)",
		"a.B.c(B.java:1)":                                        "a.B.c(B.java:1)",
		"a.B$$Lambda/0x00007f5a.run(Unknown Source)":             "a.B$$Lambda/0x00007f5a.run(Unknown Source)",
		"a.B$$Lambda$1/455659002.run(Unknown Source)":            "a.B$$Lambda$1/455659002.run(Unknown Source)",
		"sun.nio.ch.EPoll.wait(java.base@17.0.15/Native Method)": "sun.nio.ch.EPoll.wait(Native Method)",
		"no parenthesis":                                         "no parenthesis",
		"":                                                       "",
	} {
		if got := frameText(in); got != want {
			t.Errorf("frameText(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestUnits(t *testing.T) {
	for seconds, want := range map[float64]string{
		0: "0 s", 0.00045: "0.45 ms", 0.0042: "4.20 ms", 0.045: "45 ms", 0.9996: "1.00 s", 1.234: "1.23 s",
		59.999: "1 m 0 s", 192: "3 m 12 s", 11532: "3 h 12 m", 1000000: "11 d 13 h",
	} {
		if got := duration(seconds); got != want {
			t.Errorf("duration(%v) = %q, want %q", seconds, got, want)
		}
	}
	for n, want := range map[float64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.0 KB", 3565158: "3.4 MB", 812 << 20: "812 MB", 1 << 40: "1.0 TB",
	} {
		if got := byteSize(n); got != want {
			t.Errorf("byteSize(%v) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000"} {
		if got := count(n); got != want {
			t.Errorf("count(%d) = %q, want %q", n, got, want)
		}
	}
	for p, want := range map[float64]string{0: "0.0", 0.01: "<0.1", 0.05: "0.1", 99.84: "99.8"} {
		if got := percent(p); got != want {
			t.Errorf("percent(%v) = %q, want %q", p, got, want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "main", "\x1b[2J", "\xff\u202e", "e\u0301\u0301\u0301", "日本語"} {
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		e := escape(s)
		for i, r := range e {
			if !unicode.IsPrint(r) || r == utf8.RuneError && !strings.HasPrefix(e[i:], "\ufffd") {
				t.Fatalf("escape(%q) = %q", s, e)
			}
		}
		if again := escape(e); again != e {
			t.Fatalf("escape(%q) = %q, again %q", s, e, again)
		}
		for _, short := range []string{shorten(e, limit), shortenFrame(e, limit)} {
			if limit > 0 && cells(short) > limit {
				t.Fatalf("%q has %d columns, not %d", short, cells(short), limit)
			}
			if escape(short) != short {
				t.Fatalf("shortened to %q", short)
			}
		}
	})
}
