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
// JVMs, and the requirements: the types of data, each with its diagnostic command if it has one. Each JVM has a folder
// named after its pid, with a folder for each type. A sample is thread-dumps/000-1763726000123.txt, with its number and
// the milliseconds since 1970; a type with a single sample has data.txt instead. Old releases named the folder of a
// command jcmd-GC_heap_info.
const (
	foreignMetadata   = "metadata.json"
	foreignDumps      = "thread-dumps"
	foreignProperties = "system-properties"
	foreignSystem     = "system-environment"
	foreignFlight     = "jfr"
	foreignJcmd       = "jcmd-"
)

// foreignJVM is what metadata.json has of one JVM. The answers to three commands are here only.
type foreignJVM struct {
	PID                              int
	MainClass, Error                 string
	StartedAt                        int64
	VMFlags, VMCommandLine, VMUptime string
}

// foreignType is a type of data and the command that it is the answer to, empty for other data.
type foreignType struct {
	Type, Command string
	Args          []string
}

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
		Requirements  []foreignType
		JVMs          []foreignJVM
	}
	if err := unmarshal(raw, &meta); err != nil {
		return Manifest{}, fmt.Errorf("its %s: %w", foreignMetadata, err)
	}
	m := Manifest{
		Format: formatVersion, Tool: meta.JstallVersion + " (Java)", Created: time.UnixMilli(meta.CreatedAt).UTC(),
	}
	root := strings.TrimSuffix(r.order[i].Name, foreignMetadata)
	members := r.byFolder(root)
	commands := map[string]string{foreignProperties: "VM.system_properties"}
	for _, t := range meta.Requirements {
		if t.Command != "" {
			commands[t.Type] = strings.Join(append([]string{t.Command}, t.Args...), " ")
		}
	}
	for _, j := range meta.JVMs {
		dir := root + strconv.Itoa(j.PID)
		one := JVM{
			Dir: dir, Target: Target{PID: j.PID, Name: j.MainClass}, Cost: json.RawMessage(`{"Source":"recording"}`),
		}
		if one.Readings, err = r.foreignReadings(members[strconv.Itoa(j.PID)], dir+"/", j, commands); err != nil {
			return Manifest{}, err
		}
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

// foreignReadings are the dumps in their order, one reading each, followed by everything else. The commands are those
// of the types.
func (r *Recording) foreignReadings(members []*zip.File, dir string, j foreignJVM, commands map[string]string,
) ([]Reading, error) {
	var dumps []Ref
	more := r.foreignAnswers(dir, j)
	for _, m := range members {
		kind, file, ok := strings.Cut(strings.TrimPrefix(m.Name, dir), "/")
		if !ok || m.UncompressedSize64 == 0 { // a command that failed has no answer
			continue
		}
		ref := Ref{Member: m.Name, Length: int64(m.UncompressedSize64), At: sampledAt(file, j.StartedAt)}
		command, isJcmd := strings.CutPrefix(kind, foreignJcmd)
		switch {
		case kind == foreignDumps:
			ref.Kind = ThreadDump
			dumps = append(dumps, ref)
		case kind == foreignSystem:
			refs, err := r.foreignMachine(m, ref.At, j.PID)
			if err != nil {
				return nil, err
			}
			more = append(more, refs...)
		case commands[kind] != "":
			ref.Kind, ref.Name = Jcmd, commands[kind]
			more = append(more, ref)
		case isJcmd:
			ref.Kind, ref.Name = Jcmd, strings.Replace(command, "_", ".", 1)
			more = append(more, ref)
		}
	}
	inTime := func(a, b Ref) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Member, b.Member)) }
	order.SortStable(dumps, inTime)
	order.SortStable(more, inTime)
	var readings []Reading
	for _, d := range dumps {
		readings = append(readings, Reading{Entries: []Ref{d}})
	}
	if len(more) > 0 {
		readings = append(readings, Reading{Ask: "more", Entries: more})
	}
	return readings, nil
}

// addMade adds a member that the archive does not have: the content in the form that jstall reads.
func (r *Recording) addMade(ref Ref, content string) Ref {
	r.made[ref.Member], ref.Length = []byte(content), int64(len(content))
	return ref
}

// foreignAnswers are the answers to commands that metadata.json has.
func (r *Recording) foreignAnswers(dir string, j foreignJVM) (refs []Ref) {
	for _, a := range []struct{ command, answer string }{
		{"VM.flags", j.VMFlags}, {"VM.command_line", j.VMCommandLine}, {"VM.uptime", j.VMUptime},
	} {
		if a.answer != "" {
			refs = append(refs, r.addMade(Ref{Kind: Jcmd, Name: a.command, At: -1,
				Member: dir + foreignMetadata + "/" + a.command}, a.answer))
		}
	}
	return refs
}

// foreignMachine turns a list of processes into entries. The recorded JVM has an entry of its own and is not among the
// others.
func (r *Recording) foreignMachine(m *zip.File, at int64, pid int) ([]Ref, error) {
	raw, err := readMember(m, maxManifest)
	if err == nil {
		err = r.unpacked.add(int64(len(raw)))
	}
	var list foreignProcesses
	if err == nil {
		err = unmarshal(raw, &list)
	}
	if err != nil {
		return nil, fmt.Errorf("its %s: %w", m.Name, err)
	}
	own, others := list.stats(pid)
	refs := []Ref{r.addMade(Ref{At: at, Kind: Kernel, Name: "processes", Member: m.Name + "/processes"}, others)}
	if own != "" {
		refs = append(refs, r.addMade(Ref{At: at, Kind: Process, Member: m.Name + "/stat"}, own))
	}
	return refs, nil
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
