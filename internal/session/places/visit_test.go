package places

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jstall/jstall/internal/remote"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

// placesOf are places of these words.
func placesOf(t *testing.T, words ...string) (all []remote.Place) {
	t.Helper()
	for _, word := range words {
		p, err := remote.ParsePlace(word)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func TestATerminalShowsWhichPlacesAreWaitedFor(t *testing.T) {
	for _, c := range []struct {
		width int
		words string
		want  string
	}{
		{80, "ssh:web1 ssh:db1 ssh:db2", "1 of 3 places answered; waiting for ssh:db1 and 1 more (0 s)"},
		{80, "ssh:web1 ssh:db1", "1 of 2 places answered; waiting for ssh:db1 (0 s)"},
		{60, "ssh:web1 exec:\x1b[2J" + strings.Repeat("日", 100), ` (0 s)`},
		{1, "ssh:web1 ssh:db1", ""},
		{0, "ssh:web1 ssh:db1", ""},
	} {
		var said strings.Builder
		l := newPlacesLine(&shell.Env{Stderr: &said, ErrWidth: c.width}, placesOf(t, strings.Fields(c.words)...))
		answered := make(chan int, 1)
		answered <- 0
		l.await(answered, func() bool { return len(l.waiting) < len(l.places) })
		l.show()
		line := strings.TrimPrefix(said.String(), "\r\x1b[K")
		if !strings.HasSuffix(line, c.want) || render.Cells(line) > max(1, c.width-1) ||
			strings.Contains(line, "\x1b") {
			t.Errorf("%d columns: %q, want %q", c.width, line, c.want)
		}
		said.Reset()
		l.clear()
		l.clear()
		if want := "\r\x1b[K"; c.width > 0 && said.String() != want || c.width == 0 && said.Len() > 0 {
			t.Errorf("%d columns: it ends with %q", c.width, said.String())
		}
	}
	one := newPlacesLine(&shell.Env{Stderr: &strings.Builder{}, ErrWidth: 80}, placesOf(t, "ssh:web1"))
	if one.show(); one.env.Stderr.(*strings.Builder).String() != "\r\x1b[Kwaiting for ssh:web1 (0 s)" {
		t.Errorf("%q", one.env.Stderr)
	}
}

// TestAnInterruptWaitsForAllPlaces: each may still have a binary to remove.
func TestAnInterruptWaitsForAllPlaces(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := &Elsewhere{Places: placesOf(t, "ssh:a", "ssh:b", "ssh:c")}
	var ended atomic.Int32
	given := 0
	for range Visit(ctx, &shell.Env{}, e, func(ctx context.Context, p remote.Place) string {
		if p.Word == "ssh:a" {
			cancel()
		}
		<-ctx.Done()
		ended.Add(1)
		return p.Word
	}) {
		if n := ended.Load(); n != 3 {
			t.Errorf("%d of 3 have ended", n)
		}
		given++
	}
	if given != 3 {
		t.Errorf("%d of 3 are given", given)
	}
}
