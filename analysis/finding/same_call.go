package finding

import (
	"slices"
)

// ThreadName is what findings tell threads apart by.
type ThreadName struct {
	Name         string
	ID, NativeID int64
}

func threadOf(r ThreadRef) ThreadName { return ThreadName{r.Name, r.ID, r.NativeID} }

// NamedIn are the threads that findings name.
func NamedIn(all []Candidate) map[ThreadName]bool {
	known := map[ThreadName]bool{}
	for _, c := range all {
		for _, r := range slices.Concat(c.Culprits, c.Victims) {
			known[threadOf(r)] = true
		}
	}
	return known
}
