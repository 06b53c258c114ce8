package analysis

import (
	"fmt"
	"strings"
	"testing"

	"jstall/threaddump"
)

// A thread that is woken while it reads may have its answers, or wait for one that comes bit by bit: then it has
// sent nothing meanwhile.
func TestAnswersThatComeBitByBit(t *testing.T) {
	frames := func(above string) []string {
		if above == "" {
			above = "java.io.BufferedReader.fill"
		}
		return []string{"!sun.nio.ch.Net.poll", above, "java.io.BufferedReader.readLine", "Probe.level", "Probe.run"}
	}
	stands := at
	const at, above = "Probe.level:13>readLine", "Probe.run:14>level"
	both := map[string]bool{at: true, above: true}
	for _, test := range []struct {
		name           string
		writes         [3]int64
		straight, asks map[string]bool
		cpu            float64
		received       int64
		above          string
		want           string
	}{
		{"has sent nothing", [3]int64{7, 7, 7}, both, map[string]bool{at: true}, 0.001, 3, "", "io-wait/warning/likely: a | "},
		{"has sent nothing, by who has called it", [3]int64{7, 7, 7}, both, map[string]bool{above: true}, 0.001, 3, "", "io-wait/warning/likely: a | "},
		{"has sent something", [3]int64{7, 7, 8}, both, map[string]bool{at: true}, 0.001, 3, "", ""},
		{"never wrote, as far as can be told", [3]int64{0, 0, 0}, both, map[string]bool{at: true}, 0.001, 3, "", ""},
		{"is not known to write", [3]int64{-1, -1, -1}, both, map[string]bool{at: true}, 0.001, 3, "", ""},
		{"does not ask first", [3]int64{7, 7, 7}, both, nil, 0.001, 3, "", ""},
		{"reads in a loop", [3]int64{7, 7, 7}, map[string]bool{above: true}, map[string]bool{at: true}, 0.001, 3, "", ""},
		{"reads in a loop above", [3]int64{7, 7, 7}, map[string]bool{at: true}, map[string]bool{above: true}, 0.001, 3, "", ""},
		{"gets a lot", [3]int64{7, 7, 7}, both, map[string]bool{at: true}, 0.001, 9000, "", ""},
		{"has an old socket", [3]int64{7, 7, 7}, both, map[string]bool{at: true}, 0.001, 3, "java.net.SocketInputStream.socketRead0", ""},
		{"goes through a stream", [3]int64{7, 7, 7}, both, map[string]bool{at: true}, 0.001, 3, "java.util.Iterator.forEachRemaining", ""},
		{"works on what comes", [3]int64{7, 7, 7}, both, map[string]bool{at: true}, 0.1, 3, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var all []Observation
			for i, writes := range test.writes {
				s := float64(i)
				a := thread(1, "a", stands(frames(test.above)...), used(1+s*test.cpu, 9+s), func(t *threaddump.Thread) {
					for i, fr := range t.Stack {
						fr.Line = 10 + i
					}
				})
				task := Task{State: "S", File: "client-socket", WaitChannel: "do_sys_poll"}
				if writes >= 0 {
					task.Writes, task.Received = threaddump.Known(writes), threaddump.Known(900+int64(i)*test.received)
				}
				o := observe(s, a)
				o.Tasks = map[int64]Task{a.NativeID: task}
				all = append(all, o)
			}
			r := diagnose(append(all, Observation{Bytecode: &Bytecode{Straight: test.straight, AsksAlways: test.asks}})...)
			if test.want == "" {
				expect(t, r)
				return
			}
			expect(t, r, test.want)
			f := r.Findings[0]
			if !strings.HasSuffix(f.Title, "and the answer comes bit by bit") || !strings.Contains(fmt.Sprint(f.Evidence), "has sent nothing since the first dump") {
				t.Errorf("%q, %v", f.Title, f.Evidence)
			}
		})
	}
}
