package threaddump

import "bytes"

// stuckVerbs are between the thread and how long.
var stuckVerbs = [...][]byte{[]byte(" has been blocked for "), []byte(" has been active for "),
	[]byte(" has been busy for ")}

// cutStuck finds the beginning of the thread's name in a warning, or of a line with a claim of another form.
func cutStuck(line []byte) int {
	if at := cutWarning(line); at >= 0 {
		return at
	}
	if name, _ := claimOf(line); name != nil {
		return 0
	}
	return -1
}

// cutWarning finds the beginning of the thread's name in a warning of one of the forms above.
func cutWarning(line []byte) int {
	for _, verb := range stuckVerbs {
		if at := bytes.Index(line, verb); at >= 0 {
			return stuckName(line[:at])
		}
	}
	return -1
}

// stuckName finds where the thread begins in what is before the verb, -1 otherwise.
func stuckName(text []byte) int {
	begins := [...]string{"Thread Thread[", "Thread VirtualThread[", "Thread [", `Thread "`, "[STUCK] ", "ExecuteThread: "}
	for _, begin := range begins {
		if i := bytes.LastIndex(text, []byte(begin)); i >= 0 && i <= 2*maxPrefix {
			return i
		}
	}
	return -1
}
