package jstall_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

const (
	mostMethods = 40 // of one type
	mostInCycle = 5  // files of one package that need each other
)

// layers are the packages of analysis from the lowest to the highest. None imports a package of the same or of a higher
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
	{"facts/unanswered"},
	{"facts/virtual"},
	{"facts/loops"},
	{"facts"},
	{"detect"},
	{"detect/*"},
	{"."},
	{"internal/dumptest"}, // what tests of all packages make dumps with
}

// TestStructure checks that the files of each package, and the packages of analysis, depend on each other in one
// direction, and that no type has too many methods.
func TestStructure(t *testing.T) {
	all := packagesWithTypes(t)
	t.Run("imports of analysis go down", func(t *testing.T) {
		for _, p := range all {
			if _, ours := strings.CutPrefix(p.PkgPath, modulePath+"/analysis"); !ours {
				continue
			}
			for path := range p.Imports {
				if strings.HasPrefix(path, modulePath+"/analysis") && layerOf(t, path) >= layerOf(t, p.PkgPath) {
					t.Errorf("%s imports %s, which is not below it", p.PkgPath, path)
				}
			}
		}
	})
	t.Run("commands do not know each other", func(t *testing.T) {
		commands := modulePath + "/internal/command/"
		for _, p := range all {
			for path := range p.Imports {
				if strings.HasPrefix(p.PkgPath, commands) && strings.HasPrefix(path, commands) {
					t.Errorf("%s imports %s", p.PkgPath, path)
				}
			}
		}
	})
	t.Run("methods", func(t *testing.T) {
		for _, p := range all {
			for _, name := range p.Types.Scope().Names() {
				named, ok := p.Types.Scope().Lookup(name).Type().(*types.Named)
				if ok {
					atMost(t, folderOf(p)+"."+name, named.NumMethods(), mostMethods, "methods")
				}
			}
		}
	})
	t.Run("cycles", func(t *testing.T) {
		for _, p := range all {
			cycle := largestCycle(p)
			atMost(t, folderOf(p), len(cycle), mostInCycle, "files that need each other: "+strings.Join(cycle, ", "))
		}
	})
}

// testsOfDetectors checks that each detector is tested where it is.
func TestEachDetectorHasATestInItsFolder(t *testing.T) {
	sources, err := filepath.Glob("analysis/detect/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	for _, file := range sources {
		folder := filepath.Dir(file)
		tested[folder] = tested[folder] || strings.HasSuffix(file, "_test.go")
	}
	if len(tested) < 10 {
		t.Errorf("only %d detectors", len(tested))
	}
	for folder, ok := range tested {
		if !ok {
			t.Errorf("%s has no test", folder)
		}
	}
}

// atMost fails if there are more than the limit.
func atMost(t *testing.T, name string, number, limit int, what string) {
	t.Helper()
	if number > limit {
		t.Errorf("%s: %d %s; the limit is %d", name, number, what, limit)
	}
}

func folderOf(p *packages.Package) string { return strings.TrimPrefix(p.PkgPath, modulePath+"/") }

// packagesWithTypes are all packages of the module, without tests.
func packagesWithTypes(t *testing.T) []*packages.Package {
	t.Helper()
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedImports | packages.NeedFiles | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes,
	}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 50 {
		t.Fatalf("%d packages are too few", len(all))
	}
	for _, p := range all {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
	}
	return all
}

func layerOf(t *testing.T, path string) int {
	t.Helper()
	name := strings.TrimPrefix(strings.TrimPrefix(path, modulePath+"/analysis"), "/")
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

// largestCycle returns the largest set of files of a package that depend on each other, by the functions, types, fields
// and methods that they use.
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

// isLocal reports whether an object is declared inside a function. Fields and methods are not.
func isLocal(o types.Object) bool {
	switch o := o.(type) {
	case *types.Var:
		return !o.IsField() && o.Parent() != o.Pkg().Scope()
	case *types.Func:
		return o.Signature().Recv() == nil && o.Parent() != o.Pkg().Scope()
	}
	return o.Parent() != o.Pkg().Scope()
}
