package finding

// Distinct cuts names to at most limit characters each so that they differ where the names do. A longer name keeps the
// first part in which it differs from the others, with as much of its beginning and its end as fits.
func Distinct(names []string, limit int) []string {
	all := make([][]rune, len(names))
	for i, n := range names {
		all[i] = []rune(n)
	}
	before, behind := common(all)
	short := make([]string, len(names))
	for i, name := range all {
		short[i] = names[i]
		if len(name) > limit {
			short[i] = cutAround(name, before, len(name)-behind, limit)
		}
	}
	return short
}

// common counts the characters at the beginning and at the end that are the same in all names.
func common(names [][]rune) (before, behind int) {
	least := len(names[0])
	for _, n := range names {
		least = min(least, len(n))
	}
	for before < least && same(names, func(n []rune) rune { return n[before] }) {
		before++
	}
	for behind < least-before && same(names, func(n []rune) rune { return n[len(n)-1-behind] }) {
		behind++
	}
	return before, behind
}

func same(names [][]rune, at func([]rune) rune) bool {
	for _, n := range names {
		if at(n) != at(names[0]) {
			return false
		}
	}
	return true
}

// cutAround keeps the part of a name between two positions, or the beginning of that part, and as much as fits of both
// ends.
func cutAround(name []rune, from, to, limit int) string {
	const mark = "…"
	room := limit - 2
	to = max(from, min(to, from+room/2))
	head := (room - (to - from)) / 2
	tail := room - (to - from) - head
	switch {
	case from == to, from <= head: // no more than both ends
		head = max((limit-1)/2, min(to, head+to-from))
		tail = limit - 1 - head
	case len(name)-to <= tail:
		tail = max((limit-1)/2, len(name)-from)
		head = limit - 1 - tail
	default:
		return string(name[:head]) + mark + string(name[from:to]) + mark + string(name[len(name)-tail:])
	}
	return string(name[:head]) + mark + string(name[len(name)-tail:])
}
