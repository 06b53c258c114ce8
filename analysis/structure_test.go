package analysis_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

// layers are the packages of analysis from the lowest to the highest. None imports one of its own or of a higher
// layer: so a detector knows no other detector.
var layers = [][]string{
	{"stack"},
	{"finding"},
	{"object"},
	{"flight"},
	{"timeline"},
	{"facts/objects"},
	{"facts/locks"},
	{"facts/pools"},
	{"facts/waits"},
	{"facts/resources"},
	{"facts/iowaits"},
	{"facts/cpu", "facts/memory", "facts/limits"},
	{"facts/virtual"},
	{"facts/loops"},
	{"facts"},
	{"detect"},
	{"detect/*"},
	{"."},
	{"internal/dumptest"}, // what tests of all packages write dumps with
}

const (
	mostMethods = 40 // of one type
	mostInCycle = 5  // files of one package that need each other
)

func TestStructure(t *testing.T) {
	all := packagesOfAnalysis(t)
	t.Run("imports go down", func(t *testing.T) {
		for _, p := range all {
			for path := range p.Imports {
				if strings.HasPrefix(path, "jstall/analysis") && layerOf(t, path) >= layerOf(t, p.PkgPath) {
					t.Errorf("%s imports %s, which is not below it", p.PkgPath, path)
				}
			}
		}
	})
	t.Run("methods", func(t *testing.T) {
		for _, p := range all {
			for _, name := range p.Types.Scope().Names() {
				named, ok := p.Types.Scope().Lookup(name).Type().(*types.Named)
				if ok && named.NumMethods() > mostMethods {
					t.Errorf("%s.%s has %d methods, at most %d may be", p.PkgPath, name, named.NumMethods(),
						mostMethods)
				}
			}
		}
	})
	t.Run("cycles", func(t *testing.T) {
		for _, p := range all {
			if cycle := largestCycle(p); len(cycle) > mostInCycle {
				t.Errorf("%s: %d files need each other, at most %d may: %v", p.PkgPath, len(cycle), mostInCycle, cycle)
			}
		}
	})
}

// A detector can go: without its folder and its line in detectors.go analysis compiles.
func TestWithoutAnyDetectorItCompiles(t *testing.T) {
	all := packagesOfAnalysis(t)
	root := all[slices.IndexFunc(all, func(p *packages.Package) bool { return p.PkgPath == "jstall/analysis" })]
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
		path := "jstall/analysis/detect/" + folder.Name()
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

// needs tells whether a package is one of a path, or imports it.
func needs(p *packages.Package, path string) bool {
	if p.PkgPath == path {
		return true
	}
	for _, q := range p.Imports {
		if strings.HasPrefix(q.PkgPath, "jstall/") && needs(q, path) {
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
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedDeps,
	}, "./...")
})

func layerOf(t *testing.T, path string) int {
	t.Helper()
	name := strings.TrimPrefix(strings.TrimPrefix(path, "jstall/analysis"), "/")
	if name == "" {
		name = "."
	}
	if strings.HasPrefix(name, "detect/") {
		name = "detect/*"
	}
	at := slices.IndexFunc(layers, func(names []string) bool { return slices.Contains(names, name) })
	if at < 0 {
		t.Errorf("%s is in no layer", path)
	}
	return at
}

// largestCycle are the most files of a package that need each other, by the functions, types, fields and methods
// that they use.
func largestCycle(p *packages.Package) []string {
	needs := map[string]map[string]bool{}
	for _, f := range p.Syntax {
		from := fileOf(p, f.Pos())
		needs[from] = map[string]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if o := p.TypesInfo.Uses[id]; o != nil && o.Pkg() == p.Types && !isLocal(o) {
					needs[from][fileOf(p, o.Pos())] = true
				}
			}
			return true
		})
	}
	reached := map[string]map[string]bool{}
	for f := range needs {
		reached[f] = map[string]bool{}
		for next := []string{f}; len(next) > 0; next = next[1:] {
			for to := range needs[next[0]] {
				if !reached[f][to] {
					reached[f][to] = true
					next = append(next, to)
				}
			}
		}
	}
	var largest []string
	for f := range needs {
		var cycle []string
		for g := range reached[f] {
			if reached[g][f] {
				cycle = append(cycle, g)
			}
		}
		if len(cycle) > len(largest) {
			largest = cycle
		}
	}
	slices.Sort(largest)
	return largest
}

func fileOf(p *packages.Package, pos token.Pos) string {
	return filepath.Base(p.Fset.Position(pos).Filename)
}

// isLocal tells what is declared inside a function, as fields and methods are not.
func isLocal(o types.Object) bool {
	switch o := o.(type) {
	case *types.Var:
		return !o.IsField() && o.Parent() != o.Pkg().Scope()
	case *types.Func:
		return o.Signature().Recv() == nil && o.Parent() != o.Pkg().Scope()
	}
	return o.Parent() != o.Pkg().Scope()
}
