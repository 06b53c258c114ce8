package jfr

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
)

// firstChunk is that of a recording of a short program that sets a property.
func firstChunk(t *testing.T) *Chunk {
	t.Helper()
	path := filepath.Join(t.TempDir(), "real.jfr")
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{
		Class: "Exit", Args: []string{"500", "7"},
		JVMArgs: []string{"-XX:StartFlightRecording=settings=profile,filename=" + path, "-Dplanted.name=planted value"},
	})
	jvm.Wait()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	chunk, err := NewReader(in).Next()
	if err != nil {
		t.Fatal(err)
	}
	return chunk
}

// TestValuesOfARealRecording reads every field of every event, and what a few must hold.
func TestValuesOfARealRecording(t *testing.T) {
	chunk := firstChunk(t)
	planted, frames := "", 0
	err := chunk.Events(nil, func(ty *Type, in *Decoder) error {
		if !ty.IsEvent() {
			return nil
		}
		e := chunk.Event(ty, in)
		if in.Err == nil && in.At != len(in.Data) {
			t.Fatalf("%s: %d bytes are left", ty.Name, len(in.Data)-in.At)
		}
		if ty.Name == "jdk.InitialSystemProperty" && e.Member("key").Text() == "planted.name" {
			planted = e.Member("value").Text()
		}
		for _, f := range e.Member("stackTrace").Member("frames").Elements() {
			if f.Member("method").Member("type").Member("name").Member("string").Text() == "Exit" {
				frames++
			}
		}
		return nil
	})
	if err != nil || planted != "planted value" || frames == 0 {
		t.Errorf("%v, property %q, %d frames of Exit", err, planted, frames)
	}
}

// TestDescriptionsOfARealRecording: what the chunk describes of its types for people.
func TestDescriptionsOfARealRecording(t *testing.T) {
	types := firstChunk(t).Types
	if label := types.Named("jdk.GCHeapSummary")[0].Label(); label != "Heap Summary" {
		t.Errorf("label %q", label)
	}
	pauses := types.Named("jdk.GarbageCollection")[0].Field("sumOfPauses")
	if content, unit := pauses.Content(); content != Timespan || unit != "TICKS" {
		t.Errorf("pauses are %s %s", content, unit)
	}
}
