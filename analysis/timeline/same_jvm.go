package timeline

import (
	"jstall/analysis/finding"
	"slices"
)

// differentJVM says why b cannot be a later dump of a's JVM, and nothing if it
// can.
func differentJVM(a, b *Snapshot) string {
	switch {
	case a.startTime != 0 && b.startTime != 0 && a.startTime != b.startTime:
		return "the process has another start time"
	case a.Version != "" && b.Version != "" && a.Version != b.Version,
		a.JVM != "" && b.JVM != "" && a.JVM != b.JVM:
		return "its version differs"
	}
	return contradiction(a, b)
}

// contradiction compares the threads that two dumps have in common by #id. In one
// JVM they keep their addresses and grow older.
func contradiction(a, b *Snapshot) string {
	common, moved, aged, younger := 0, 0, 0, 0
	inBoth(a, b, func(then, now *Sample) {
		if !now.Thread.Java() {
			return
		}
		common++
		moved += finding.CountIf(then.Thread.TID != 0 && now.Thread.TID != 0 && then.Thread.TID != now.Thread.TID)
		if then.Age != Unknown && now.Age != Unknown {
			aged++
			younger += finding.CountIf(now.Age < then.Age-int64(clockSlack))
		}
	})
	switch {
	case common == 0 && CountJava(a) > 0 && CountJava(b) > 0 && a.Missing+b.Missing == 0:
		return "no thread id is in both dumps"
	case common > 0 && 2*moved > common:
		return "its threads are at other addresses"
	case aged > 0 && 2*younger > aged:
		return "its threads are younger"
	}
	return ""
}

// byJVM parts the dumps, in order, by the JVM they are of; the JVM that the last
// one is of comes first. What holds no thread belongs to any JVM, and says nothing.
func byJVM(ordered []*Snapshot) [][]*Snapshot {
	var jvms [][]*Snapshot // the one whose dump was seen last stands last
	for _, s := range ordered {
		mine := []*Snapshot{}
		for i, known := range slices.Backward(jvms) {
			if differentJVM(lastWithThreads(known), s) == "" {
				mine = known
				jvms = slices.Delete(jvms, i, i+1)
				break
			}
		}
		jvms = append(jvms, append(mine, s))
	}
	slices.Reverse(jvms)
	return jvms
}

func lastWithThreads(snaps []*Snapshot) *Snapshot {
	for _, s := range slices.Backward(snaps) {
		if len(s.Samples) > 0 {
			return s
		}
	}
	return snaps[len(snaps)-1]
}

// withThreads is the first dump that has threads, if one has.
func withThreads(snaps []*Snapshot) *Snapshot {
	for _, s := range snaps {
		if len(s.Samples) > 0 {
			return s
		}
	}
	return snaps[0]
}
