package page_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame/page"
)

// FuzzWrite holds that any profile that can be read makes a page.
func FuzzWrite(f *testing.F) {
	for _, p := range []*profile.Profile{shop(), deepAs(3), {}, newStacks().profile} {
		var packed bytes.Buffer
		if err := p.WriteUncompressed(&packed); err != nil {
			f.Fatal(err)
		}
		f.Add(packed.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := profile.ParseUncompressed(data)
		if err != nil || p.CheckValid() != nil {
			return
		}
		if err := page.Write(io.Discard, p, page.Options{}); err != nil {
			t.Error(err)
		}
	})
}
