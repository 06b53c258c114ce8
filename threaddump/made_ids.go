package threaddump

import "hash/fnv"

// madeIDs makes ids of names where a form has none: the same in the next dump.
type madeIDs struct {
	taken map[int64]bool
	alike map[int64]int64 // how many of the ids from a name's first on are taken
}

func newMadeIDs() madeIDs { return madeIDs{taken: map[int64]bool{}, alike: map[int64]int64{}} }

// firstMadeID is more than any id that a JVM gives.
const firstMadeID = 1 << 40

// IsMadeID recognises an id that was made of a thread's name, and means nothing to a reader.
func IsMadeID(id int64) bool { return id >= firstMadeID }

// of is an id that no other thread has.
func (m madeIDs) of(name []byte) (id int64) {
	h := fnv.New32a()
	h.Write(name)
	first := firstMadeID + int64(h.Sum32()>>1)
	for id = first + m.alike[first]; m.taken[id]; id++ {
		m.alike[first]++
	}
	m.taken[id] = true
	return id
}
