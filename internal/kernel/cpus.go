package kernel

import "bytes"

// allowedCPUs reads "Cpus_allowed_list:	0-3,8" of status; nil if it is not there.
func allowedCPUs(status []byte) map[int]bool {
	_, rest, ok := bytes.Cut(status, []byte("\nCpus_allowed_list:"))
	if !ok {
		return nil
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	set := map[int]bool{}
	for part := range bytes.SplitSeq(bytes.TrimSpace(line), []byte(",")) {
		from, to, isRange := bytes.Cut(part, []byte("-"))
		if !isRange {
			to = from
		}
		first, last := number(from), number(to)
		const mostCPUs = 1 << 16
		if !first.Known || !last.Known || first.Value < 0 || last.Value >= mostCPUs {
			return nil
		}
		for cpu := first.Value; cpu <= last.Value; cpu++ {
			set[int(cpu)] = true
		}
	}
	return set
}
