package diagcmd

import (
	"strings"
)

// Metaspace is the answer of VM.metaspace (10 and newer), with sizes as the JVM has rounded them.
//
//	Total Usage - 2 loaders, 498 classes (485 shared):
//	  Non-Class:    6 chunks,      4.05 MB capacity,  176.00 KB (  4%) committed,   135.67 KB (  3%) used, …
//	       Both:    …                                 (alone, without a name, where classes have no own space)
//	Virtual space:
//	  Non-class space:       64.00 MB reserved,     192.00 KB ( <1%) committed,  1 nodes.
//	MaxMetaspaceSize: unlimited
//
// Sources: share/memory/metaspace/metaspaceReporter.cpp, metaspace.cpp.
type Metaspace struct {
	Loaders Opt[int64] `json:"loaders,omitzero"`
	Classes Opt[int64] `json:"classes,omitzero"`
	// Shared counts the classes from the shared archive.
	Shared Opt[int64] `json:"sharedClasses,omitzero"`
	// Areas are "non-class", "class" and, last, "both".
	Areas []MetaspaceArea `json:"areas"`
	// Max is unknown without a limit; then Unlimited is true.
	Max        Opt[int64] `json:"maxBytes,omitzero"`
	Unlimited  bool       `json:"unlimited,omitempty"`
	ClassSpace Opt[int64] `json:"compressedClassSpaceBytes,omitzero"`
	// GCThreshold is the committed size at which the next GC for metaspace begins.
	GCThreshold Opt[int64] `json:"gcThresholdBytes,omitzero"`
	// CDS is "on" or "off", empty if unknown.
	CDS    string `json:"cds,omitempty"`
	Unread `json:"-"`
}

// MetaspaceArea is a part of metaspace.
type MetaspaceArea struct {
	Name      string     `json:"name"`
	Chunks    Opt[int64] `json:"chunks,omitzero"`
	Used      Opt[int64] `json:"usedBytes,omitzero"`
	Capacity  Opt[int64] `json:"capacityBytes,omitzero"`
	Free      Opt[int64] `json:"freeBytes,omitzero"`
	Committed Opt[int64] `json:"committedBytes,omitzero"`
	Reserved  Opt[int64] `json:"reservedBytes,omitzero"`
}

// Recognised reports whether the text was an answer of VM.metaspace.
func (m Metaspace) Recognised() bool { return len(m.Areas) > 0 }

var (
	metaspaceTotal = onUse(`^Total Usage\s*-?\s*(\d+) loaders?, (\d+) classes(?: \((\d+) shared\))?`)
	metaspaceUsage = onUse(`^\s*(?:(Non-Class|Class|Both):)?\s+(\d+) chunks?,`)
	metaspaceSpace = onUse(
		`^\s*(?:(Non-class|Class) space|(Both)):\s+(` + figure + `) (\w+) ` +
			`reserved,\s+(` + figure + `) (\w+) .*committed`)
	sizedWord = onUse(`(\S+) (bytes?|[KMGT]B)(?: \([ <\d]+%\))? (\w+)`)
)

// ParseMetaspace reads the answer.
func ParseMetaspace(text string) Metaspace {
	var m Metaspace
	for line := range strings.Lines(latin(text)) {
		if t := metaspaceTotal().FindStringSubmatch(line); t != nil {
			m.Loaders, m.Classes, m.Shared = whole(t[1]), whole(t[2]), whole(t[3])
		} else if u := metaspaceUsage().FindStringSubmatch(line); u != nil && m.Loaders.Known {
			m.addUsage(u[1], u[2], line)
		} else if s := metaspaceSpace().FindStringSubmatch(line); s != nil {
			a := m.area(s[1] + s[2])
			a.Reserved, a.Committed = decimalSize(s[3], s[4]), decimalSize(s[5], s[6])
			m.check(line, a.Reserved, a.Committed)
		} else {
			m.addSetting(line)
		}
	}
	return m
}

// area returns the area of that name, and adds it if necessary. An empty name is that of all areas.
func (m *Metaspace) area(name string) *MetaspaceArea {
	name = strings.ToLower(name)
	if name == "" {
		name = "both"
	}
	for i := range m.Areas {
		if m.Areas[i].Name == name {
			return &m.Areas[i]
		}
	}
	m.Areas = append(m.Areas, MetaspaceArea{Name: name})
	return &m.Areas[len(m.Areas)-1]
}

func (m *Metaspace) addUsage(name, chunks, line string) {
	a := m.area(name)
	a.Chunks = whole(chunks)
	line, _, _ = strings.Cut(line, "deallocated:")
	for _, w := range sizedWord().FindAllStringSubmatch(line, -1) {
		value := decimalSize(w[1], w[2])
		m.check(line, value)
		switch w[3] {
		case "capacity":
			a.Capacity = value
		case "used":
			a.Used = value
		case "free":
			a.Free = value
		}
	}
}

func (m *Metaspace) addSetting(line string) {
	key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
	words := append(strings.Fields(value), "", "")
	bytes := decimalSize(words[0], words[1])
	switch key {
	case "MaxMetaspaceSize":
		if m.Max, m.Unlimited = bytes, value == "unlimited"; !m.Unlimited {
			m.check(line, bytes)
		}
	case "CompressedClassSpaceSize":
		m.ClassSpace = bytes
	case "Current GC threshold":
		m.GCThreshold = bytes
	case "CDS":
		m.CDS = value
	}
}

// MetaspaceOf takes the figures of metaspace from GC.heap_info, up to JDK 24.
func MetaspaceOf(h HeapInfo) Metaspace {
	var m Metaspace
	if h.Metaspace == nil {
		return m
	}
	area := func(name string, u *MetaspaceUse) {
		m.Areas = append(m.Areas,
			MetaspaceArea{Name: name, Used: u.Used, Capacity: u.Capacity, Committed: u.Committed, Reserved: u.Reserved})
	}
	if h.ClassSpace != nil {
		area("class", h.ClassSpace)
	}
	area("both", h.Metaspace)
	return m
}
