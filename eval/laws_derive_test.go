package eval

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/threaddump"
)

// derived is a text made from an input.
type derived struct{ name, text string }

var (
	dateLine    = regexp.MustCompile(`(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\r?\n`)
	ownersBlock = regexp.MustCompile(`\n[ \t]*Locked ownable synchronizers:\r?\n([ \t]+- .*\n)+`)
	headerLine  = regexp.MustCompile(`(?m)^".*$`)
	anyLine     = regexp.MustCompile(`(?m)^.*$`)
	frameLine   = regexp.MustCompile(`(?m)^[ \t]+(at|-) .*\n`)
	lockLine    = regexp.MustCompile(`(?m)^[ \t]+- (locked|waiting|parking|eliminated) .*\n`)
	age         = regexp.MustCompile(` elapsed=[0-9.]+s`)
	cpuTime     = regexp.MustCompile(` cpu=[0-9.]+ms`)
)

// cutAt80 cuts a line at the edge of a screen.
func cutAt80(line string) string {
	const edge = 80
	if runes := []rune(line); len(runes) > edge {
		return string(runes[:edge])
	}
	return line
}

// firstHalf cuts a text at a line in its middle. A form without a last line would be whole between any two threads,
// with no sign that more followed, so it is cut inside a frame.
func firstHalf(text string) string {
	half := text[:len(text)/2]
	half = half[:strings.LastIndex(half, "\n")+1]
	if strings.Contains(text, "JNI global ref") {
		return half
	}
	if i := strings.Index(text[len(half):], "\tat "); i >= 0 {
		return text[:len(half)+i+len("\tat java.")]
	}
	return half
}

// withoutLocks removes the lines of locks, except one under a carrier that waits for a class: neither its header nor
// its state shows that it waits.
func withoutLocks(text string) string {
	all := entriesOf(text)
	for i := range all {
		e := &all[i]
		carries := slices.ContainsFunc(e.lines, func(line string) bool {
			return strings.Contains(line, "Carrying virtual thread #")
		})
		e.lines = slices.DeleteFunc(slices.Clone(e.lines), func(line string) bool {
			return lockLine.MatchString(line) && !(carries && strings.Contains(line, "Class initialization monitor"))
		})
	}
	return textOf(all)
}

// poorer returns texts of the same dumps with less information.
func poorer(text string) []derived {
	all := []derived{
		{"cut at 80 columns", anyLine.ReplaceAllStringFunc(text, cutAt80)},
		{"headers cut at 80 columns", headerLine.ReplaceAllStringFunc(text, cutAt80)},
		{"without dates", dateLine.ReplaceAllString(text, "")},
		{"without -l", ownersBlock.ReplaceAllString(text, "\n")},
		{"without stacks", frameLine.ReplaceAllString(text, "")},
		{"without locks", withoutLocks(text)},
		{"without times", cpuTime.ReplaceAllString(age.ReplaceAllString(text, ""), "")},
		{"first half", firstHalf(text)},
	}
	return slices.DeleteFunc(all, func(d derived) bool { return d.text == text || d.text == "" })
}

