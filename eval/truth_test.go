package eval

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// program is one row of testdata/eval/truth.json; its README explains the keys.
type program struct {
	ID      string
	Source  string
	About   string
	Healthy bool
	// Untold is why the fault cannot be distinguished from health from outside the program.
	Untold string
	// UntoldTo is the last JDK for which this is so, 0 for all.
	UntoldTo   int
	Kinds      []finding.Kind
	Severity   finding.Severity
	Culprits   []string
	Need       string
	Frames     []string
	Victims    []string
	MinVictims int
	JVM        []string
	Args       []string
	Prefix     []string
	MinJDK     int
	MaxJDK     int
	Release    int
	Settle     *float64
	// patience is how long the program may take to be ready, 0 for the usual time.
	patience time.Duration
	Look     struct {
		Count    int
		Interval string
	}
	Hidden map[string][]string
	// Also are further findings that must be present and not explained by others.
	Also []program
}

func programs() ([]program, error) {
	raw, err := os.ReadFile("../testdata/eval/truth.json")
	if err != nil {
		return nil, err
	}
	var truth struct{ Programs []program }
	err = json.Unmarshal(raw, &truth)
	return truth.Programs, err
}

func (p program) runsOn(jdk int) bool {
	return jdk >= max(p.MinJDK, 8) && (p.MaxJDK == 0 || jdk <= p.MaxJDK)
}

// undetectable reports whether silence is right about the fault on that JDK.
func (p program) undetectable(jdk int) bool {
	return p.Untold != "" && (p.UntoldTo == 0 || jdk <= p.UntoldTo)
}

func (p program) hides(jdk int, part string) bool {
	return slices.Contains(p.Hidden[fmt.Sprint(jdk)], part)
}

// score is the result of comparing one report with the truth.
type score struct {
	found, first, thread, frame, victims bool
	// why describes what is wrong, empty if all is right.
	why string
}

func (s score) right() bool { return s.why == "" }

// judge compares a report with the truth about a program.
func judge(p program, jdk int, r *analysis.Report) score {
	if p.Healthy || p.undetectable(jdk) {
		return judgeHealthy(r)
	}
	var own []finding.Finding
	for _, f := range r.Findings {
		if f.ExplainedBy == "" {
			own = append(own, f)
		}
	}
	at := slices.IndexFunc(own, func(f finding.Finding) bool { return p.accepts(f, jdk) })
	if at < 0 {
		return score{why: "not found; instead " + describe(own)}
	}
	f := own[at]
	s := score{
		found: true, first: at == 0,
		thread:  p.hides(jdk, "culprit") || p.namesCulprits(f),
		frame:   p.hides(jdk, "frame") || p.namesFrames(f),
		victims: p.hides(jdk, "victims") || p.namesVictims(f),
	}
	s.why = s.explain(p, f, own[0])
	for _, also := range p.Also {
		if !also.among(own, jdk) {
			s.why += fmt.Sprintf("; no %v of %q", also.Kinds, also.Culprits)
		}
	}
	return s
}

// among reports whether one of the findings is this one, with the right thread and frame.
func (p program) among(findings []finding.Finding, jdk int) bool {
	return slices.ContainsFunc(findings, func(f finding.Finding) bool {
		return p.accepts(f, jdk) && p.namesCulprits(f) && p.namesFrames(f)
	})
}

func (s score) explain(p program, f, first finding.Finding) string {
	var why []string
	if !s.first {
		why = append(why, "behind "+string(first.Kind))
	}
	if !s.thread {
		why = append(why, fmt.Sprintf("culprits %q, want %q", names(f.Culprits), p.Culprits))
	}
	if !s.frame {
		why = append(why, fmt.Sprintf("frames %q, want %q", frames(f.Culprits), p.Frames))
	}
	if !s.victims {
		why = append(why, fmt.Sprintf("victims %q (%d), want %q (≥ %d)", names(f.Victims), f.VictimCount, p.Victims,
			p.MinVictims))
	}
	return strings.Join(why, "; ")
}

func judgeHealthy(r *analysis.Report) score {
	for _, f := range r.Findings {
		if f.Severity != finding.Info {
			return score{why: "false alarm: " + string(f.Severity) + " " + f.Title}
		}
	}
	return score{found: true, first: true, thread: true, frame: true, victims: true}
}

func (p program) accepts(f finding.Finding, jdk int) bool {
	return (p.hides(jdk, "kind") || slices.Contains(p.Kinds, f.Kind)) && atLeast(f.Severity, p.Severity)
}

func atLeast(got, want finding.Severity) bool {
	rank := []finding.Severity{finding.Info, finding.Warning, finding.Critical}
	return slices.Index(rank, got) >= slices.Index(rank, want)
}

func (p program) namesCulprits(f finding.Finding) bool {
	if len(p.Culprits) == 0 {
		return true
	}
	got := names(f.Culprits)
	if p.Need != "all" {
		return len(got) > 0 && matchesAny(p.Culprits, got[0])
	}
	return containsAll(got, p.Culprits)
}

// namesFrames judges those culprits that the truth names.
func (p program) namesFrames(f finding.Finding) bool {
	if len(p.Frames) == 0 {
		return true
	}
	judged := 0
	for _, c := range f.Culprits {
		if len(p.Culprits) > 0 && !matchesAny(p.Culprits, c.Name) {
			continue
		}
		judged++
		if !matchesAny(p.Frames, c.Frame) {
			return false
		}
	}
	return judged > 0
}

func (p program) namesVictims(f finding.Finding) bool {
	return f.VictimCount >= p.MinVictims && containsAll(append(names(f.Victims), names(f.Culprits)...), p.Victims)
}

func containsAll(got, patterns []string) bool {
	for _, pattern := range patterns {
		if !slices.ContainsFunc(got, func(name string) bool { return matchesAny([]string{pattern}, name) }) {
			return false
		}
	}
	return true
}

// matchesAny reports whether a text fits one of the patterns; * is any text.
func matchesAny(patterns []string, text string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(p), `\*`, ".*") + "$").MatchString(text)
	})
}

func names(refs []finding.ThreadRef) []string {
	out := make([]string, len(refs))
	for i, r := range refs {
		out[i] = r.Name
	}
	return out
}

func frames(refs []finding.ThreadRef) []string {
	out := make([]string, len(refs))
	for i, r := range refs {
		out[i] = r.Frame
	}
	return out
}

func describe(findings []finding.Finding) string {
	if len(findings) == 0 {
		return "nothing"
	}
	var out []string
	for _, f := range findings {
		out = append(out, fmt.Sprintf("%s %s (%s)", f.Severity, f.Kind, f.Title))
	}
	return strings.Join(out, ", ")
}
