package places

import (
	"errors"
	"io"
	"slices"

	"github.com/jstall/jstall/internal/shell"
)

// MostPassed bounds what a place may print, in bytes.
const MostPassed = 1 << 30

// Bound refuses more than so many bytes.
type Bound struct {
	W    io.Writer
	Left int64
}

// Write refuses what exceeds the bound.
func (b *Bound) Write(p []byte) (int, error) {
	if int64(len(p)) > b.Left {
		return 0, errors.New("it printed more than a gigabyte")
	}
	b.Left -= int64(len(p))
	return b.W.Write(p)
}

// CodeThere is an exit code of ours that another jstall ended with; any other one is a failure.
func CodeThere(code int) int {
	if code == shell.ExitUsage || slices.Contains(shell.ExitRank, code) {
		return code
	}
	return shell.ExitNothing
}
