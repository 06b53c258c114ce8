package recording

import (
	"archive/zip"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/order"
)

// The Java tool of the same name also writes recordings. In a folder named after the file, metadata.json lists the
// JVMs. Each JVM has a folder named after its pid, with a folder for each kind. A sample is
// thread-dumps/000-1763726000123.txt, with its number and the milliseconds since 1970; a kind with a single sample has
// data.txt instead. The same holds for jcmd-GC_heap_info and system-properties.
const (
	foreignMetadata   = "metadata.json"
	foreignDumps      = "thread-dumps"
	foreignProperties = "system-properties"
	foreignJcmd       = "jcmd-"
)

// foreign converts the recording of the Java tool to our format.
func (r *Recording) foreign() (Manifest, error) {
	i := slices.IndexFunc(r.order, func(m *zip.File) bool { return path.Base(m.Name) == foreignMetadata })
	if i < 0 {
		return Manifest{}, ErrNotOurs
	}
	raw, err := readMember(r.order[i], maxManifest)
	if err != nil {
		return Manifest{}, fmt.Errorf("its %s: %w", foreignMetadata, err)
	}
	var meta struct {
		JstallVersion string
		CreatedAt     int64
		JVMs          []struct {
			PID              int
			MainClass, Error string
			StartedAt        int64
		}
	}
	if err := unmarshal(raw, &meta); err != nil {
		return Manifest{}, fmt.Errorf("its %s: %w", foreignMetadata, err)
	}
	m := Manifest{
		Format: formatVersion, Tool: meta.JstallVersion + " (Java)", Created: time.UnixMilli(meta.CreatedAt).UTC(),
	}
	root := strings.TrimSuffix(r.order[i].Name, foreignMetadata)
	members := r.byFolder(root)
	for _, j := range meta.JVMs {
		dir := root + strconv.Itoa(j.PID)
		one := JVM{
			Dir: dir, Target: Target{PID: j.PID, Name: j.MainClass}, Cost: json.RawMessage(`{"Source":"recording"}`),
		}
		one.Readings = foreignReadings(members[strconv.Itoa(j.PID)], dir+"/", j.StartedAt)
		if j.Error != "" {
			one.Ended = &Failure{Message: j.Error}
		}
		m.JVMs = append(m.JVMs, one)
	}
	return m, nil
}

// byFolder are the members below root by the folder they are in.
func (r *Recording) byFolder(root string) map[string][]*zip.File {
	members := map[string][]*zip.File{}
	for _, m := range r.order {
		rest, below := strings.CutPrefix(m.Name, root)
		if folder, _, ok := strings.Cut(rest, "/"); below && ok && !m.Mode().IsDir() {
			members[folder] = append(members[folder], m)
		}
	}
	return members
}

// foreignReadings are the dumps in their order, one reading each, followed by everything else.
func foreignReadings(members []*zip.File, dir string, began int64) []Reading {
	var dumps, more []Ref
	for _, m := range members {
		kind, file, ok := strings.Cut(strings.TrimPrefix(m.Name, dir), "/")
		if !ok {
			continue
		}
		ref := Ref{Member: m.Name, Length: int64(m.UncompressedSize64), At: sampledAt(file, began)}
		command, isJcmd := strings.CutPrefix(kind, foreignJcmd)
		switch {
		case kind == foreignDumps:
			ref.Kind = ThreadDump
			dumps = append(dumps, ref)
		case kind == foreignProperties:
			ref.Kind, ref.Name = Jcmd, "VM.system_properties"
			more = append(more, ref)
		case isJcmd:
			ref.Kind, ref.Name = Jcmd, strings.Replace(command, "_", ".", 1)
			more = append(more, ref)
		}
	}
	order.SortStable(dumps,
		func(a, b Ref) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Member, b.Member)) })
	var readings []Reading
	for _, d := range dumps {
		readings = append(readings, Reading{Entries: []Ref{d}})
	}
	if len(more) > 0 {
		readings = append(readings, Reading{Ask: "more", Entries: more})
	}
	return readings
}

// sampledAt is the time in nanoseconds since the recording began, taken from the name of a sample; -1 if the name has
// no time.
func sampledAt(file string, began int64) int64 {
	_, millis, _ := strings.Cut(strings.TrimSuffix(file, path.Ext(file)), "-")
	at, err := strconv.ParseInt(millis, 10, 64)
	if err != nil || began == 0 || at < began {
		return -1
	}
	return (at - began) * int64(time.Millisecond)
}
