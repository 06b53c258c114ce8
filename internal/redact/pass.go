package redact

import "hash"

// pass is the state while one text is redacted.
type pass struct {
	r     *Redactor
	known []secret
	// inKey reports that the lines belong to a private key.
	inKey bool
	// keys reports that the text contains the beginning of a private key.
	keys bool
	// keyIndent is the length of the text before the first line of a key, such as the date of a log.
	keyIndent int
	// open is the name whose value is in the following lines, nil for none.
	open *open
	// fixed reports that every pseudonym must have the length of its secret.
	fixed bool
	// counts are the secrets of a part that may be redacted once more, nil to count each secret at once.
	counts map[string]int
	// lower is a line in lower case.
	lower []byte
	// mac is of the redactor's key, made for the first secret. sums are the sums of values that it made.
	mac  hash.Hash
	sums map[string][]byte
	// name and scratch are memory that the next line uses again.
	name    []byte
	scratch scratch
}

// begin begins a pass with the values that are known now.
func (r *Redactor) begin() *pass {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &pass{r: r, known: r.known}
}
