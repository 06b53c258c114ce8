package analysis_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// deadlocksOf says what the workloads behind the saved dumps have done to
// themselves; all others are free of deadlocks. One cycle is "a+b".
func deadlocksOf(name string) []string {
	switch workload := strings.SplitN(filepath.Base(name), "-threaddump", 2)[0]; {
	case workload == "mondl":
		return []string{"dl-A+dl-B", "dl3-X+dl3-Y+dl3-Z"}
	case workload == "rldl":
		return []string{"mix-mon+mix-rl", "rl-A+rl-B", "rw-1+rw-2"}
	case strings.HasPrefix(workload, "forms-"):
		return []string{"dl-A+dl-B", "rl-A+rl-B"}
	case strings.HasPrefix(workload, "V-vdl-dump_to_file") && !strings.HasPrefix(name, "jdk21"): // without locks
		return []string{"vdl-0+vdl-1", "vmix-plat+vmix-virt"}
	case workload == "clinit":
		return []string{"clinit-A+clinit-B"}
	}
	return nil
}

func TestDeadlocksOfSavedDumps(t *testing.T) {
	for _, name := range fixtures(t) {
		r := DiagnoseDumps(Parse(t, name)...)
		if got, want := Deadlocked(r), deadlocksOf(name); !slices.Equal(got, want) {
			t.Errorf("%s: deadlocks %q, want %q", name, got, want)
		}
	}
}

// Every quotation is in the dump, at the line that is named.
func TestEvidenceIsInTheDump(t *testing.T) {
	for _, name := range fixtures(t) {
		text, err := os.ReadFile(filepath.Join(DumpsDir, name))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for _, f := range DiagnoseDumps(Parse(t, name)...).Findings {
			for _, e := range f.Evidence {
				checkQuote(t, name, lines, e)
			}
		}
	}
}

func checkQuote(t *testing.T, name string, lines []string, e finding.Evidence) {
	t.Helper()
	quote := e.Text
	if strings.Contains(name, "forms-") && e.Line == nil {
		return // a frame in another tool's words
	}
	if _, hash, byHash := strings.Cut(quote, "@"); byHash && strings.HasPrefix(quote, "- ") {
		quote = strings.TrimSuffix(hash, ">") // so is the rest of the line
	}
	if strings.HasSuffix(name, ".json") {
		// A JSON dump has no lines of HotSpot's kind; it has the object.
		_, quote, _ = strings.Cut(quote, "<")
		quote = strings.TrimSuffix(quote, ">")
	}
	if e.Line == nil {
		t.Errorf("%s: %q has no line", name, e.Text)
	} else if !strings.Contains(lines[*e.Line-1], quote) {
		t.Errorf("%s:%d is %q, quoted as %q", name, *e.Line, lines[*e.Line-1], quote)
	}
}

// The lines of frames are computed and not read; they are right for every thread
// of every text dump.
func TestFrameLines(t *testing.T) {
	for _, name := range fixtures(t) {
		text, err := os.ReadFile(filepath.Join(DumpsDir, name))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for _, d := range Parse(t, name) {
			snap := timeline.NewSnapshot(Saved(d), 0, timeline.NewInterner())
			if !snap.Addresses || strings.Contains(name, "jhsdb") {
				continue
			}
			for i := range snap.Samples {
				s := &snap.Samples[i]
				for j, f := range s.Stack.Frames {
					if n := s.FrameLine(j); n > 0 && !strings.Contains(lines[n-1], "at "+f.Text) {
						t.Errorf("%s:%d is %q and not %q", name, n, lines[n-1], f.Text)
					}
				}
			}
		}
	}
}

// What is found does not depend on the order of the threads in the dump.
func TestOrderOfThreadsDoesNotMatter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range fixtures(t) {
		want := findingsJSON(t, DiagnoseDumps(Parse(t, name)...))
		dumps := Parse(t, name)
		for range 3 {
			for _, d := range dumps {
				random.Shuffle(len(d.Threads), func(i, j int) {
					d.Threads[i], d.Threads[j] = d.Threads[j], d.Threads[i]
				})
			}
			if got := findingsJSON(t, DiagnoseDumps(dumps...)); got != want {
				t.Errorf("%s: threads in another order give\n%s\nand not\n%s", name, got, want)
			}
		}
	}
}

func findingsJSON(t *testing.T, r *analysis.Report) string {
	text, err := json.MarshalIndent(r.Findings, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + r.Verdict.Summary
}

// mutation takes evidence away from a dump's text.
type mutation struct {
	name   string
	change func(lines []string) []string
}

func mutations(lines []string) []mutation {
	var all []mutation
	// head is what comes before the first thread; the rest must not become lines of that thread
	head := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, `"`) })
	head = min(2, max(0, head), len(lines))
	for tenth := 1; tenth < 10; tenth++ {
		at := len(lines) * tenth / 10
		all = append(all,
			mutation{"cut after " + lines[at], func(l []string) []string { return l[:at] }},
			mutation{"begun after " + lines[at], func(l []string) []string {
				return append(slices.Clone(l[:head]), l[at:]...)
			}},
		)
	}
	for _, drop := range []string{"- locked", "- waiting", "- parking", "\t- <", "Thread.State", "held by",
		"Found one"} {
		all = append(all, mutation{"without " + drop, func(l []string) []string {
			return slices.DeleteFunc(slices.Clone(l), func(line string) bool { return strings.Contains(line, drop) })
		}})
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, `"`) || !strings.Contains(line, "tid=") {
			continue
		}
		end := i + 1
		for end < len(lines) && !strings.HasPrefix(lines[end], `"`) && !strings.Contains(lines[end], "JNI") {
			end++
		}
		all = append(all, mutation{"without " + line[:min(20, len(line))], func(l []string) []string {
			return append(slices.Clone(l[:i]), l[end:]...)
		}})
	}
	return all
}

// With evidence taken away the report says less and nothing wrong.
func TestLessEvidenceNeverMisleads(t *testing.T) {
	for _, name := range fixtures(t) {
		text, err := os.ReadFile(filepath.Join(DumpsDir, name))
		if err != nil {
			t.Fatal(err)
		}
		whole := DiagnoseDumps(Parse(t, name)...)
		lines := strings.Split(string(text), "\n")
		for _, m := range mutations(lines) {
			dumps, err := threaddump.Parse([]byte(strings.Join(m.change(lines), "\n")))
			if err != nil {
				continue
			}
			checkLess(t, name+" "+m.name, DiagnoseDumps(dumps...), whole)
		}
	}
}

func checkLess(t *testing.T, name string, less, whole *analysis.Report) {
	t.Helper()
	known := Deadlocked(whole)
	for _, d := range Deadlocked(less) {
		if !slices.Contains(known, d) {
			t.Errorf("%s: reports a deadlock of %s, which does not exist", name, d)
		}
	}
	culprits, victims := blamed(whole)
	newCulprits, newVictims := blamed(less)
	for n := range newCulprits {
		if !culprits[n] {
			t.Errorf("%s: blames %s: %v", name, n, Found(less))
		}
	}
	for n := range newVictims {
		if !victims[n] && !culprits[n] {
			t.Errorf("%s: calls %s a victim: %v", name, n, Found(less))
		}
	}
}

func blamed(r *analysis.Report) (culprits, victims map[string]bool) {
	culprits, victims = map[string]bool{}, map[string]bool{}
	for _, f := range r.Findings {
		for _, c := range f.Culprits {
			culprits[c.Name] = true
		}
		for _, v := range f.Victims {
			victims[v.Name] = true
		}
	}
	return culprits, victims
}
