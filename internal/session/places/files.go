package places

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/jstall/jstall/internal/remote"
	"github.com/jstall/jstall/internal/shell"
)

// namedFor puts a place into the name of a file: night.zip becomes night-web1.zip. A command has its number instead.
func namedFor(path string, p remote.Place, i int) string {
	_, name, _ := strings.Cut(p.Word, ":")
	if p.Kind == remote.Exec {
		name = fmt.Sprint(i + 1)
	}
	end := filepath.Ext(path)
	return strings.TrimSuffix(path, end) + "-" + shell.WordInName(name) + end
}
