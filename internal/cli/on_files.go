package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/jstall/jstall/internal/remote"
)

// namedFor puts a place into the name of a file: night.zip becomes night-web1.zip. A command has its number instead.
func namedFor(path string, p remote.Place, i int) string {
	_, name, _ := strings.Cut(p.Word, ":")
	if p.Kind == remote.Exec {
		name = fmt.Sprint(i + 1)
	}
	end := filepath.Ext(path)
	return strings.TrimSuffix(path, end) + "-" + wordInName(name) + end
}

// wordInName is a word as the name of a file may have it on every system.
func wordInName(word string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, word)
}
