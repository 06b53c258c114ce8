package threaddump

const (
	// maxProblems bounds what is kept per dump; more are counted.
	maxProblems = 200
	// maxQuote is how much of a line a Problem quotes.
	maxQuote = 200
)

// noteLost counts a thread that could not be read.
func noteLost(d *Dump, line int, text []byte) {
	d.Lost++
	if len(d.Problems) < maxProblems {
		d.Problems = append(d.Problems, Problem{
			Line: line, Text: string(text[:min(len(text), maxQuote)]), Message: "a thread that could not be read",
		})
	}
}
