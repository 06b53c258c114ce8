package threaddump

// threadNames are the names of the threads of a dump, in its order. The next dump of
// a series has most of them in the same order, so that no table is needed to find them.
type threadNames struct {
	before, now []string
	next        int // in before: after the name found last
}

// goneThreads is how many threads that have ended are passed in search of the next.
const goneThreads = 16

// find returns the copy that the dump before has of a name.
func (n *threadNames) find(name []byte) (string, bool) {
	for i := n.next; i < min(n.next+goneThreads, len(n.before)); i++ {
		if n.before[i] == string(name) {
			n.next = i + 1
			return n.before[i], true
		}
	}
	return "", false
}

func (n *threadNames) add(name string) { n.now = append(n.now, name) }

func (n *threadNames) endDump() {
	if len(n.now) > 0 {
		n.before, n.now = n.now, n.before[:0]
	}
	n.next = 0
}
