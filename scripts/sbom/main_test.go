package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

func TestDescribe(t *testing.T) {
	const sum = "h1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	used := &debug.Module{Path: "example.com/used", Version: "v1.2.3", Sum: sum}
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Path: "example.com/ours/cmd/jstall",
		Main: debug.Module{Path: "example.com/ours"},
		Deps: []*debug.Module{used, {Path: "example.com/old", Version: "v1.0.0", Replace: used}}}
	d := describe(info, "0.1.0")
	parts := d.Components
	if d.Metadata.Component.Version != "0.1.0" || len(parts) != 3 || parts[0].PackageURL != "pkg:golang/std@1.26.8" {
		t.Fatalf("%+v", d)
	}
	const hex = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
	for _, part := range parts[1:] {
		if part.PackageURL != "pkg:golang/example.com/used@v1.2.3" || part.Hashes[0].Content != hex {
			t.Errorf("%+v", part)
		}
	}
}

func TestWrite(t *testing.T) {
	out := filepath.Join(t.TempDir(), "sbom.json")
	if err := write(os.Args[0], out, "0.1.0"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil || d.Format != "CycloneDX" || d.Components[0].Name != "std" {
		t.Errorf("%v\n%s", err, text)
	}
}
