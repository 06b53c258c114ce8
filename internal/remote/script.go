package remote

import (
	"crypto/rand"
	_ "embed" // of the script
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

//go:embed script.sh
var script string

// run has the arguments of the script.
type run struct {
	nonce string
	// words are the arguments of jstall, without the program.
	words []string
	// room is how many bytes the binary needs.
	room int64
	keep bool
	// limit is the time after which the script ends jstall, zero for never.
	limit time.Duration
}

// lines is the script in the form that the fixed shell line reads.
func (r run) lines() string {
	keep := ""
	if r.keep {
		keep = "yes"
	}
	text := fmt.Sprintf("nonce=%s room=%d keep=%s limit=%d\nset -- %s\n%s", r.nonce, (r.room+1023)>>10, keep,
		int(r.limit.Seconds()), quoteAll(r.words), script)
	text = strings.TrimSuffix(text, "\n")
	return ">" + strings.ReplaceAll(text, "\n", "\n>") + "\n.\n"
}

// newNonce is a random secret number, in hex.
func newNonce() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
