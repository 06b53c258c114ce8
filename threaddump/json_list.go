package threaddump

import "bytes"

// listWithin finds the bracket of a list of ThreadInfos in a line of JSON that has other keys before the list, and
// returns -1 without such a list:
//
//	{"request":{"type":"exec","operation":"dumpAllThreads"},"value":[{"waitedCount":0,"threadName":"a",…
func listWithin(line []byte) int {
	begin := bytes.TrimLeft(line, " \t")
	if len(begin) == 0 || begin[0] != '{' && begin[0] != '[' || !bytes.Contains(begin, []byte("hread")) {
		return -1
	}
	var open []int // the brackets around a place
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '{', '[':
			open = append(open, i)
		case '}', ']':
			if len(open) == 0 {
				return -1
			}
			open = open[:len(open)-1]
		case '"':
			end := stringEnd(line, i)
			if n := len(open); n > 2 && line[open[n-1]] == '{' && line[open[n-2]] == '[' &&
				isThreadKey(line[i+1:end], line[min(end+1, len(line)):]) {
				return open[n-2]
			}
			i = end
		}
	}
	return -1
}

// isThreadKey recognises a key that each ThreadInfo has, by what follows the string.
func isThreadKey(text, after []byte) bool {
	const longest = 20
	if after = bytes.TrimLeft(after, " "); len(after) == 0 || after[0] != ':' || len(text) > longest {
		return false
	}
	key := plainKey(string(text))
	return key == "threadname" || key == "threadid"
}

// stringEnd is the quote that ends the string at i, or the end of the line.
func stringEnd(line []byte, i int) int {
	for i++; i < len(line) && line[i] != '"'; i++ {
		if line[i] == '\\' {
			i++
		}
	}
	return min(i, len(line))
}
