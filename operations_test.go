package jstall_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/attach"
)

// TestTheDocsHaveTheTableOfCommands compares the table in docs/safety.md with the one in the code, or writes it with
// -update.
func TestTheDocsHaveTheTableOfCommands(t *testing.T) {
	const page, head = "docs/safety.md", "| command |"
	lines := strings.Split(readFile(t, page), "\n")
	from := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, head) })
	if from < 0 {
		t.Fatalf("%s has no line that begins with %q", page, head)
	}
	to := from
	for to < len(lines) && strings.HasPrefix(lines[to], "|") {
		to++
	}
	want := tableOfCommands()
	if *update {
		text := strings.Join(slices.Replace(lines, from, to, want...), "\n")
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := lines[from:to]; !slices.Equal(got, want) {
		t.Errorf("%s has\n%s\nthe code has\n%s", page, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func tableOfCommands() []string {
	rows := []string{
		"| command | Java code | stops the application for | sent by | not sent to JDK | sent nevertheless |",
		"|---|---|---|---|---|---|",
	}
	for _, o := range attach.Operations() {
		java, refused := "no", make([]string, len(o.Crashes))
		if o.Java {
			java = "yes"
		}
		for i, bug := range o.Crashes {
			refused[i] = bug.String()
		}
		cells := []string{"`" + o.Name + "`", java, string(o.Stop), o.Sender, strings.Join(refused, "; "), o.Rare}
		rows = append(rows, "| "+strings.Join(cells, " | ")+" |")
	}
	return rows
}

// TestOnlyWhatIsTypedIsSentUnlisted checks that only the code of `jstall jcmd` sends diagnostic commands that are not
// in the table.
func TestOnlyWhatIsTypedIsSentUnlisted(t *testing.T) {
	var users []string
	for _, path := range goFiles(t) {
		if !strings.HasSuffix(path, "_test.go") && usesTyped(t, path) {
			users = append(users, filepath.ToSlash(path))
		}
	}
	if want := []string{"internal/command/ask/jcmd.go"}; !slices.Equal(users, want) {
		t.Errorf("%q use attach.Typed, want %q alone", users, want)
	}
}

// usesTyped reports whether a file names attach.Typed, under whatever name it imports the package.
func usesTyped(t *testing.T, path string) bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	imports := slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool {
		return i.Path.Value == strconv.Quote(modulePath+"/attach")
	})
	used := false
	ast.Inspect(file, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		used = used || is && id.Name == "Typed"
		return !used
	})
	return imports && used
}
