package diagcmd

import (
	"slices"
	"strings"
)

// Loader is a line of VM.classloader_stats; see [ClassLoaders].
type Loader struct {
	// Address distinguishes loaders in one answer. A GC may change it.
	Address string `json:"address"`
	Parent  string `json:"parent,omitempty"`
	// Class is the class of the loader, "<boot class loader>" for the JVM's own.
	Class   string `json:"class"`
	Classes int64  `json:"classes"`
	// ChunkBytes are set aside for it in metaspace, BlockBytes of them used.
	ChunkBytes int64 `json:"chunkBytes"`
	BlockBytes int64 `json:"blockBytes"`
	// Hidden counts its hidden classes (such as lambdas), which Classes does not include; up to JDK 14 they are called
	// unsafe anonymous classes.
	Hidden           int64 `json:"hiddenClasses,omitempty"`
	HiddenChunkBytes int64 `json:"hiddenChunkBytes,omitempty"`
	HiddenBlockBytes int64 `json:"hiddenBlockBytes,omitempty"`
}

// LoaderTable is the loaders with the answer's own totals.
type LoaderTable struct {
	Count   Opt[int64] `json:"loaders,omitzero"`
	Classes Opt[int64] `json:"classes,omitzero"`
	Chunks  Opt[int64] `json:"chunkBytes,omitzero"`
	Blocks  Opt[int64] `json:"blockBytes,omitzero"`
	Loaders []Loader   `json:"table"`
	Unread  `json:"-"`
}

// Recognised reports whether the text was an answer of VM.classloader_stats.
func (t LoaderTable) Recognised() bool { return len(t.Loaders) > 0 }

// ParseLoaderTable reads the answer.
func ParseLoaderTable(text string) LoaderTable {
	var t LoaderTable
	for line := range strings.Lines(latin(text)) {
		words := strings.Fields(line)
		switch at := slices.Index(words, "+"); {
		case len(words) > 6 && strings.HasPrefix(words[0], "0x"):
			if n, ok := wholes(words[3:6]); ok {
				t.Loaders = append(t.Loaders, Loader{
					Address: words[0], Parent: words[1], Class: strings.Join(words[6:], " "),
					Classes: n[0], ChunkBytes: n[1], BlockBytes: n[2],
				})
			} else {
				t.note(line)
			}
		case at == 3 && len(t.Loaders) > 0:
			if n, ok := wholes(words[:3]); ok {
				last := &t.Loaders[len(t.Loaders)-1]
				last.Hidden, last.HiddenChunkBytes, last.HiddenBlockBytes = n[0], n[1], n[2]
			} else {
				t.note(line)
			}
		case len(words) == 6 && words[0] == "Total" && words[1] == "=":
			t.Count, t.Classes, t.Chunks, t.Blocks = whole(words[2]), whole(words[3]), whole(words[4]), whole(words[5])
			t.check(line, t.Count, t.Classes, t.Chunks, t.Blocks)
		}
	}
	return t
}

func wholes(words []string) ([]int64, bool) {
	out := make([]int64, len(words))
	for i, w := range words {
		n := whole(w)
		if !n.Known {
			return nil, false
		}
		out[i] = n.Value
	}
	return out, true
}
