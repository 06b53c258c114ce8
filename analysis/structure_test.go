package analysis_test

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

// packagesOfAnalysis are the packages of analysis with their types, without tests.
func packagesOfAnalysis(t *testing.T) []*packages.Package {
	t.Helper()
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedImports | packages.NeedFiles | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedDeps,
	}, "./...")
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
