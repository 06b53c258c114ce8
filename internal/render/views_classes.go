package render

import (
	"fmt"

	"github.com/jstall/jstall/internal/diagcmd"
)

// LoaderFacts are the facts of vm-classloader-stats.
type LoaderFacts struct {
	diagcmd.LoaderTable
	// Kinds are the loaders by their class, those with the most classes first.
	Kinds []LoaderKind `json:"kinds"`
}

// LoaderKind sums the loaders of one class.
type LoaderKind struct {
	Class   string `json:"class"`
	Loaders int64  `json:"loaders"`
	// Classes includes the hidden ones; the sizes are of metaspace.
	Classes    int64 `json:"classes"`
	ChunkBytes int64 `json:"chunkBytes"`
	BlockBytes int64 `json:"blockBytes"`
	// Empty counts the loaders without a class.
	Empty int64 `json:"emptyLoaders,omitempty"`
	// ClassesChange is the change over the capture, nil if there was only one answer.
	ClassesChange *int64 `json:"classesChange,omitempty"`
}

func (f LoaderFacts) lay(d *document, o Options) {
	d.section("Loaders", plain(fmt.Sprintf("%s with %s classes, %s of metaspace used of %s allocated",
		knownCount(f.Count), knownCount(f.Classes), knownBytes(f.Blocks), knownBytes(f.Chunks))))
	t := table{columns: []column{
		{title: "LOADERS", right: true}, {title: "EMPTY", right: true, optional: true}, {title: "CLASSES", right: true},
		{title: "CHANGE", right: true, optional: true}, {title: "USED", right: true}, {title: "ALLOCATED", right: true},
		{title: "CLASS OF THE LOADERS", flexible: true},
	}}
	shown := rows(len(f.Kinds), o, 20)
	for _, k := range f.Kinds[:shown] {
		empty := unknown
		if k.Empty > 0 {
			empty = count(int(k.Empty))
		}
		t.add(plain(count(int(k.Loaders))), plain(empty), plain(count(int(k.Classes))),
			plain(signedCount(k.ClassesChange)),
			plain(byteSize(float64(k.BlockBytes))), plain(byteSize(float64(k.ChunkBytes))), quoted(k.Class))
	}
	d.table(t)
	d.more(len(f.Kinds) - shown)
}

// HistogramFacts are the facts of class-histogram.
type HistogramFacts struct {
	diagcmd.Histogram
	// Live reports that a GC came first, so that dead objects are not counted; nil if unknown, as for a saved answer.
	Live   *bool            `json:"live,omitempty"`
	Change *HistogramChange `json:"change,omitempty"`
}

// HistogramChange is the change from the first answer to the last.
type HistogramChange struct {
	Seconds   *float64 `json:"seconds,omitempty"`
	Instances int64    `json:"instances"`
	Bytes     int64    `json:"bytes"`
	// Classes are those that changed, the largest change in bytes first.
	Classes []diagcmd.ClassCount `json:"classes"`
}

const usualClasses = 20

func (f HistogramFacts) lay(d *document, o Options) {
	live, dead := "", ""
	if f.Live != nil && *f.Live {
		live = " live"
	} else if f.Live != nil {
		dead = ", dead ones among them"
	}
	d.section("Objects", plain(fmt.Sprintf("%s%s of %s%s, %s", knownCount(f.Instances), live,
		countedAs(len(f.Classes), "class", "classes"), dead, knownBytes(f.Bytes))))
	t := table{columns: []column{
		{title: "BYTES", right: true}, {title: "%", right: true}, {title: "INSTANCES", right: true},
		{title: "CLASS", flexible: true}, {title: "MODULE", optional: true, spare: true},
	}}
	shown := rows(len(f.Classes), o, usualClasses)
	for _, c := range f.Classes[:shown] {
		t.add(plain(byteSize(float64(c.Bytes))), plain(fullness(diagcmd.Opt[int64]{Value: c.Bytes, Known: true},
			f.Bytes)),
			plain(count(int(c.Instances))), quoted(c.Class), plain(orUnknown(c.Module)))
	}
	d.table(t)
	d.more(len(f.Classes) - shown)
	f.Change.lay(d, o)
}

func (c *HistogramChange) lay(d *document, o Options) {
	if c == nil {
		return
	}
	text := fmt.Sprintf("%s objects, %s", signedCount(&c.Instances), signedBytes(&c.Bytes))
	if c.Seconds != nil {
		text += " in " + duration(*c.Seconds)
	}
	d.section("Change", plain(text))
	t := table{columns: []column{{title: "BYTES", right: true}, {title: "INSTANCES", right: true},
		{title: "CLASS", flexible: true}}}
	shown := rows(len(c.Classes), o, usualClasses)
	for _, k := range c.Classes[:shown] {
		t.add(plain(signedBytes(&k.Bytes)), plain(signedCount(&k.Instances)), quoted(k.Class))
	}
	if shown > 0 {
		d.table(t)
	}
	d.more(len(c.Classes) - shown)
}
