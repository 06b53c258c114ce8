package eval

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// savedSeries are all recordings of this evaluation, and the dumps of frameworks, with three dumps each.
func savedSeries(t *testing.T) map[string]string {
	unpack, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer unpack.Close()
	texts := map[string]string{}
	for _, pattern := range []string{filepath.Join(recorded, "jdk*", "*.txt.zst"),
		"../testdata/frameworks/dumps/*.txt"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(path, ".zst") {
				if raw, err = unpack.DecodeAll(raw, nil); err != nil {
					t.Fatal(err)
				}
			}
			texts[filepath.Base(path)] = string(raw)
		}
	}
	if len(texts) < 200 {
		t.Fatalf("only %d saved series", len(texts))
	}
	return texts
}

// diagnosed is the report on a text of dumps, nil for a text without dumps.
func diagnosed(text string) *analysis.Report {
	dumps, err := threaddump.Parse([]byte(text))
	if err != nil || len(dumps) == 0 {
		return nil
	}
	series := timeline.NewSeries()
	for _, d := range dumps {
		series.Add(timeline.Observation{Dump: d})
	}
	return analysis.Diagnose(series, analysis.Options{})
}

// entry is the lines of one thread, with the synchronizers it owns; or the lines before the first thread of a dump or
// after the last.
type entry struct {
	thread string // its name, quoted; empty if it is not a thread
	lines  []string
}

func entriesOf(text string) []entry {
	all := []entry{{}}
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, `"`) && strings.Contains(line, " tid="):
			name := line[:strings.LastIndex(line[:strings.Index(line, " tid=")], `" `)+1]
			all = append(all, entry{thread: name})
		case strings.HasPrefix(line, "JNI global"), strings.HasPrefix(line, "Full thread dump"):
			all = append(all, entry{})
		}
		last := &all[len(all)-1]
		last.lines = append(last.lines, line)
	}
	return all
}

func textOf(all []entry) string {
	var b strings.Builder
	for _, e := range all {
		b.WriteString(strings.Join(e.lines, ""))
	}
	return b.String()
}

// without removes a thread and what it owns.
func without(text, thread string) string {
	return textOf(slices.DeleteFunc(entriesOf(text), func(e entry) bool { return e.thread == thread }))
}

// shuffled changes the order of the threads in each dump.
func shuffled(text string, random *rand.Rand) string {
	all := entriesOf(text)
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && (all[to].thread == "") == (all[from].thread == "") {
			to++
		}
		if all[from].thread != "" {
			random.Shuffle(to-from, func(i, j int) { all[from+i], all[from+j] = all[from+j], all[from+i] })
		}
		from = to
	}
	return textOf(all)
}

// losses are texts with evidence removed.
func losses(text string, whole *analysis.Report, random *rand.Rand) map[string]string {
	all := map[string]string{}
	lines := slices.Collect(strings.Lines(text))
	for tenth := 1; tenth < 10; tenth++ {
		all[fmt.Sprintf("cut after %d tenths", tenth)] = strings.Join(lines[:len(lines)*tenth/10], "")
	}
	for _, drop := range []string{"- locked", "- waiting", "- parking", "- ", "\t- <", "Thread.State", "elapsed="} {
		all["without "+drop] = strings.Join(slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
			return strings.Contains(line, drop) && (drop != "elapsed=" || random.IntN(2) == 0)
		}), "")
	}
	for _, name := range namedIn(whole, random) {
		all["without "+name] = without(text, name)
	}
	return all
}

// namedIn are threads that a report names, and some that it does not.
func namedIn(r *analysis.Report, random *rand.Rand) []string {
	const some = 4
	var names []string
	for _, f := range r.Findings {
		for _, ref := range slices.Concat(f.Culprits[:min(some, len(f.Culprits))],
			f.Victims[:min(some, len(f.Victims))]) {
			names = append(names, `"`+ref.Name+`"`)
		}
	}
	for range some {
		names = append(names, `"`+r.Threads[random.IntN(len(r.Threads))].Name+`"`)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestLosses removes evidence from every saved series: the report must blame no thread that the whole one does not
// name.
func TestLosses(t *testing.T) {
	for name, text := range savedSeries(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			whole := diagnosed(text)
			known := map[string]bool{}
			for _, f := range whole.Findings {
				for _, ref := range slices.Concat(f.Culprits, f.Victims) {
					known[sample(f, ref)] = true
				}
			}
			for what, less := range losses(text, whole, random) {
				r := diagnosed(less)
				if r == nil {
					continue
				}
				for _, f := range r.Findings {
					for _, c := range f.Culprits {
						if f.Severity != finding.Info && !known[sample(f, c)] {
							t.Errorf("%s: %s %s blames %q: %s", what, f.Severity, f.Kind, c.Name, f.Title)
						}
					}
				}
			}
		})
	}
}

// sample names a thread; for a leak it is any of the many with numbers in their names.
func sample(f finding.Finding, ref finding.ThreadRef) string {
	if f.Kind != finding.KindThreadLeak {
		return ref.Name
	}
	return regexp.MustCompile("[0-9]+").ReplaceAllString(ref.Name, "#")
}

// TestOrderOfThreads changes the order of the threads in every saved series: the findings must stay the same.
func TestOrderOfThreads(t *testing.T) {
	for name, text := range savedSeries(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(3, 4))
			want := outline(diagnosed(text))
			if got := outline(diagnosed(shuffled(text, random))); got != want {
				t.Errorf("in another order:\n%s\nnot\n%s", got, want)
			}
		})
	}
}

func outline(r *analysis.Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %s %s %s %q %q by %q\n", f.Severity, f.Confidence, f.Kind, f.Title, names(f.Culprits),
			names(f.Victims), f.ExplainedBy)
	}
	return b.String()
}

// TestOtherNames gives the program's class and its threads other names, which sort like the old ones: the findings must
// stay the same. The name main is the launcher's.
func TestOtherNames(t *testing.T) {
	marked := regexp.MustCompile(`"(.)zz`)
	for name, text := range savedSeries(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := diagnosed(text)
			class := regexp.MustCompile(`\b` + strings.TrimSuffix(name, ".txt.zst") + `\b`)
			var pairs []string
			for _, row := range whole.Threads {
				if row.Role == "application" && row.Name != "main" && len(row.Name) > 1 {
					// its entry, and the JVM's report
					for _, place := range []string{"\n\"%s\" ", "\n\"%s\":", " by \"%s\""} {
						pairs = append(pairs, fmt.Sprintf(place, row.Name),
							fmt.Sprintf(place, row.Name[:1]+"zz"+row.Name[1:]))
					}
				}
			}
			other := strings.NewReplacer(pairs...)
			renamed := diagnosed(class.ReplaceAllString(other.Replace("\n"+text), "Thing"))
			want, got := class.ReplaceAllString(outline(whole), "Thing"), marked.ReplaceAllString(outline(renamed), `"$1`)
			if want != got {
				t.Errorf("by other names:\n%s\nnot\n%s", got, want)
			}
		})
	}
}
