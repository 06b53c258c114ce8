package diagcmd

import "strings"

// ClassLoaders is the answer of VM.classloader_stats, by the class of the loaders:
//
//	ClassLoader         Parent              CLD*               Classes   ChunkSz   BlockSz  Type
//	0x00007f5784000a10  0x00007f578307af08  0x00007f5764504b00       1      1280       618  app.Plugin$Loader
//	                                                                       1      1024       888   + hidden classes
//	Total = 331                                                    989    978816    291757
//
// Source: share/classfile/classLoaderStats.cpp.
type ClassLoaders map[string]LoaderKind

// LoaderKind is the loaders of one class.
type LoaderKind struct {
	// Loaders counts them, Classes all classes that they have defined.
	Loaders, Classes int64
	// Alike is the largest number of these loaders that have the same number of classes, not zero.
	Alike int64
}

// loaderSize is the class of loaders and the number of their classes.
type loaderSize struct {
	class   string
	classes int64
}

// ParseClassLoaders parses the answer. It skips malformed lines.
func ParseClassLoaders(text string) ClassLoaders {
	all := ClassLoaders{}
	alike := map[loaderSize]int64{}
	for line := range strings.Lines(latin(text)) {
		words := strings.Fields(line)
		const columns = 7
		if len(words) != columns || !strings.HasPrefix(words[0], "0x") {
			continue
		}
		classes := whole(words[3])
		if !classes.Known {
			continue
		}
		n := classes.Value
		k := all[words[6]]
		k.Loaders++
		k.Classes += n
		if size := (loaderSize{words[6], n}); n > 0 {
			alike[size]++
			k.Alike = max(k.Alike, alike[size])
		}
		all[words[6]] = k
	}
	return all
}
