package diagcmd

import (
	"slices"
	"strings"
)

// Vitals is the answer of VM.vitals, a command of SapMachine: samples that the JVM keeps about itself, its process and
// the machine, the latest first.
//
//	Last 60 minutes:
//	                     --system-- -----jvm-----
//	                                --heap--- -cls-
//	                     avail comm comm used ld
//	2022-05-14 14:52:36  54.4g 21.7g 130m   7m  0
//
// Values are as printed: "54.4g" is in units of 1024³ bytes, "7" a count. A missing value is blank, so columns are
// recognised by their ends.
// Source: SapMachine's share/vitals/vitals.cpp.
type Vitals struct {
	Periods []VitalsPeriod `json:"periods"`
}

// VitalsPeriod is a table of samples.
type VitalsPeriod struct {
	// Title is like "Last 60 minutes".
	Title string `json:"title"`
	// Columns are like "jvm heap used".
	Columns []string       `json:"columns"`
	Samples []VitalsSample `json:"samples"`
}

// VitalsSample is one line.
type VitalsSample struct {
	// Time is the JVM's local time, "2022-05-14 14:52:36".
	Time string `json:"time"`
	// Values are in the order of the columns; a missing value is empty.
	Values []string `json:"values"`
}

// Recognised reports whether the text was an answer of VM.vitals.
func (v Vitals) Recognised() bool { return len(v.Periods) > 0 }

var (
	vitalsTime  = onUse(`^\s*(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)`)
	vitalsTitle = onUse(`^\s*((?:Last \d+|Now)[^:]*):?\s*$`)
	vitalsGroup = onUse(`-+[a-z]+-+`)
	vitalsWord  = onUse(`\S+`)
)

// ParseVitals parses the answer without its legend.
func ParseVitals(text string) Vitals {
	var v Vitals
	var title string
	var head []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := vitalsTitle().FindStringSubmatch(line); m != nil {
			title, head = m[1], nil
		} else if m := vitalsTime().FindStringSubmatchIndex(line); m != nil {
			v.add(title, head, line[m[2]:m[3]], line[:m[3]], line[m[3]:])
		} else if title != "" {
			head = append(head, line)
		}
	}
	return v
}

// add adds a sample to the period of that title.
func (v *Vitals) add(title string, head []string, time, before, values string) {
	names, ends := vitalsColumns(head)
	if len(names) == 0 {
		return
	}
	if n := len(v.Periods); n == 0 || v.Periods[n-1].Title != title {
		v.Periods = append(v.Periods, VitalsPeriod{Title: title, Columns: names})
	}
	s := VitalsSample{Time: time, Values: make([]string, len(names))}
	column := 0
	for _, at := range vitalsWord().FindAllStringIndex(values, -1) {
		for column < len(ends)-1 && ends[column] < len(before)+at[1] {
			column++
		}
		s.Values[column] = values[at[0]:at[1]]
	}
	p := &v.Periods[len(v.Periods)-1]
	p.Samples = append(p.Samples, s)
}

// vitalsColumns reads the heading: lines of groups over the line of names.
func vitalsColumns(head []string) (names []string, ends []int) {
	for len(head) > 0 && strings.TrimSpace(head[len(head)-1]) == "" {
		head = head[:len(head)-1]
	}
	if len(head) < 2 {
		return nil, nil
	}
	last := head[len(head)-1]
	starts := vitalsWord().FindAllStringIndex(last, -1)
	for i, at := range starts {
		name := last[at[0]:at[1]]
		for _, groups := range slices.Backward(head[:len(head)-1]) {
			for _, g := range vitalsGroup().FindAllStringIndex(groups, -1) {
				if g[0] <= at[0] && at[0] < g[1] {
					name = strings.Trim(groups[g[0]:g[1]], "-") + " " + name
				}
			}
		}
		end := at[1]
		if i+1 < len(starts) {
			end = starts[i+1][0] - 1
		}
		names, ends = append(names, name), append(ends, end)
	}
	return names, ends
}
