package attach

import "fmt"

// mark is what a trigger file says of itself: whom a SIGQUIT was sent for its
// sake. The JVM looks at its name and owner only.
type mark struct {
	namespace uint64 // inode of the pid namespace that pid is meant in
	identity
}

const markFormat = "jstall sent SIGQUIT to process %d (started at tick %d, pid namespace %d). This file can go " +
	"when the JVM's socket answers or the JVM has ended.\n"

func (m mark) text() string {
	return fmt.Sprintf(markFormat, m.pid, m.start, m.namespace)
}

// parseMark reads a trigger file; false if none of us wrote it.
func parseMark(b []byte) (mark, bool) {
	var m mark
	if _, err := fmt.Sscanf(string(b), markFormat, &m.pid, &m.start, &m.namespace); err != nil {
		return mark{}, false
	}
	return m, m.text() == string(b)
}

// identity is a process for as long as the machine runs.
type identity struct {
	pid   int
	start uint64
}

func socketName(nspid int) string { return fmt.Sprintf(".java_pid%d", nspid) }

func triggerName(nspid int) string { return fmt.Sprintf(".attach_pid%d", nspid) }
