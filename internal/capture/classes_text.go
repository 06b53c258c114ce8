package capture

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"jstall/analysis"
)

// classesLines is where the lines of classesText go, by their first words.
type classesLines struct {
	*analysis.Bytecode
	// places are of lines that name a place each, listsAt of those that list something of a place,
	// lists of all others that list something.
	places  map[string]map[string]bool
	listsAt map[string]map[string][]string
	lists   map[string]*[]string
}

func newClassesLines() *classesLines {
	c := &analysis.Bytecode{Loops: map[string]analysis.Loop{}, Rounds: map[string]analysis.Round{}}
	l := &classesLines{
		Bytecode: c, places: map[string]map[string]bool{}, listsAt: map[string]map[string][]string{},
		lists: map[string]*[]string{"later": &c.Later, "queued": &c.Queued, "brings": &c.Brings, "broken": &c.Broken, "filled": &c.Filled, "fed": &c.Fed, "makes": &c.Makes, "unequal": &c.Unequal},
	}
	for word, to := range map[string]*map[string]bool{
		"straight": &c.Straight, "gate": &c.Gates, "puts": &c.Puts, "serves": &c.Serves, "asks": &c.Asks, "hands": &c.Hands,
		"last": &c.Last, "endless": &c.Endless, "ends": &c.Ends, "reads": &c.Reads, "upgrades": &c.Upgrades, "lends": &c.Lends, "looks": &c.Looks, "asks-always": &c.AsksAlways,
	} {
		*to = map[string]bool{}
		l.places[word] = *to
	}
	for word, to := range map[string]*map[string][]string{"gives": &c.Gives, "ahead": &c.Ahead, "taken": &c.Taken} {
		*to = map[string][]string{}
		l.listsAt[word] = *to
	}
	return l
}

// parseClasses reads what classesText has written; lines of another form are passed over.
func parseClasses(text []byte) *analysis.Bytecode {
	l := newClassesLines()
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 0 {
			l.add(words[0], words[1:])
		}
	}
	return l.Bytecode
}

func (l *classesLines) add(kind string, words []string) {
	switch {
	case l.lists[kind] != nil:
		*l.lists[kind] = append(*l.lists[kind], words...)
		l.Closed = l.Closed || kind == "later"
	case kind == "vain":
		l.Vain = true
	case kind == "and":
		l.Others = true
	case len(words) == 0:
	case l.listsAt[kind] != nil:
		l.listsAt[kind][words[0]] = words[1:]
	case l.places[kind] != nil && len(words) == 1:
		l.places[kind][words[0]] = true
		if kind == "upgrades" {
			l.Reads[words[0]] = true
		}
	case kind == "held":
		l.addHeld(words[0], words[1:])
	case kind == "loop":
		l.Loops[words[0]] = loopOf(words[1:])
	case kind == "round", kind == "round-counted":
		l.Rounds[words[0]] = analysis.Round{Loop: loopOf(words[1:]), Counted: kind == "round-counted"}
	case kind == "class":
		said, calls := flags(words[1:], "replaces", "overwrites", "bounds")
		l.Read++
		l.LetsGo = l.LetsGo || said["replaces"] || said["overwrites"] || said["bounds"]
		l.Calls = append(l.Calls, calls...)
	}
}

func loopOf(words []string) analysis.Loop {
	said, calls := flags(words, "counts", "computes", "swaps")
	return analysis.Loop{Calls: calls, Counts: said["counts"], Computes: said["computes"], Swaps: said["swaps"]}
}

// addHeld notes what timers hold for so many seconds.
func (l *classesLines) addHeld(text string, calls []string) {
	if len(calls) == 0 {
		return
	}
	seconds, _ := strconv.ParseInt(text, 10, 32) // years do as well as centuries
	if due := time.Duration(seconds) * time.Second; len(l.Held) == 0 || due < l.HeldFor {
		l.HeldFor = due
	}
	l.Held = append(l.Held, calls...)
}

// flags splits words into leading flags and the rest.
func flags(words []string, known ...string) (said map[string]bool, rest []string) {
	said = map[string]bool{}
	for len(words) > 0 && slices.Contains(known, words[0]) {
		said[words[0]], words = true, words[1:]
	}
	return said, words
}