// packedForms are the bytes of files with the same text.
func packedForms(t *testing.T, text string) map[string][]byte {
	t.Helper()
	words := utf16.Encode([]rune("\ufeff" + text))
	wide := make([]byte, 0, 2*len(words))
	for _, w := range words {
		wide = binary.LittleEndian.AppendUint16(wide, w)
	}
	var gz, zipped, recorded bytes.Buffer
	for _, write := range []func() error{
		func() error { return gzipText(&gz, text) },
		func() error { return zipText(&zipped, text) },
		func() error { return recordText(&recorded, text) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"gz": gz.Bytes(), "zst": encoder.EncodeAll([]byte(text), nil), "zip": zipped.Bytes(),
		"recording": recorded.Bytes(), "UTF-16": wide,
		"CRLF": []byte(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")),
	}
}

func gzipText(out *bytes.Buffer, text string) error {
	w := gzip.NewWriter(out)
	if _, err := w.Write([]byte(text)); err != nil {
		return err
	}
	return w.Close()
}

func zipText(out *bytes.Buffer, text string) error {
	w := zip.NewWriter(out)
	member, err := w.Create("dump.txt")
	if err != nil {
		return err
	}
	if _, err := member.Write([]byte(text)); err != nil {
		return err
	}
	return w.Close()
}

func recordText(out *bytes.Buffer, text string) error {
	w := recording.CreateOn(out, recording.Manifest{Tool: "test"})
	j := w.JVM(recording.Target{PID: 1, Name: "App"})
	if err := j.Add("", []recording.Entry{{Kind: recording.ThreadDump, Bytes: []byte(text), At: -1}}); err != nil {
		return err
	}
	j.Finish(recording.End{})
	return w.Close()
}

// object is a JSON object.
type object = map[string]any

// infoJSON writes the Java threads of a dump as JSON of java.lang.management.ThreadInfo. The owners are those of the
// management interface, which knows no virtual threads. It returns false if the dump has no threads, or has carriers,
// whose stacks that interface prints differently.
func infoJSON(d *threaddump.Dump) (string, bool) {
	owners := ownersIn(d)
	threads := []object{}
	for _, th := range d.Threads {
		if th.Carrying != 0 {
			return "", false
		}
		if th.ID != 0 && !th.Virtual {
			threads = append(threads, infoOf(th, owners))
		}
	}
	text, err := json.Marshal(object{"threads": threads})
	return string(text), err == nil && len(threads) > 0
}

// ownersIn maps locks to the threads that hold them, by the lines of a dump or by the JVM's report of deadlocks.
func ownersIn(d *threaddump.Dump) map[uint64]*threaddump.Thread {
	owners, byName := map[uint64]*threaddump.Thread{}, map[string]*threaddump.Thread{}
	for _, th := range d.Threads {
		byName[th.Name] = th
	}
	for _, th := range d.Threads {
		for _, l := range th.Locks {
			if owner := byName[l.OwnerName]; held(th, l) {
				owners[l.Address] = th
			} else if owner != nil {
				owners[l.Address] = owner
			}
		}
	}
	for _, dl := range d.Deadlocks {
		for _, m := range dl.Members {
			if owner := byName[m.HeldBy]; owner != nil {
				owners[m.Address] = owner
			}
		}
	}
	return owners
}

func infoOf(th *threaddump.Thread, owners map[uint64]*threaddump.Thread) object {
	stack, monitors, synchronizers := []object{}, []object{}, []object{}
	for _, f := range th.Stack {
		line := f.Line
		if f.Native {
			line = -2
		}
		stack = append(stack, object{"className": f.Class, "methodName": f.Method, "fileName": f.File,
			"lineNumber": line, "nativeMethod": f.Native})
	}
	row := object{"threadName": th.Name, "threadId": th.ID, "blockedTime": -1, "blockedCount": 1,
		"daemon": th.Daemon, "threadState": th.State.String(), "stackTrace": stack, "lockOwnerId": -1,
		"inNative": len(th.Stack) > 0 && th.Stack[0].Native, "suspended": false, "priority": th.Priority}
	for _, l := range th.Locks {
		it := object{"className": l.Class, "identityHashCode": hash(l.Address)}
		switch {
		case l.Op == threaddump.OwnsSynchronizer:
			synchronizers = append(synchronizers, it)
		case held(th, l) && l.Depth >= 0:
			it["lockedStackDepth"], it["lockedStackFrame"] = l.Depth, stack[l.Depth]
			monitors = append(monitors, it)
		case l.Op != threaddump.Locked && l.Op != threaddump.Eliminated && l.Address != 0:
			row["lockInfo"], row["lockName"] = it, fmt.Sprintf("%s@%x", l.Class, hash(l.Address))
			if owner := owners[l.Address]; owner != nil && owner != th {
				row["lockOwnerId"], row["lockOwnerName"] = owner.ID, owner.Name
			}
		}
	}
	row["lockedMonitors"], row["lockedSynchronizers"] = monitors, synchronizers
	return row
}

// hash is an identity hash for an address: positive, as those of HotSpot are.
func hash(address uint64) int32 { return int32((address ^ address>>31) & 0x7fffffff) }

// held reports whether a thread holds the lock of one of its lines.
func held(th *threaddump.Thread, l threaddump.Lock) bool {
	if l.Op == threaddump.OwnsSynchronizer {
		return true
	}
	return l.Op == threaddump.Locked && !slices.ContainsFunc(th.Locks, func(other threaddump.Lock) bool {
		return other.Address == l.Address && other.Op != threaddump.Locked
	})
}

// idleThreads are threads of idle libraries, as text without the figures in their headers.
func idleThreads(inputs []*lawInput) []entry {
	var all []entry
	seen := map[string]bool{}
	library := regexp.MustCompile(`^"(kafka-|multiThreadIo|nioEventLoop|qtp|Scheduler-|http-nio|Catalina|` +
		`XNIO|vert\.x|grpc-|HikariPool|h2|OkHttp|reactor-|parallel-|AsyncAppender|quartz)`)
	for _, in := range inputs {
		if !strings.HasPrefix(in.name, "frameworks/") || !strings.HasSuffix(in.name, "-idle-jdk17.txt") {
			continue
		}
		for _, e := range entriesOf(in.text) {
			if e.thread != "" && library.MatchString(e.thread) && !seen[in.name+e.thread] {
				seen[in.name+e.thread] = true
				all = append(all, e)
			}
		}
	}
	return all
}

var (
	numberOf  = regexp.MustCompile(`" #\d+`)
	tidOf     = regexp.MustCompile(`tid=0x[0-9a-f]+`)
	nidOf     = regexp.MustCompile(`nid=(0x[0-9a-f]+|\d+)`)
	objectOf  = regexp.MustCompile(`<0x[0-9a-f]+>`)
	figuresOf = regexp.MustCompile(` (allocated=\S+|defined_classes=\S+)`)
)

// withIdle adds threads of idle libraries before the first thread of each dump, with the age of that thread. It returns
// false if HotSpot does not print the form of the text.
func withIdle(text string, idle []entry) (string, bool) {
	all := entriesOf(text)
	taken := map[string]bool{}
	for _, e := range all {
		taken[e.thread] = true
	}
	var out []entry
	added := false
	for i, e := range all {
		if e.thread != "" && (i == 0 || all[i-1].thread == "") && numberOf.MatchString(e.lines[0]) {
			added = true
			for n, lib := range idle {
				if !taken[lib.thread] {
					out = append(out, guest(lib, e.lines[0], n))
				}
			}
		}
		out = append(out, e)
	}
	return textOf(out), added
}

// guest is a thread of a library with the figures of another thread's header.
func guest(lib entry, header string, n int) entry {
	lines := slices.Clone(lib.lines)
	head := figuresOf.ReplaceAllString(lines[0], "")
	head = age.ReplaceAllString(head, age.FindString(header))
	head = cpuTime.ReplaceAllString(head, cpuTime.FindString(header)[:0])
	if cpuTime.MatchString(header) {
		head = strings.Replace(head, " os_prio=0", " os_prio=0 cpu=1.00ms", 1)
	}
	head = numberOf.ReplaceAllString(head, fmt.Sprintf(`" #%d`, 900_000+n))
	head = tidOf.ReplaceAllString(head, fmt.Sprintf("tid=0x00007a00%08x", 0x1000*(n+1)))
	lines[0] = nidOf.ReplaceAllString(head, fmt.Sprintf("nid=0x%x", 900_000+n))
	objects := map[string]string{}
	for i, line := range lines {
		lines[i] = objectOf.ReplaceAllStringFunc(line, func(o string) string {
			if objects[o] == "" {
				objects[o] = fmt.Sprintf("<0x0000007a%08x>", 0x10000*(n+1)+16*len(objects))
			}
			return objects[o]
		})
	}
	return entry{thread: lib.thread, lines: lines}
}
