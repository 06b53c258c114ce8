package analysis_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

// A detector can go: without its folder and its line in detectors.go analysis compiles.
func TestWithoutAnyDetectorItCompiles(t *testing.T) {
	all := packagesOfAnalysis(t)
	root := all[slices.IndexFunc(all, func(p *packages.Package) bool { return p.Name == "analysis" })]
	entries, err := os.ReadDir("detect")
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("detectors.go")
	if err != nil {
		t.Fatal(err)
	}
	folders := slices.DeleteFunc(entries, func(e os.DirEntry) bool { return !e.IsDir() })
	if len(folders) < 20 {
		t.Fatalf("%d folders are too few", len(folders))
	}
	for _, folder := range folders {
		path := root.PkgPath + "/detect/" + folder.Name()
		if err := compileWithout(root, path, list); err == nil {
			t.Errorf("compiles without %s, which is in the list", path)
		}
		without := dropLines(list, `"`+path+`"`, "\t"+folder.Name()+".Detector,")
		if err := compileWithout(root, path, without); err != nil {
			t.Errorf("without %s: %v", path, err)
		}
	}
}

// dropLines leaves out each line that has one of some parts.
func dropLines(text []byte, parts ...string) []byte {
	lines := bytes.Split(text, []byte("\n"))
	lines = slices.DeleteFunc(lines, func(line []byte) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return bytes.Contains(line, []byte(part)) })
	})
	return bytes.Join(lines, []byte("\n"))
}

// compileWithout checks the types of a package as the compiler does, as if a package that it may import were not there,
// and detectors.go were another.
func compileWithout(p *packages.Package, gone string, list []byte) error {
	files := slices.Clone(p.Syntax)
	at := slices.IndexFunc(files, func(f *ast.File) bool {
		return filepath.Base(p.Fset.File(f.FileStart).Name()) == "detectors.go"
	})
	var err error
	if files[at], err = parser.ParseFile(p.Fset, "detectors.go", list, 0); err != nil {
		return err
	}
	config := types.Config{Importer: rest{p, gone}, Sizes: p.TypesSizes}
	_, err = config.Check(p.PkgPath, p.Fset, files, nil)
	return err
}

// rest imports what a package imports, but for what is gone and what needs it.
type rest struct {
	*packages.Package
	gone string
}

func (r rest) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	p := r.Imports[path]
	if p == nil || needs(p, r.gone) {
		return nil, fmt.Errorf("%s is not there, or needs %s", path, r.gone)
	}
	return p.Types, nil
}

// needs reports whether a package is one of a path, or imports it.
func needs(p *packages.Package, path string) bool {
	if p.PkgPath == path {
		return true
	}
	for _, q := range p.Imports {
		if q.Module != nil && q.Module.Main && needs(q, path) {
			return true
		}
	}
	return false
}

// packagesOfAnalysis are the packages of analysis with their types, without tests.
func packagesOfAnalysis(t *testing.T) []*packages.Package {
	t.Helper()
	all, err := loadOfAnalysis()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("%d packages are too few", len(all))
	}
	for _, p := range all {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
	}
	return all
}

var loadOfAnalysis = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedImports | packages.NeedFiles | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedDeps |
			packages.NeedModule,
	}, "./...")
})
