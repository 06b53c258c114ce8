package diagcmd

import (
	"strings"
)

// Histogram is the answer of GC.class_histogram.
//
//	 num     #instances         #bytes  class name (module)
//	-------------------------------------------------------
//	   1:          7222         333640  [B (java.base@17.0.21)
//	Total         23393        1065608
//
// JDK 8 names no modules. Source: share/memory/heapInspection.cpp.
type Histogram struct {
	Instances Opt[int64] `json:"instances,omitzero"`
	Bytes     Opt[int64] `json:"bytes,omitzero"`
	// Classes are in the answer's order, the most bytes first.
	Classes []ClassCount `json:"classes"`
	Unread  `json:"-"`
}

// ClassCount counts the objects of one class of one loader. Their sizes do not include the objects that they refer to.
type ClassCount struct {
	// Class is as the JVM names it, arrays as "[B" or "[Ljava.lang.String;".
	Class     string `json:"class"`
	Module    string `json:"module,omitempty"`
	Instances int64  `json:"instances"`
	Bytes     int64  `json:"bytes"`
}

// Recognised reports whether the text was an answer of GC.class_histogram.
func (h Histogram) Recognised() bool { return len(h.Classes) > 0 }

var histogramLine = onUse(`^\s*\d+:\s+(\S+)\s+(\S+)\s+(\S+)(?:\s+\((.*)\))?\s*$`)

// ParseHistogram reads the answer.
func ParseHistogram(text string) Histogram {
	var h Histogram
	for line := range strings.Lines(latin(text)) {
		if words := strings.Fields(line); len(words) == 3 && words[0] == "Total" {
			h.Instances, h.Bytes = whole(words[1]), whole(words[2])
			h.check(line, h.Instances, h.Bytes)
			continue
		}
		m := histogramLine().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		if n, ok := wholes(m[1:3]); ok {
			h.Classes = append(h.Classes, ClassCount{Class: m[3], Module: m[4], Instances: n[0], Bytes: n[1]})
		} else {
			h.note(line)
		}
	}
	return h
}
