package flame

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs:\n%s", path, got)
	}
}

// stack adds frames, outermost first: "name" or "module/name@file:line" is too
// much to read, so the file is made from the class.
func (a *assembler) stack(names ...string) stackID {
	id := noStack
	for i, name := range names {
		f := frame{name: name, system: name, line: int64(10 + i)}
		if class, _, ok := strings.Cut(name, "."); ok {
			f.file = class + ".java"
		}
		id = a.under(id, f)
	}
	return id
}

// hostile are texts that no format may take for anything but text.
var hostile = []string{
	`</script><img src=x onerror=alert(1)>`, `"quoted" 'and' \back\`, "semi;colon 12",
	"line\nend\r\ttab\x00nul\x1b[31mred",
	"space at the end ", "\xff\xfe not UTF-8", "名前", "[GC]", " ", "__proto__", "a\u2028b\u202e",
}

func hostileProfile(t *testing.T) *profile.Profile {
	t.Helper()
	a := newAssembler(dumpTypes()...)
	for i, name := range hostile {
		at := a.stack("java.lang.Thread.run", name, name+".m")
		a.add(at, labels{thread: name, state: name, pool: name}, int64(i+1)*1e6, int64(i+1)*2e6, int64(i+1))
	}
	a.profile.Comments = hostile
	return a.profile
}

func TestHostileGolden(t *testing.T) {
	var b bytes.Buffer
	p := hostileProfile(t)
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "hostile.pb", b.Bytes())
}
