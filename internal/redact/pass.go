package redact

import "hash"

// pass is one text on its way.
type pass struct {
	r     *Redactor
	known []secret
	// inKey is true if the lines belong to a private key.
	inKey bool
	// keys is true if the text holds the beginning of one.
	keys bool
	// keyIndent is what was before the first line of a key, such as the date of a log.
	keyIndent int
	// open is the name whose value is in the lines that follow, nil for none.
	open *open
	// fixed is true if every secret must keep its length.
	fixed bool
	// counts are the secrets of a part that may be redacted once more, nil to count each at once.
	counts map[string]int
	// lower is a line in lower case.
	lower []byte
	// mac is of the redactor's key, made for the first secret.
	mac hash.Hash
}

// begin takes the known values as they are now.
func (r *Redactor) begin() *pass {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &pass{r: r, known: r.known}
}
