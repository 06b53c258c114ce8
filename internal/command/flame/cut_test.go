package flame

import (
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/profile"
	"github.com/jstall/jstall/internal/shell"
)

// TestARecordingOfARunningJVMWhoseSecondChunkIsCut keeps the first chunk and names the second.
func TestARecordingOfARunningJVMWhoseSecondChunkIsCut(t *testing.T) {
	file, err := os.Open("../../../testdata/flight/contended.jfr.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	half := append(data, data[:len(data)/2]...)
	var live gathered
	err = live.recorded(profile.FlightRecorded{Data: half}, "live", flameOptions{event: flame.EventLock})
	if err != nil || live.code != shell.ExitPartial || len(live.profile.Sample) == 0 ||
		!strings.Contains(strings.Join(live.notes, " "), "chunk 1: it is cut") {
		t.Errorf("%v, %+v", err, live)
	}
}
