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

// run is what the script is given.
type run struct {
	nonce string
	// words are those of jstall, without the program.
	words []string
	// room is what the binary needs, in bytes.
	room int64
	keep bool
	// limit ends jstall there, zero for never.
	limit time.Duration
}

// lines are the script as the fixed shell line reads it.
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
