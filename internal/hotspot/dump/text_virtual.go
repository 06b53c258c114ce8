package dump

import (
	"bytes"
	"fmt"
	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/virtual"
	"strconv"
)

// mostListed is up to how many virtual threads are listed one by one. Of more, those alike are counted.
const mostListed = 1000

// VirtualText is the virtual threads as text, in the form that package threaddump reads after a dump or alone; nil of a
// JDK before 21. The first line has the address of the JVM's list of threads, which Java code cannot know: no name of a
// thread can look like that line.
func (d *Dump) VirtualText() []byte { return d.VirtualTextOf(d.List) }

// VirtualTextOf is VirtualText for a dump that the JVM gave, whose list of threads is at another address: threads have
// started or ended since.
func (d *Dump) VirtualTextOf(list uint64) []byte {
	v := d.Virtual
	if v == nil {
		return nil
	}
	b := &bytes.Buffer{}
	fmt.Fprintf(b, "Virtual threads of 0x%016x: %d found, %d read", list, v.Found, len(v.Threads))
	if v.Missing != "" {
		fmt.Fprintf(b, "; %s", v.Missing)
	}
	b.WriteString("\n\n")
	w := &virtualWriter{Buffer: b, Set: v, owned: d.ownedSynchronizers(), monitors: d.ownedMonitors()}
	w.write()
	b.WriteString("Virtual threads end\n")
	return b.Bytes()
}

// virtualWriter writes the threads of a section.
type virtualWriter struct {
	*bytes.Buffer
	*virtual.Set
	// owned and monitors are what threads wait for, by the ids of the owners.
	owned, monitors map[int64][]object.ID
}

// alikeKey is what threads have in common that are counted together.
type alikeKey struct {
	frames      *thread.Frame
	depth       int
	state       string
	unread      string
	class       string
	kind        thread.WaitKind
	blocker     uint64 // where it has an owner
	owner       int64
	initialises string // whose initialisation it waits for
}

func (w *virtualWriter) write() {
	if len(w.Threads) <= mostListed {
		for i := range w.Threads {
			w.thread(&w.Threads[i], 0)
		}
		return
	}
	groups := map[alikeKey]int{} // how many are like the first one
	for i := range w.Threads {
		if key, ok := w.keyOf(&w.Threads[i]); ok {
			groups[key]++
		}
	}
	for i := range w.Threads {
		t := &w.Threads[i]
		key, ok := w.keyOf(t)
		if !ok {
			w.thread(t, 0)
		} else if n := groups[key]; n > 0 {
			w.thread(t, n-1)
			groups[key] = 0
		}
	}
}

// keyOf is the group of a thread; false of one that is listed by itself: it holds a lock, or is mounted.
func (w *virtualWriter) keyOf(t *virtual.Thread) (alikeKey, bool) {
	if t.CarrierID != 0 || len(t.Locked) > 0 || len(w.owned[t.ID]) > 0 || len(w.monitors[t.ID]) > 0 {
		return alikeKey{}, false
	}
	key := alikeKey{depth: len(t.Frames), state: t.State, unread: t.Unread, initialises: t.Initialises}
	if len(t.Frames) > 0 {
		key.frames = &t.Frames[0]
	}
	if t.Waits != nil {
		key.class, key.kind, key.owner = t.Waits.Object.Class, t.Waits.Kind, t.Waits.OwnerID
		if key.owner != 0 {
			key.blocker = t.Waits.Object.Address
		}
	}
	return key, true
}

func (w *virtualWriter) thread(t *virtual.Thread, alike int) {
	container := w.ContainerOf(t)
	w.WriteByte('"')
	if t.Unnamed {
		w.WriteString(unreadName)
	} else {
		writeEscaped(w.Buffer, t.Name)
	}
	state := t.State
	if state == "" {
		state = "UNKNOWN"
	}
	fmt.Fprintf(w, "\" #%d virtual %s", t.ID, state)
	if t.CarrierID != 0 {
		fmt.Fprintf(w, " carrier=#%d", t.CarrierID)
	}
	if container.Owner != 0 {
		fmt.Fprintf(w, " scope=#%d", container.Owner)
	}
	w.WriteByte('\n')
	if container.Name != "" {
		w.WriteString("   Container: ")
		writeEscaped(w.Buffer, container.Name)
		w.WriteByte('\n')
	}
	fmt.Fprintf(w, "   java.lang.Thread.State: %s\n", t.JavaState)
	if t.Unread != "" {
		fmt.Fprintf(w, "   Stack unknown: %s\n", t.Unread)
	}
	if t.Condition != "" {
		fmt.Fprintf(w, "   Condition: %s\n", t.Condition)
	}
	if alike > 0 {
		fmt.Fprintf(w, "   Alike: %d\n", alike)
	}
	w.frames(t)
	w.held(t)
	w.WriteByte('\n')
}

