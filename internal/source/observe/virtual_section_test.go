package observe

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/internal/source/recorded"
	"github.com/jstall/jstall/threaddump"
)

const section = `Virtual threads of 0x00007f3c1c002a40: 2 found, 2 read

"order-1" #4711 virtual PARKED
   java.lang.Thread.State: WAITING (parking)
	at com.acme.Order.run(Order.java:12)
	- parking to wait for  <0x000000069ec17bc0> (a com.acme.Lock) owned by #4712

"order-2" #4712 virtual PARKED
   java.lang.Thread.State: WAITING (parking)
	at com.acme.Order.run(Order.java:12)

Virtual threads end
`

// readings is a source of entries that were taken before.
type readings struct {
	next [][]recording.Entry
	// again is the dump that the last reading gives when it is asked for once more.
	again []byte
}

func (r *readings) Next(_ context.Context, q source.Request) ([]recording.Entry, error) {
	if q.Virtual {
		return nil, nil
	}
	if q.Repeat {
		return []recording.Entry{{Kind: recording.ThreadDump, Bytes: r.again}}, nil
	}
	if len(r.next) == 0 {
		return nil, io.EOF
	}
	next := r.next[0]
	r.next = r.next[1:]
	return next, nil
}

func (r *readings) Left() int         { return len(r.next) }
func (r *readings) Cost() source.Cost { return source.Cost{} }

func demoDump(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../../testdata/demo", "1.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The virtual threads of a reading are threads of its dump, live and replayed, and their lines are those of the text.
func TestVirtualThreadsOfAReading(t *testing.T) {
	dump := demoDump(t)
	reading := []recording.Entry{
		{Kind: recording.ThreadDump, Bytes: dump}, form.VirtualEntry("", []byte(section), nil),
	}
	platform, err := threaddump.Parse(dump)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "recording.zip")
	writer, err := recording.Create(path, recording.Manifest{}, false)
	if err != nil {
		t.Fatal(err)
	}
	into := writer.JVM(recording.Target{PID: 7})
	live := &recorded.Recorder{Source: &readings{next: [][]recording.Entry{reading}, again: dump}, Into: into}
	checkVirtualRead(t, live, dump, len(platform[0].Threads))
	if err := errors.Join(live.Finish(nil, nil), writer.Close()); err != nil {
		t.Fatal(err)
	}
	saved, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = saved.Close() }()
	checkVirtualRead(t, recorded.Replay(saved, saved.Manifest.JVMs[0]), dump, len(platform[0].Threads))
}

func checkVirtualRead(t *testing.T, src source.Source, dump []byte, platform int) {
	t.Helper()
	var texts Texts
	result, err := Take(t.Context(), src, Plan{Texts: &texts})
	if err != nil || len(result.Series.Snaps) != 1 {
		t.Fatal(err)
	}
	samples := result.Series.Snaps[0].Samples
	if len(samples) != platform+2 {
		t.Fatalf("%d threads, want %d", len(samples), platform+2)
	}
	text := texts.Dumps()[0].Text
	if !bytes.Equal(text, append(bytes.Clone(dump), section...)) {
		t.Fatal("the text lacks the section")
	}
	lines := strings.Split(string(text), "\n")
	for _, s := range samples[platform:] {
		if line := lines[s.Line-1]; !s.Thread.Virtual || !strings.HasPrefix(line, `"`+s.Thread.Name+`" #`) {
			t.Errorf("line %d of %s is %q", s.Line, s.Thread.Name, line)
		}
	}
}

// A reading whose virtual threads could not be read, or are damaged, has its dump.
func TestUnreadVirtualThreads(t *testing.T) {
	dump := demoDump(t)
	parsed, err := threaddump.Parse(dump)
	if err != nil {
		t.Fatal(err)
	}
	d := parsed[0]
	for want, e := range map[string]recording.Entry{
		"no right":                    form.VirtualEntry("", nil, errors.New("no right")),
		threaddump.ErrNoDump.Error():  form.VirtualEntry("", []byte("nonsense"), nil),
		"they take more than 256 MB":  {Kind: recording.Virtual, Bytes: make([]byte, form.MaxVirtualSection+1)},
		"the virtual threads take mo": form.VirtualEntry("", make([]byte, form.MaxVirtualSection+1), nil),
	} {
		o := NewObserver(nil)
		o.virtual = &e
		all := o.withVirtual(recording.Entry{Bytes: dump}, d, nil)
		if all.VirtualListed || !strings.HasPrefix(all.VirtualMissing, want) || len(all.Threads) != len(d.Threads) {
			t.Errorf("%s: %q", want, all.VirtualMissing)
		}
		if d.VirtualMissing != "" {
			t.Fatal("the parsed dump changed")
		}
	}
}
