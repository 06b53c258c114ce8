package render

import (
	"io"
	"slices"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// JSONAs is JSON in the format of a schema from analysis.OldestSchema to analysis.SchemaVersion. An earlier schema does
// not get the keys that it lacks; kinds of findings and verdicts keep their names.
func JSONAs(w io.Writer, r *analysis.Report, schema int) error {
	if schema == analysis.OldestSchema {
		return writeJSON(w, asReport2(complete(r)))
	}
	return JSON(w, r)
}

// report2 is analysis.Report in schema 2, which is printed on request until the next release.
type report2 struct {
	Schema         int               `json:"schema"`
	Target         analysis.Target   `json:"target"`
	Capture        capture2          `json:"capture"`
	Verdict        analysis.Verdict  `json:"verdict"`
	Findings       []finding.Finding `json:"findings"`
	Threads        []thread2         `json:"threads"`
	VirtualThreads *virtual2         `json:"virtualThreads,omitempty"`
	Warnings       []string          `json:"warnings"`
	Error          *analysis.Failure `json:"error,omitempty"`
}

func asReport2(r *analysis.Report) report2 {
	named := namedIn(r.Findings)
	threads := make([]thread2, 0, len(r.Threads))
	for _, t := range r.Threads {
		if t.Size() == 1 || named[keyOf(refOf(&t))] { // schema 2 has no rows that virtual threads share
			t.WaitsFor = asWait2(t.WaitsFor)
			threads = append(threads, thread2(t))
		}
	}
	return report2{
		analysis.OldestSchema, r.Target, capture2(r.Capture), r.Verdict, asFindings2(r.Findings), threads,
		asVirtual2(r.VirtualThreads), r.Warnings, r.Error,
	}
}

// asFindings2 leaves out the keys of threads that schema 2 lacks.
func asFindings2(all []finding.Finding) []finding.Finding {
	old := slices.Clone(all)
	for i := range old {
		for _, refs := range []*[]finding.ThreadRef{&old[i].Culprits, &old[i].Victims} {
			*refs = slices.Clone(*refs)
			for j := range *refs {
				(*refs)[j].Dump, (*refs)[j].Stack = nil, nil
			}
		}
	}
	return old
}

// asWait2 leaves out the keys and types of a wait that schema 2 lacks.
func asWait2(w *analysis.Wait) *analysis.Wait {
	if w == nil {
		return nil
	}
	old := *w
	old.State, old.Unlimited = "", false
	if old.Type == stack.OpResolve.Awaited() {
		old.Type = stack.WaitIO.Awaited()
	}
	return &old
}

// capture2 is analysis.Capture with the keys of schema 2. The fields are the same, so that a new one is added here too.
type capture2 struct {
	Source              string             `json:"source"`
	Host                string             `json:"host,omitempty"`
	Time                string             `json:"time,omitempty"`
	Jstall              string             `json:"jstall,omitempty"`
	Recorded            *analysis.Recorded `json:"recorded,omitempty"`
	Dumps               int                `json:"dumps"`
	DumpFiles           []string           `json:"dumpFiles,omitempty"`
	ElapsedSeconds      *float64           `json:"elapsedSeconds,omitempty"`
	CPUSeconds          *float64           `json:"cpuSeconds,omitempty"`
	Cores               *float64           `json:"cores,omitempty"`
	OthersCPUSeconds    *float64           `json:"othersCpuSeconds,omitempty"`
	BusiestOther        string             `json:"busiestOther,omitempty"`
	PauseSeconds        *float64           `json:"pauseSeconds,omitempty"`
	LongestPauseSeconds *float64           `json:"longestPauseSeconds,omitempty"`
	PauseFrom           string             `json:"pauseFrom,omitempty"`
	JavaCommands        []string           `json:"javaCommands,omitempty"`
	JavaSeconds         *float64           `json:"javaSeconds,omitempty"`
	MemorySeconds       *float64           `json:"memorySeconds,omitempty"`
	OwnCPUSeconds       *float64           `json:"ownCpuSeconds,omitempty"`
	HeapUsedBytes       *int64             `json:"heapUsedBytes,omitempty"`
	HeapMaxBytes        *int64             `json:"heapMaxBytes,omitempty"`
	HeapGrowthBytes     *int64             `json:"-"`
	Unseen              []string           `json:"-"`
	VirtualUnseen       bool               `json:"virtualThreadsUnseen,omitempty"`
	Unanswered          []string           `json:"-"`
	Given               int                `json:"-"`
	FilesLeft           []string           `json:"filesLeft"`
}

// virtual2 is timeline.VirtualThreads with the keys of schema 2.
type virtual2 struct {
	Count   int            `json:"count"`
	Mounted *int           `json:"mounted,omitempty"`
	States  map[string]int `json:"states"`
	Groups  []group2       `json:"groups"`
	Others  int            `json:"others,omitempty"`
}

func asVirtual2(v *timeline.VirtualThreads) *virtual2 {
	if v == nil {
		return nil
	}
	groups := make([]group2, len(v.Groups))
	for i, g := range v.Groups {
		groups[i] = group2(g)
	}
	return &virtual2{v.Count, v.Mounted, v.States, groups, v.Others}
}

// group2 is timeline.VirtualGroup with the keys of schema 2, see capture2.
type group2 struct {
	Count        int      `json:"count"`
	State        string   `json:"state,omitempty"`
	Name         string   `json:"name"`
	ID           int64    `json:"id"`
	WaitType     string   `json:"waitType,omitempty"`
	Frame        string   `json:"frame,omitempty"`
	Stack        []string `json:"stack"`
	StackUnknown bool     `json:"-"`
}

// withoutVirtual leaves out the keys about virtual threads, which schema 2 lacks.
func withoutVirtual(c *analysis.Comparison) {
	c.Good.VirtualThreads, c.Bad.VirtualThreads = 0, 0
	c.Stacks, c.Pools = slices.Clone(c.Stacks), slices.Clone(c.Pools)
	for i := range c.Stacks {
		c.Stacks[i].Virtual = false
	}
	for i := range c.Pools {
		c.Pools[i].Virtual = false
	}
}

// thread2 is analysis.ThreadReport with the keys of schema 2, see capture2.
type thread2 struct {
	Name            string         `json:"name"`
	Kind            string         `json:"kind"`
	Role            string         `json:"role"`
	Alike           int            `json:"-"`
	NamePattern     string         `json:"-"`
	ID              int64          `json:"id,omitempty"`
	NativeID        int64          `json:"nativeId,omitempty"`
	Daemon          bool           `json:"daemon"`
	State           string         `json:"state,omitempty"`
	CPUSeconds      *float64       `json:"cpuSeconds,omitempty"`
	CPUPercent      *float64       `json:"cpuPercent,omitempty"`
	ObservedSeconds *float64       `json:"elapsedSeconds,omitempty"`
	AllocatedBytes  *int64         `json:"allocatedBytes,omitempty"`
	RunQueueSeconds *float64       `json:"runQueueSeconds,omitempty"`
	KernelState     string         `json:"kernelState,omitempty"`
	WaitChannel     string         `json:"waitChannel,omitempty"`
	Carrier         int64          `json:"carrier,omitempty"`
	WaitsFor        *analysis.Wait `json:"waitsFor,omitempty"`
	Idle            string         `json:"idle,omitempty"`
	Frame           string         `json:"frame,omitempty"`
	StackUnknown    bool           `json:"-"`
	Stack           []string       `json:"stack"`
	Locks           []string       `json:"locks"`
}
