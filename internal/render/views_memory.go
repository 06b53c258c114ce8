package render

import (
	"fmt"

	"github.com/jstall/jstall/internal/diagcmd"
)

// HeapFacts are the facts of gc-heap-info.
type HeapFacts struct {
	Heap diagcmd.HeapInfo `json:"heap"`
	// Change is over the time between the first answer and the last, nil where there
	// is one.
	Change *HeapChange `json:"change,omitempty"`
	// Collections are from the JVM's counters, empty without counters.
	Collections []Collections `json:"collections,omitempty"`
}

// HeapChange is the change from the first answer to the last. With a GC in between, more was allocated than the used
// size has grown.
type HeapChange struct {
	Seconds        *float64 `json:"seconds,omitempty"`
	UsedBytes      int64    `json:"usedBytes"`
	CommittedBytes *int64   `json:"committedBytes,omitempty"`
}

// Collections is one kind of GC since the JVM's start.
type Collections struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
	// PauseSeconds is the sum of its pauses.
	PauseSeconds *float64 `json:"pauseSeconds,omitempty"`
	// The changes are over the capture, nil if the counters were read only once.
	CountChange        *int64   `json:"countChange,omitempty"`
	PauseSecondsChange *float64 `json:"pauseSecondsChange,omitempty"`
}

func (f HeapFacts) lay(d *document, o Options) {
	h := f.Heap
	text := byteSize(float64(h.Used.Value)) + " used"
	if h.Committed.Known {
		text += fmt.Sprintf(" of %s committed%s", byteSize(float64(h.Committed.Value)), ofWhole(h.Used, h.Committed))
	}
	if h.Max.Known {
		text += fmt.Sprintf(", %s at most%s", byteSize(float64(h.Max.Value)), ofWhole(h.Used, h.Max))
	}
	if h.Collector != "" {
		text = h.Collector + ", " + text
	}
	d.section("Heap", plain(text))
	if len(h.Parts) > 1 || len(h.Parts) == 1 && h.RegionSize == (diagcmd.Opt[int64]{}) {
		d.table(heapParts(h.Parts))
	}
	f.Change.lay(d)
	if h.RegionSize.Known {
		d.section("Regions", plain(regionText(h)))
	}
	if h.Metaspace != nil {
		d.section("Metaspace", plain(metaspaceText("", *h.Metaspace)))
		if h.ClassSpace != nil {
			d.under(plain(metaspaceText("of it for classes ", *h.ClassSpace)))
		}
	}
	if len(f.Collections) > 0 {
		d.section("GC", plain("collections since the JVM's start"))
		d.table(collectionTable(f.Collections))
	}
}

func (c *HeapChange) lay(d *document) {
	if c == nil {
		return
	}
	text := signedBytes(&c.UsedBytes) + " used"
	if c.CommittedBytes != nil {
		text += ", " + signedBytes(c.CommittedBytes) + " committed"
	}
	if c.Seconds != nil {
		text += " in " + duration(*c.Seconds)
	}
	d.section("Change", plain(text))
}

// ofWhole is " (33 %)", empty if unknown.
func ofWhole(part, whole diagcmd.Opt[int64]) string {
	if !part.Known || !whole.Known || whole.Value <= 0 {
		return ""
	}
	return fmt.Sprintf(" (%.0f %%)", 100*float64(part.Value)/float64(whole.Value))
}

func heapParts(parts []diagcmd.HeapPart) table {
	t := table{columns: []column{
		{title: "PART"}, {title: "USED", right: true}, {title: "COMMITTED", right: true},
		{title: "FULL %", right: true, optional: true},
		{title: "MAX", right: true, optional: true},
	}}
	for _, p := range parts {
		name := strong(p.Name)
		if p.Space {
			name = plain("  " + p.Name)
		}
		t.add(name, plain(knownBytes(p.Used)), plain(knownBytes(p.Committed)), plain(fullness(p.Used, p.Committed)),
			plain(knownBytes(p.Max)))
	}
	return t
}

func knownBytes(n diagcmd.Opt[int64]) string {
	if !n.Known {
		return unknown
	}
	return byteSize(float64(n.Value))
}

func knownCount(n diagcmd.Opt[int64]) string {
	if !n.Known {
		return unknown
	}
	return count(int(n.Value))
}

