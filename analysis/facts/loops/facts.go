package loops

import (
	"jstall/analysis/facts/iowaits"
)

// Loops are the threads that do alone what others need.
type Loops struct {
	*iowaits.Waits
	loopsFound *[]Loop
}
