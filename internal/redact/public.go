package redact

import (
	"bytes"
	"slices"
	"strings"
)

// public are names that identify no person and no company.
var public = []string{"root", "nobody", "daemon", "user", "java", "jvm", "main", "app", "localhost", "unknown"}

// isPublic recognises values that are the same everywhere, jstall's own pseudonyms, and secrets that were found before.
func isPublic(value []byte) bool {
	switch v := string(value); {
	case v == "127.0.0.1", v == "0.0.0.0", v == "::1", v == "null", v == "true", v == "false", v == "\\":
		return true
	case bytes.HasPrefix(value, []byte(mark)) && !bytes.ContainsRune(value, ' '), len(bytes.Trim(value, "\x01")) == 0:
		return true
	}
	if lower := [16]byte{}; len(value) <= len(lower) && isASCII(value) {
		return slices.Contains(public, string(appendLower(lower[:0], value)))
	}
	return slices.Contains(public, strings.ToLower(string(value)))
}

// mark begins every pseudonym.
const mark = "redacted-"

// found overwrites the bytes of a secret in masked. It is neither a blank nor a character of a name.
const found = 1
