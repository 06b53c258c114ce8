package jstall_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestOtherSystemsBuild checks that the code that needs no live process compiles for other systems: the types of all
// packages must be right there too. `make build-all` builds the binaries, which takes a minute and a half for each.
func TestOtherSystemsBuild(t *testing.T) {
	parsed := map[string]*ast.File{} // most files are the same on all systems
	for _, platform := range []string{"linux/arm64", "darwin/arm64", "windows/amd64"} {
		t.Run(platform, func(t *testing.T) {
			system, arch, _ := strings.Cut(platform, "/")
			all, err := packages.Load(&packages.Config{
				Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedFiles |
					packages.NeedCompiledGoFiles | packages.NeedTypesSizes,
				Env: append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch),
			}, "./...")
			if err != nil {
				t.Fatal(err)
			}
			if len(all) < 50 {
				t.Fatalf("%d packages are too few", len(all))
			}
			c := typeChecker{t, parsed, map[*packages.Package]*types.Package{}}
			for _, p := range all {
				_, _ = c.check(p) // errors are reported
			}
		})
	}
}

// typeChecker checks packages after those that they import; of packages of others it checks only the declarations.
type typeChecker struct {
	t       *testing.T
	parsed  map[string]*ast.File
	checked map[*packages.Package]*types.Package
}

// allFiles has the positions of all parsed files.
var allFiles = token.NewFileSet()

func (c typeChecker) check(p *packages.Package) (*types.Package, error) {
	if p.PkgPath == "unsafe" {
		return types.Unsafe, nil
	}
	if checked := c.checked[p]; checked != nil {
		return checked, nil
	}
	for _, e := range p.Errors {
		c.t.Error(e)
	}
	var files []*ast.File
	for _, name := range p.CompiledGoFiles {
		f := c.parsed[name]
		if f == nil {
			var err error
			if f, err = parser.ParseFile(allFiles, name, nil, parser.SkipObjectResolution); err != nil {
				c.t.Error(err)
				continue
			}
			c.parsed[name] = f
		}
		files = append(files, f)
	}
	config := types.Config{
		Importer:         importer(func(path string) (*types.Package, error) { return c.check(p.Imports[path]) }),
		IgnoreFuncBodies: !strings.HasPrefix(p.PkgPath, modulePath),
		Sizes:            p.TypesSizes,
		Error:            func(err error) { c.t.Error(err) },
	}
	checked, err := config.Check(p.PkgPath, allFiles, files, nil)
	c.checked[p] = checked
	return checked, err
}

// importer returns the package of an import.
type importer func(path string) (*types.Package, error)

// Import calls it.
func (i importer) Import(path string) (*types.Package, error) { return i(path) }
