package remote

import "strings"

// Quote quotes a word for a POSIX shell. Only a NUL byte cannot be in an argument.
func Quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// quoteAll quotes and joins the words of a command line.
func quoteAll(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quote(word)
	}
	return strings.Join(quoted, " ")
}