func fullness(used, of diagcmd.Opt[int64]) string {
	if !used.Known || !of.Known || of.Value <= 0 {
		return unknown
	}
	return percent(100 * float64(used.Value) / float64(of.Value))
}

func regionText(h diagcmd.HeapInfo) string {
	text := "of " + knownBytes(h.RegionSize)
	for i, r := range h.Regions {
		sign := ", "
		if i == 0 {
			sign = ": "
		}
		text += fmt.Sprintf("%s%s %s", sign, count(int(r.Count)), r.Use)
	}
	return text
}

func metaspaceText(prefix string, m diagcmd.MetaspaceUse) string {
	return fmt.Sprintf("%s%s used, %s committed, %s reserved", prefix, knownBytes(m.Used), knownBytes(m.Committed),
		knownBytes(m.Reserved))
}

func collectionTable(all []Collections) table {
	t := table{columns: []column{
		{title: "COLLECTIONS", flexible: true}, {title: "COUNT", right: true},
		{title: "IN CAPTURE", right: true, optional: true},
		{title: "PAUSES", right: true}, {title: "IN CAPTURE", right: true, optional: true},
	}}
	for _, c := range all {
		t.add(plain(c.Name), plain(count(int(c.Count))), plain(signedCount(c.CountChange)),
			plain(optDuration(c.PauseSeconds)), plain(optDuration(c.PauseSecondsChange)))
	}
	return t
}

// MetaspaceFacts are the facts of vm-metaspace.
type MetaspaceFacts struct {
	Metaspace diagcmd.Metaspace `json:"metaspace"`
	// Change is over the time between the first answer and the last, nil where there
	// is one.
	Change *MetaspaceChange `json:"change,omitempty"`
}

// MetaspaceChange is the change from the first answer to the last.
type MetaspaceChange struct {
	Seconds   *float64 `json:"seconds,omitempty"`
	UsedBytes *int64   `json:"usedBytes,omitempty"`
	Classes   *int64   `json:"classes,omitempty"`
	Loaders   *int64   `json:"loaders,omitempty"`
}

func (f MetaspaceFacts) lay(d *document, o Options) {
	m := f.Metaspace
	both := m.Areas[len(m.Areas)-1]
	text := knownBytes(both.Used) + " used, " + knownBytes(both.Committed) + " committed"
	if m.Classes.Known {
		text = fmt.Sprintf("%s classes of %s loaders: %s", knownCount(m.Classes), knownCount(m.Loaders), text)
	}
	d.section("Metaspace", plain(text))
	if c := f.Change; c != nil {
		text := fmt.Sprintf("%s used, %s classes, %s loaders", signedBytes(c.UsedBytes), signedCount(c.Classes),
			signedCount(c.Loaders))
		if c.Seconds != nil {
			text += " in " + duration(*c.Seconds)
		}
		d.section("Change", plain(text))
	}
	t := table{columns: []column{
		{title: "AREA"}, {title: "USED", right: true}, {title: "CAPACITY", right: true, optional: true},
		{title: "FREE", right: true, optional: true}, {title: "COMMITTED", right: true},
		{title: "RESERVED", right: true}, {title: "CHUNKS", right: true, optional: true},
	}}
	for _, a := range m.Areas {
		t.add(plain(a.Name), plain(knownBytes(a.Used)), plain(knownBytes(a.Capacity)), plain(knownBytes(a.Free)),
			plain(knownBytes(a.Committed)), plain(knownBytes(a.Reserved)), plain(knownCount(a.Chunks)))
	}
	d.table(t)
	if limits := metaspaceLimits(m); limits != "" {
		d.section("Limits", plain(limits))
	}
}

func metaspaceLimits(m diagcmd.Metaspace) string {
	text := ""
	add := func(format string, args ...any) {
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf(format, args...)
	}
	switch {
	case m.Unlimited:
		add("MaxMetaspaceSize unlimited")
	case m.Max.Known:
		add("MaxMetaspaceSize %s", knownBytes(m.Max))
	}
	if m.ClassSpace.Known {
		add("CompressedClassSpaceSize %s", knownBytes(m.ClassSpace))
	}
	if m.GCThreshold.Known {
		add("the next collection for it at %s", knownBytes(m.GCThreshold))
	}
	if m.CDS != "" {
		add("class data sharing %s", m.CDS)
	}
	return text
}