// frames writes the stack with the locks of its frames. What the thread waits for is under the first one.
func (w *virtualWriter) frames(t *virtual.Thread) {
	wait := t.Waits
	for i, f := range t.Frames {
		fmt.Fprintf(w, "\tat %s\n", f.Text)
		if i == 0 && t.Initialises != "" {
			fmt.Fprintf(w, "\t- waiting on the Class initialization monitor for %s\n", t.Initialises)
		}
		if i == 0 && wait != nil && !writesWait(f) {
			fmt.Fprintf(w, "\t- %s %s%s\n", wait.Action(), wait.Object, ownedBy(wait))
		}
		for _, l := range f.Locks {
			owner := ""
			if i == 0 && wait != nil && l.Object.Address == wait.Object.Address && l.Waits() {
				owner = ownedBy(wait)
			}
			fmt.Fprintf(w, "\t- %s %s%s\n", l.Action, l.Object, owner)
		}
	}
}

// writesWait reports that a line of the frame is what the thread waits for.
func writesWait(f thread.Frame) bool {
	for _, l := range f.Locks {
		if l.Waits() {
			return true
		}
	}
	return false
}

func ownedBy(w *thread.Wait) string {
	if w.OwnerID == 0 {
		return ""
	}
	return " owned by #" + strconv.FormatInt(w.OwnerID, 10)
}

// held writes what the thread holds and no frame shows.
func (w *virtualWriter) held(t *virtual.Thread) {
	var monitors []object.ID
	for _, o := range append(w.monitors[t.ID], t.Monitors...) {
		if !shown(t.Frames, o) && !contains(monitors, o) {
			monitors = append(monitors, o)
		}
	}
	if len(monitors) > 0 {
		w.WriteString("   Locked monitors:\n")
		for _, o := range monitors {
			fmt.Fprintf(w, "\t- %s\n", o)
		}
	}
	if owned := w.owned[t.ID]; len(owned) > 0 {
		w.WriteString("   Locked ownable synchronizers:\n")
		for _, o := range owned {
			fmt.Fprintf(w, "\t- %s\n", o)
		}
	}
}

// shown reports that a frame has a line that the object is locked.
func shown(frames []thread.Frame, o object.ID) bool {
	for _, f := range frames {
		for _, l := range f.Locks {
			if l.Action == thread.Locked && l.Object.Address == o.Address {
				return true
			}
		}
	}
	return false
}

func contains(objects []object.ID, o object.ID) bool {
	for _, other := range objects {
		if other.Address == o.Address {
			return true
		}
	}
	return false
}

// ownedMonitors are the monitors that threads wait for, by the ids of the owners.
func (d *Dump) ownedMonitors() map[int64][]object.ID {
	owned := map[int64][]object.ID{}
	add := func(w *thread.Wait) {
		if w != nil && w.Kind == thread.ToLock && w.OwnerID != 0 && !contains(owned[w.OwnerID], w.Object) {
			owned[w.OwnerID] = append(owned[w.OwnerID], w.Object)
		}
	}
	for _, t := range d.Threads {
		add(t.Waits)
	}
	for i := range d.Virtual.All() {
		add(d.Virtual.Threads[i].Waits)
	}
	return owned
}

// writeEscaped writes a name with control characters and backslashes as \uXXXX.
func writeEscaped(b *bytes.Buffer, name string) {
	for _, c := range name {
		if c < ' ' || c == '\\' || c >= 0x7f && c < 0xa0 || c == '\u2028' || c == '\u2029' {
			fmt.Fprintf(b, "\\u%04x", c)
		} else {
			b.WriteRune(c)
		}
	}
}
