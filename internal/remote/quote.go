package remote

import "strings"

// quote quotes a word for a POSIX shell. Only a NUL byte cannot be in an argument.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// quoteAll quotes and joins the words of a command line.
func quoteAll(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quote(word)
	}
	return strings.Join(quoted, " ")
}
