package code

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// jarOf makes a jar of empty files.
func jarOf(t *testing.T, names ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a,b.jar")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(file)
	for _, name := range names {
		if _, err := z.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestJarClasses(t *testing.T) {
	jar, err := readJar(jarOf(t, "META-INF/MANIFEST.MF", "module-info.class", "com/acme/package-info.class",
		"com/acme/B.class", "com/acme/A$1.class", "BOOT-INF/classes/com/acme/C.class", "BOOT-INF/lib/d.jar",
		"WEB-INF/classes/E.class", "META-INF/versions/9/com/acme/B.class", "META-INF/versions/9/module-info.class",
		"META-INF/proguard/F.class", "g.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"E", "com.acme.A$1", "com.acme.B", "com.acme.C"}
	if !slices.Equal(jar.classes, want) || jar.jars != 1 {
		t.Errorf("%q and %d jars, not %q", jar.classes, jar.jars, want)
	}
}

// TestJarBound: a jar whose list of files is longer than any is refused.
func TestJarBound(t *testing.T) {
	names := make([]string, 1+maxDirectory/60_000)
	for i := range names {
		names[i] = strings.Repeat("x", 60_000) + string(rune('a'+i%26)) + ".class"
	}
	if _, err := readJar(jarOf(t, names...)); err == nil || !strings.Contains(err.Error(), "more than 32 MB") {
		t.Error(err)
	}
	if _, err := readJar(jarOf(t)); err != nil {
		t.Error(err)
	}
}
