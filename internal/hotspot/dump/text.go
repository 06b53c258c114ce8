package dump

import (
	"bytes"
	"fmt"
	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"time"
)

// Text is the dump in the words of HotSpot's own (Threads::print_on, runtime/threads.cpp), as Thread.print
// -l writes it. It has no more than was read: a thread without frames has none, and "Locked ownable
// synchronizers" lists only locks that another thread waits for.
func (d *Dump) Text() []byte {
	b := &bytes.Buffer{}
	b.Grow(d.UsualSize())
	fmt.Fprintf(b, "%s\nFull thread dump %s (%s %s):\n\n", d.Time.Format("2006-01-02 15:04:05"), d.VM, d.Release,
		d.Mode)
	d.writeList(b)
	owned := d.ownedSynchronizers()
	for _, t := range d.Threads {
		d.writeThread(b, t)
		writeSynchronizers(b, owned[t.ID])
	}
	b.WriteString("JNI global refs: unknown\n\n") // the end of a dump
	return b.Bytes()
}

// UsualSize is how many bytes the text has, or a few more: thousands of threads have megabytes, and a buffer that grows
// takes three times as much.
func (d *Dump) UsualSize() int {
	const head, header, frame, lock = 1 << 10, 256, 6, 40 // with what is printed around names
	size := head
	for _, t := range d.Threads {
		size += header + len(t.RawName)
		for _, frames := range [][]thread.Frame{t.Frames, t.Mounted} {
			for _, f := range frames {
				size += frame + len(f.Text)
				for _, l := range f.Locks {
					size += lock + len(l.Action) + len(l.Object.Class)
				}
			}
		}
	}
	return size
}

// writeList writes the addresses of all threads. HotSpot does that from 11 on; it distinguishes headers from
// names that look like one.
func (d *Dump) writeList(b *bytes.Buffer) {
	const perLine = 4
	fmt.Fprintf(b, "Threads class SMR info:\n_java_thread_list=0x%016x, length=%d, elements={\n", d.List,
		len(d.Threads))
	for i, t := range d.Threads {
		end := ", "
		switch {
		case i == len(d.Threads)-1:
			end = "\n"
		case i%perLine == perLine-1:
			end = ",\n"
		}
		fmt.Fprintf(b, "0x%016x%s", t.Address, end)
	}
	b.WriteString("}\n\n")
}

func (d *Dump) writeThread(b *bytes.Buffer, t *thread.Thread) {
	d.writeHeader(b, t)
	switch {
	case t.Object == 0:
	case t.Carries != 0:
		fmt.Fprintf(b, "   Carrying virtual thread #%d\n", t.Carries)
	case t.State != "":
		fmt.Fprintf(b, "   java.lang.Thread.State: %s\n", t.State)
	}
	if reason := t.Unread(d.Sampling); reason != "" {
		fmt.Fprintf(b, "   Stack unknown: %s\n", reason)
	}
	if t.Near {
		b.WriteString("   Stack from registers: the place in the innermost compiled method is approximate\n")
	}
	writeFrames(b, t.Frames)
	if len(t.Mounted) > 0 && d.Major > 21 {
		fmt.Fprintf(b, "   Mounted virtual thread #%d\n", t.Carries)
		writeFrames(b, t.Mounted)
	}
	if t.Cut != "" {
		fmt.Fprintf(b, "   Rest of the stack unknown: %s\n", t.Cut)
	}
	b.WriteByte('\n')
}

// writeHeader follows Thread::print_on and JavaThread::print_on (runtime/thread.cpp, javaThread.cpp).
func (d *Dump) writeHeader(b *bytes.Buffer, t *thread.Thread) {
	fmt.Fprintf(b, "\"%s\" ", printedName(t))
	if t.ID != 0 {
		fmt.Fprintf(b, "#%d ", t.ID)
		if d.Major >= 21 {
			fmt.Fprintf(b, "[%d] ", t.NativeID)
		}
		if t.Daemon {
			b.WriteString("daemon ")
		}
		fmt.Fprintf(b, "prio=%d ", t.Priority)
	}
	b.WriteString("os_prio=0 ")
	if t.Kernel != nil && d.Major > 8 {
		fmt.Fprintf(b, "cpu=%.2fms ", milliseconds(t.Kernel.CPU))
		if t.Kernel.Aged {
			fmt.Fprintf(b, "elapsed=%.2fs ", t.Kernel.Elapsed.Seconds())
		}
		if t.Allocated > 0 {
			fmt.Fprintf(b, "allocated=%dB ", t.Allocated)
		}
	}
	fmt.Fprintf(b, "tid=0x%016x ", t.Address)
	if t.Carries == 0 {
		format := "nid=0x%x %s "
		if d.Major >= 21 {
			format = "nid=%d %s "
		}
		fmt.Fprintf(b, format, t.NativeID, t.Condition)
	}
	if d.Major > 8 {
		b.WriteByte(' ')
	}
	const page = 4096
	fmt.Fprintf(b, "[0x%016x]\n", t.StackAddress&^(page-1))
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// unreadName is printed instead of a name that could not be read.
const unreadName = "unknown"

func printedName(t *thread.Thread) string {
	if t.Unnamed {
		return unreadName
	}
	return t.RawName.ModifiedUTF8()
}

func writeFrames(b *bytes.Buffer, frames []thread.Frame) {
	for _, f := range frames {
		fmt.Fprintf(b, "\tat %s\n", f.Text)
		for _, l := range f.Locks {
			fmt.Fprintf(b, "\t- %s %s\n", l.Action, l.Object)
		}
	}
}

// ownedSynchronizers are the locks of java.util.concurrent that threads wait for, by their owners.
func (d *Dump) ownedSynchronizers() map[int64][]object.ID {
	owned := map[int64][]object.ID{}
	seen := map[uint64]bool{}
	add := func(w *thread.Wait) {
		if w != nil && w.Kind == thread.Parked && w.OwnerID != 0 && !seen[w.Object.Address] {
			seen[w.Object.Address] = true
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

func writeSynchronizers(b *bytes.Buffer, objects []object.ID) {
	if len(objects) == 0 {
		return
	}
	b.WriteString("   Locked ownable synchronizers:\n")
	for _, o := range objects {
		fmt.Fprintf(b, "\t- %s\n", o)
	}
	b.WriteByte('\n')
}
