package diagcmd

import "strings"

// CodeCache is the answer of Compiler.codecache.
//
//	8..11, 17  CodeHeap 'non-nmethods': size=5692Kb used=1022Kb max_used=1029Kb free=4669Kb
//	           CodeCache: size=3072Kb used=3071Kb max_used=3071Kb free=1Kb      (not segmented)
//	            compilation: disabled (not enough contiguous free space left)
//	21..       CodeCache: size=245760Kb, used=1247Kb, max_used=1247Kb, free=244510Kb
//	           Compilation: enabled, stopped_count=0, restarted_count=0
//
// Sources: share/code/codeCache.cpp, print_summary; share/compiler/compileBroker.cpp.
type CodeCache struct {
	// Size and Used are bytes over all its parts.
	Size, Used Opt[int64]
	// Disabled is why the compiler is off, empty if it is on.
	Disabled string
	// Fullest is the part with the least room, as a share of its size, 0 to 1.
	Fullest Opt[float64]
}

// interpreted is the reason under -Xint, which is not a problem.
const interpreted = "interpreter mode"

// ParseCodeCache parses the answer. Without a known line the figures are unknown.
func ParseCodeCache(text string) CodeCache {
	var c CodeCache
	var sum CodeCache
	for line := range strings.Lines(latin(text)) {
		line = strings.TrimSpace(line)
		switch label, rest, _ := strings.Cut(line, ": "); {
		case label == "CodeCache":
			c.Size, c.Used = field(rest, "size="), field(rest, "used=")
			c.fill(c.Size, c.Used)
		case strings.HasPrefix(label, "CodeHeap "):
			size, used := field(rest, "size="), field(rest, "used=")
			sum.Size, sum.Used = plus(sum.Size, size), plus(sum.Used, used)
			c.fill(size, used)
		case strings.EqualFold(label, "compilation"):
			if why, ok := strings.CutPrefix(rest, "disabled ("); ok {
				c.Disabled, _, _ = strings.Cut(why, ")")
			}
		}
	}
	if !c.Size.Known {
		c.Size, c.Used = sum.Size, sum.Used
	}
	if c.Disabled == interpreted {
		c.Disabled = ""
	}
	return c
}

func (c *CodeCache) fill(size, used Opt[int64]) {
	if !size.Known || !used.Known || size.Value <= 0 {
		return
	}
	share := float64(used.Value) / float64(size.Value)
	if !c.Fullest.Known || share > c.Fullest.Value {
		c.Fullest = known(share)
	}
}

func plus(a, b Opt[int64]) Opt[int64] {
	if !b.Known {
		return a
	}
	return known(a.Value + b.Value)
}

// field finds "size=5692Kb" among words separated by blanks or commas.
func field(rest, key string) Opt[int64] {
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == ',' }) {
		if value, ok := strings.CutPrefix(word, key); ok {
			return size(value)
		}
	}
	return Opt[int64]{}
}
