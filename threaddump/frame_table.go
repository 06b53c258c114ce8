package threaddump

import "strings"

// frameTable is a hash table with open addressing: a lookup by bytes costs one
// comparison and no allocation.
type frameTable struct {
	// entries are the frames in the order in which they came; the first is noFrame.
	entries []frameEntry
	slots   []frameSlot // by hash
	// runs are frames that were under each other, those that followed an entry by its
	// run; the first is empty. runText is how long the texts of all are.
	runs    []frameRun
	runText int
}

// frameSlot is where an entry is found. It has a part of the hash, so that another frame is passed without a look at
// its entry, which is rarely in the processor's cache.
type frameSlot struct {
	entry int32 // noFrame if the slot is free
	tag   uint32
}

type frameEntry struct {
	frame *Frame
	hash  uint64
	// next is the frame that was under this one where it was seen last, noFrame
	// if it was the outermost; that of noFrame itself is the innermost.
	next int32
	// run is the index of those under it, 0 for none.
	run int32
}

// frameRun is frames that were under each other without another line between them.
type frameRun struct {
	came uint64 // hash of those that came last
	// frames are those that came twice in a row, kept their hash, last the entry of the
	// outermost, and text their lines in a dump; all are empty until that happens.
	frames []*Frame
	kept   uint64
	last   int32
	text   string
	power  uint64 // of hashBase, to as many as they are
}

const (
	// shortestRun is how many frames are worth to be looked for at once.
	shortestRun = 4
	// mostRunText bounds how many bytes of runs are remembered.
	mostRunText = 8 << 20
)

// noFrame is the entry that stands for no frame.
const noFrame = 0

func (t *frameTable) find(h uint64, text []byte) int32 {
	if len(t.slots) == 0 {
		return noFrame
	}
	for at := h; ; at++ {
		slot := t.slots[at&uint64(len(t.slots)-1)]
		if slot.entry == noFrame {
			return noFrame
		}
		if slot.tag != tagOf(h) {
			continue
		}
		if e := &t.entries[slot.entry]; e.hash == h && e.frame.Text == string(text) {
			return slot.entry
		}
	}
}

// tagOf is a part of a hash that does not choose the slot.
func tagOf(h uint64) uint32 { return uint32(h >> 32) }

func (t *frameTable) add(h uint64, f *Frame) int32 {
	if len(t.entries) == cap(t.entries) {
		t.grow()
	}
	i := int32(len(t.entries))
	t.entries = append(t.entries, frameEntry{frame: f, hash: h})
	t.put(i)
	return i
}

// grow makes room for more entries, and four slots for three of them: for four times as many, and for twice as many
// once the slots begin to outgrow the processor's cache.
func (t *frameTable) grow() {
	slots := max(256, 4*len(t.slots))
	if len(t.slots) > 1<<16 {
		slots = 2 * len(t.slots)
	}
	t.entries = append(make([]frameEntry, 0, slots/4*3), t.entries...)
	t.slots = make([]frameSlot, slots)
	if len(t.entries) == 0 {
		t.entries = append(t.entries, frameEntry{}) // noFrame
	}
	for i := range t.entries[1:] {
		t.put(int32(i + 1))
	}
}

func (t *frameTable) put(i int32) {
	h := t.entries[i].hash
	at := h
	for t.slots[at&uint64(len(t.slots)-1)].entry != noFrame {
		at++
	}
	t.slots[at&uint64(len(t.slots)-1)] = frameSlot{entry: i, tag: tagOf(h)}
}

// after returns the frame that is likely to be under another, noFrame if none.
func (t *frameTable) after(i int32) int32 {
	if len(t.entries) == 0 {
		return noFrame
	}
	return t.entries[i].next
}

// runAfter returns the frames that are likely to be under another, nil if none.
func (t *frameTable) runAfter(i int32) *frameRun {
	if len(t.entries) == 0 || t.entries[i].run == 0 {
		return nil
	}
	if run := &t.runs[t.entries[i].run]; run.text != "" {
		return run
	}
	return nil
}

// addRun remembers frames that were under another if they did so the last time too:
// what comes once is not worth its memory.
func (t *frameTable) addRun(after int32, entries []int32) {
	above := &t.entries[after]
	if above.run == 0 {
		if len(t.runs) == 0 {
			t.runs = append(t.runs, frameRun{})
		}
		above.run = int32(len(t.runs))
		t.runs = append(t.runs, frameRun{})
	}
	run, hash := &t.runs[above.run], uint64(0)
	for _, i := range entries {
		hash = mixHash(hash, t.entries[i].hash)
	}
	if run.came == hash && run.kept != hash {
		t.keepRun(run, entries, hash)
	}
	run.came = hash
}

// keepRun makes a run to be found. Lines that are to be reported each time they come
// do not count.
func (t *frameTable) keepRun(run *frameRun, entries []int32, hash uint64) {
	size := 0
	for _, i := range entries {
		f := t.entries[i].frame
		if !f.whole() {
			return
		}
		size += len(frameBegin) + len(f.Text) + len("\n")
	}
	if t.runText-len(run.text)+size > mostRunText {
		return
	}
	t.runText += size - len(run.text)
	var text strings.Builder
	text.Grow(size)
	frames, power := make([]*Frame, len(entries)), uint64(1)
	for n, i := range entries {
		frames[n], power = t.entries[i].frame, power*hashBase
		text.WriteString(frameBegin + frames[n].Text + "\n")
	}
	run.frames, run.kept, run.last = frames, hash, entries[len(entries)-1]
	run.text, run.power = text.String(), power
}

// mixHash adds a frame's hash to that of the frames above it. It is a polynomial: with
// the right power of hashBase that of several frames is added at once.
func mixHash(stack, frame uint64) uint64 { return stack*hashBase + frame }

const hashBase = 0x9e3779b97f4a7c15
