package remote

import "strings"

// Quote is a word as a POSIX shell reads it unchanged, whatever it holds; only a NUL byte cannot be in an argument.
func Quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// quoteAll is a command line of words.
func quoteAll(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quote(word)
	}
	return strings.Join(quoted, " ")
}
