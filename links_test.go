package jstall_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// TestLinksLead checks that each relative link of README, docs, CONTRIBUTING and CHANGELOG leads to a file, and its
// anchor to a heading there.
func TestLinksLead(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, page := range append(pages(t), "CONTRIBUTING.md", "CHANGELOG.md") {
		for _, m := range link.FindAllStringSubmatch(prose(readFile(t, page)), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			} else if anchor != "" && !slices.Contains(anchors(readFile(t, target)), anchor) {
				t.Errorf("%s links to %s, and %s has no such heading", page, m[1], target)
			}
		}
	}
}

// prose is a page without its code blocks.
func prose(text string) string {
	var out []string
	inside := false
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "```") {
			inside = !inside
		} else if !inside {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// anchors are the names by which a page's headings can be linked: lower case, hyphens for spaces, no other punctuation,
// and a number after a repeated name.
func anchors(text string) []string {
	var all []string
	times := map[string]int{}
	heading := regexp.MustCompile(`(?m)^#+ (.*)$`)
	for _, m := range heading.FindAllStringSubmatch(prose(text), -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1])
		n := times[name]
		times[name]++
		if n > 0 {
			name += "-" + strconv.Itoa(n)
		}
		all = append(all, name)
	}
	return all
}

func TestAnchors(t *testing.T) {
	const text = "# JSON (`--json`), schema 2\n```sh\n# a comment\n```\n## The right to read\n## The right to read\n"
	want := []string{"json---json-schema-2", "the-right-to-read", "the-right-to-read-1"}
	if got := anchors(text); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestShellBlocksUseKnownFlags checks the commands of the sh blocks, which are not run, for flags and commands that
// jstall does not have.
func TestShellBlocksUseKnownFlags(t *testing.T) {
	known := map[string][]string{}
	for _, page := range pages(t) {
		for _, line := range shellLines(readFile(t, page)) {
			words := jstallWords(line)
			if len(words) == 0 {
				continue
			}
			command := words[0]
			for _, word := range words[1:] {
				flag, _, _ := strings.Cut(word, "=")
				if !strings.HasPrefix(flag, "--") {
					continue
				}
				if known[command] == nil {
					known[command] = completed(t, command, "--")
				}
				if !slices.Contains(known[command], flag) {
					t.Errorf("%s: %s: jstall %s has no flag %s", page, line, command, flag)
				}
			}
		}
	}
	if len(known) == 0 {
		t.Error("no command of a sh block has a flag")
	}
}

// shellLines are the lines of a page's sh blocks, without comments, continued lines put together.
func shellLines(text string) []string {
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		for _, line := range strings.Split(strings.ReplaceAll(m[1], "\\\n", ""), "\n") {
			line, _, _ = strings.Cut(line, " #")
			out = append(out, line)
		}
	}
	return out
}

// jstallWords are the words of a line's last call of jstall, the command first, up to a pipe or a program to start.
func jstallWords(line string) []string {
	words := strings.Fields(line)
	last := -1
	for i, word := range words {
		value := i > 0 && strings.HasPrefix(words[i-1], "-") && words[i-1] != "--" // of a flag
		if !value && (word == "jstall" || strings.HasSuffix(word, "/jstall")) {
			last = i
		}
	}
	if last < 0 || last+1 == len(words) {
		return nil
	}
	words = words[last+1:]
	for i, word := range words {
		if word == "--" || strings.ContainsAny(word, "|>;&") {
			words = words[:i]
			break
		}
	}
	if len(words) > 0 && !isWord(words[0]) {
		words = append([]string{"status"}, words...)
	}
	return words
}

// isWord reports whether a word can be a command's name, and not a pid or a file.
func isWord(word string) bool { return regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(word) }
