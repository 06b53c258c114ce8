package iowait_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// A child that writes while no thread reads its output writes its errors, which no thread reads.
func TestUnreadErrorsOfAChild(t *testing.T) {
	for children, want := range map[timeline.Children]string{
		{Count: 2, Writing: 2}:             "io-wait/warning/likely: a,b | ",
		{Count: 4, Writing: 2, Waiting: 2}: "io-wait/warning/likely: a,b | ", // shells wait for who writes
		{Count: 2, Writing: 1}:             "io-wait/info/possible: a,b | ",
		{Count: 2, Waiting: 2}:             "io-wait/info/possible: a,b | ",
	} {
		var look []timeline.Observation
		for i := range 3 {
			reads := func(id int64, name string) *threaddump.Thread {
				t := Thread(id, name,
					At("!java.io.FileInputStream.readBytes", "java.io.BufferedReader.readLine", "Converter.preview",
						"Worker.run"), Used(0, 9))
				LockOn(t, threaddump.Locked, 0x8+uint64(id), iowaits.FromChild)
				return t
			}
			o := Observe(float64(i), reads(1, "a"), reads(2, "b"))
			o.Machine = &timeline.Machine{Children: children}
			look = append(look, o)
		}
		ExpectOnly(t, Diagnose(look...), finding.KindIOWait, want)
	}
}

// A main that waits for its child rests, unless that waits for its output to be read.
func TestAMainThatWaitsForAChild(t *testing.T) {
	for children, want := range map[timeline.Children]string{
		{Count: 1, Writing: 1}: "io-wait/warning/likely: main | ",
		{Count: 1, Waiting: 1}: "",
		{Count: 1}:             "",
	} {
		var dumps []timeline.Observation
		for i := range 3 {
			main := Thread(1, "main", At("!java.lang.Object.wait", "java.lang.ProcessImpl.waitFor", "Launcher.main"),
				Used(0, 9))
			o := Observe(float64(i), main)
			o.Machine = &timeline.Machine{Children: children}
			dumps = append(dumps, o)
		}
		ExpectOnly(t, Diagnose(dumps...), finding.KindIOWait, want)
	}
}

// The report names the child if it is the only one that the JVM has started.
func TestTheOnlyChildIsNamed(t *testing.T) {
	for only, want := range map[string]string{
		"ffmpeg (pid 4711)": `"scale" waits for the child process ffmpeg (pid 4711) to end, unchanged for 2.0 s`,
		"":                  `"scale" waits for a child process to end, unchanged for 2.0 s`,
	} {
		var dumps []timeline.Observation
		for i := range 3 {
			scale := Thread(1, "scale", At("!java.lang.Object.wait", "java.lang.ProcessImpl.waitFor", "Video.convert",
				"Video.scale", "Worker.run"), Used(0, 9))
			o := Observe(float64(i), scale)
			o.Machine = &timeline.Machine{Children: timeline.Children{Count: 1, Only: only}}
			dumps = append(dumps, o)
		}
		if r := Diagnose(dumps...); len(r.Findings) != 1 || r.Findings[0].Title != want {
			t.Errorf("%q: %+v", only, r.Findings)
		}
	}
}
