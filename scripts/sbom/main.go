// Command sbom lists the parts of a Go program: sbom BINARY OUT VERSION writes a CycloneDX document of what the linker
// noted in the binary of that version: the Go release, and each module with its version and hash.
package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

// document is the part of CycloneDX 1.5 that is used.
type document struct {
	Format      string      `json:"bomFormat"`
	Spec        string      `json:"specVersion"`
	Version     int         `json:"version"`
	Metadata    metadata    `json:"metadata"`
	Components  []component `json:"components"`
	Composition []completed `json:"compositions"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Ref        string     `json:"bom-ref"`
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PackageURL string     `json:"purl,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

// hash is the hash of a module's zip as go.sum has it (h1), in hex.
type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// completed says of which components all parts are listed.
type completed struct {
	Aggregate  string   `json:"aggregate"`
	Assemblies []string `json:"assemblies"`
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: sbom BINARY OUT VERSION")
		os.Exit(64)
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func write(binary, out, version string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(describe(info, version), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(text, '\n'), 0o644)
}

func describe(info *debug.BuildInfo, version string) document {
	program := component{Ref: info.Path, Type: "application", Name: info.Main.Path, Version: version}
	for _, s := range info.Settings {
		program.Properties = append(program.Properties, property{"go:build:" + s.Key, s.Value})
	}
	release := strings.TrimPrefix(info.GoVersion, "go")
	parts := []component{{Ref: "std", Type: "library", Name: "std", Version: release,
		PackageURL: "pkg:golang/std@" + release}}
	for _, module := range info.Deps {
		parts = append(parts, part(module))
	}
	return document{Format: "CycloneDX", Spec: "1.5", Version: 1, Metadata: metadata{program}, Components: parts,
		Composition: []completed{{"complete", []string{program.Ref}}}}
}

func part(module *debug.Module) component {
	if module.Replace != nil {
		module = module.Replace
	}
	url := "pkg:golang/" + module.Path + "@" + module.Version
	c := component{Ref: url, Type: "library", Name: module.Path, Version: module.Version, PackageURL: url}
	if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(module.Sum, "h1:")); err == nil && len(sum) > 0 {
		c.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum)}}
	}
	return c
}
