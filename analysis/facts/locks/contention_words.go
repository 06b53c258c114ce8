package locks

import (
	"fmt"
	"strings"
)

// Object words what is waited for.
func (q *Queue) Object() string {
	switch {
	case q.locks > 1:
		return fmt.Sprintf("one of %d locks", q.locks)
	case q.Lock.Address == 0 && q.Class != "":
		return "the initialisation of " + q.Class
	case q.Concluded():
		return "the initialisation of a class"
	}
	return LockWords(q.Class)
}

// LockWords words a lock by its class: "a com.acme.Cache", "the class com.acme.Cache",
// and of java.util by its own name alone, "a ReentrantLock".
func LockWords(class string) string {
	if of, ok := strings.CutPrefix(class, "java.lang.Class for "); ok {
		return "the class " + of
	}
	if strings.HasPrefix(class, "java.util.") {
		class = class[strings.LastIndexByte(class, '.')+1:]
		for _, inner := range []string{"$NonfairSync", "$FairSync", "$Sync"} {
			class = strings.TrimSuffix(class, inner)
		}
	}
	if class != "" && strings.ContainsRune("aeiouAEIOU", rune(class[0])) {
		return "an " + class
	}
	return "a " + class
}

// Concluded tells a queue for a class that the dump does not name.
func (q *Queue) Concluded() bool { return q.Class == "" }
