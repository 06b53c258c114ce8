package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
)

// tool is one tool: its texts, and its function.
type tool[In any] struct {
	name, title, description string
	// writes reports that the tool writes a file.
	writes bool
	bounds func(In) Bounds
	run    func(context.Context, In) (answer, error)
}

// add adds one tool to the protocol's server.
func add[In any](s *server, to *sdk.Server, t tool[In]) error {
	schema, err := schemaOf[In]()
	if err != nil {
		return err
	}
	no := false
	hints := &sdk.ToolAnnotations{ReadOnlyHint: !t.writes, OpenWorldHint: &no}
	if t.writes { // else it is not needed
		hints.DestructiveHint = &no
	}
	s.add(to, &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: schema, Annotations: hints,
	}, func(arguments json.RawMessage) (inquiry, error) {
		var in In
		if err := checkedSize(arguments); err != nil {
			return inquiry{}, err
		}
		if err := json.Unmarshal(arguments, &in); err != nil {
			return inquiry{}, err
		}
		return inquiry{t.bounds(in), func(ctx context.Context) (answer, error) { return t.run(ctx, in) }}, nil
	})
	return nil
}

// inquiry is a call of a tool with its arguments.
type inquiry struct {
	bounds Bounds
	run    func(context.Context) (answer, error)
}

// add adds one tool. The facts have no schema: it would be as large as that of the arguments, in each tool. The SDK
// checks the arguments against the schema. It would decode them too, but what does that is compiled again for each
// type: 0.1 MB.
func (s *server) add(to *sdk.Server, t *sdk.Tool, decode func(json.RawMessage) (inquiry, error)) {
	sdk.AddTool(to, t, func(ctx context.Context, r *sdk.CallToolRequest, arguments json.RawMessage) (
		*sdk.CallToolResult, any, error,
	) {
		asked, err := decode(arguments)
		if err != nil {
			return nil, nil, err
		}
		a, err := s.call(ctx, r, asked.run)
		if err != nil {
			return s.failure(err), nil, nil
		}
		a.named = s.folder.named
		text, facts, err := a.show(asked.bounds, s.now())
		if err != nil {
			return s.failure(err), nil, nil
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, facts, nil
	})
}

// failure is the answer to a call that failed. Errors quote names of programs and files, so they are data too.
func (s *server) failure(err error) *sdk.CallToolResult {
	var path *PathError
	var soon *TooSoonError
	text := s.jstall.Explain(err)
	if errors.As(err, &path) || errors.As(err, &soon) {
		text = err.Error()
	}
	shown := frame(fitting(escaped(s.folder.named(text)), leastTokens*tokenBytes*2), "The call failed.")
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: shown}}}
}

func (s *server) diagnose(ctx context.Context, in DiagnoseInput) (answer, error) {
	l, err := s.report(ctx, in.Source, in.again(), in.taking())
	if err != nil {
		return answer{}, err
	}
	return view(l, render.Status, l.report, render.Options{},
		"For more: threads, stacks (of a thread by name or native id), locks, flame.")
}

func (s *server) threads(ctx context.Context, in ThreadsInput) (answer, error) {
	chosen, err := s.jstall.Threads(in.Thread)
	if err != nil {
		return answer{}, err
	}
	l, err := s.report(ctx, in.Source, in.again(), in.taking())
	if err != nil {
		return answer{}, err
	}
	return view(l, render.Threads, only(l.report, chosen), render.Options{Top: in.Top},
		"For the stack of a thread: stacks. For fewer rows: thread, a regular expression over names.")
}

// only returns a report with the chosen threads. The options of the views would also show their stacks.
func only(r *analysis.Report, chosen func(string, int64) bool) *analysis.Report {
	if chosen == nil {
		return r
	}
	some := *r
	some.Threads = []analysis.ThreadReport{}
	some.VirtualThreads = nil // they count all
	for _, t := range r.Threads {
		if chosen(t.Label(), t.NativeID) {
			some.Threads = append(some.Threads, t)
		}
	}
	return &some
}

func (s *server) stacks(ctx context.Context, in StacksInput) (answer, error) {
	chosen, err := s.jstall.Threads(in.Thread)
	if err != nil {
		return answer{}, err
	}
	l, err := s.report(ctx, in.Source, in.again(), in.taking())
	if err != nil {
		return answer{}, err
	}
	o := render.Options{Thread: chosen, ThreadText: in.Thread, StackDepth: in.Depth}
	return view(l, render.Threads, l.report, o, "For fewer stacks: a narrower thread, or depth.")
}

func (s *server) locks(ctx context.Context, in LocksInput) (answer, error) {
	l, err := s.report(ctx, in.Source, in.again(), in.taking())
	if err != nil {
		return answer{}, err
	}
	v := render.DependencyTree
	if in.Show == "waiting" {
		v = render.WaitingThreads
	}
	return view(l, v, l.report, render.Options{},
		"For the stack of a thread: stacks. What groups of threads wait for: show waiting.")
}

// view formats a report as one of the views.
func view(l look, v render.View, r *analysis.Report, o render.Options, next string) (answer, error) {
	markdown := func(o render.Options) (string, error) {
		var b strings.Builder
		err := render.Markdown(&b, v, r, o)
		return b.String(), err
	}
	full := o
	full.Full = true
	whole, err := markdown(full)
	return answer{
		whole: whole, of: l, state: r.Verdict.State, next: next,
		short: func(tokens int) (string, error) {
			o.MaxTokens = tokens
			return markdown(o)
		},
	}, err
}

// usualMethods is the default number of shown methods of a profile, as in jstall flame.
const usualMethods = 20

func (s *server) flame(ctx context.Context, in FlameInput) (answer, error) {
	p := Profiling{
		Duration: time.Duration(in.DurationSeconds) * time.Second, Engine: in.Engine, Weight: in.Weight, Top: in.Top,
		Thread: in.Thread, Method: in.Method, ByThread: in.ByThread,
	}
	if p.Top == 0 {
		p.Top = usualMethods
	}
	again := in.Reuse
	again.paged = in.Offset != nil
	l, err := s.look(ctx, in.Source, again, p, func(ctx context.Context, subject Subject) (look, error) {
		text, err := s.jstall.Flame(ctx, subject, p)
		return look{text: text}, err
	})
	next := "For more: top, by_thread, or method (callers and callees of one)."
	return answer{whole: l.text, of: l, next: next}, err
}

func (s *server) compare(ctx context.Context, in CompareInput) (answer, error) {
	again := in.Reuse
	again.paged = in.Offset != nil
	good, err := s.report(ctx, in.Good, again, in.taking())
	if err != nil {
		return answer{}, err
	}
	bad, err := s.report(ctx, in.Bad, again, in.taking())
	if err != nil {
		return answer{}, err
	}
	bad.waited += good.waited
	c := analysis.Compare(good.report, bad.report)
	markdown := func(o render.Options) (string, error) {
		var b strings.Builder
		err := render.CompareMarkdown(&b, c, o)
		return b.String(), err
	}
	whole, err := markdown(render.Options{Full: true})
	return answer{
		whole: whole, of: bad, state: bad.report.Verdict.State, next: "For one of the two: diagnose.",
		short: func(tokens int) (string, error) { return markdown(render.Options{MaxTokens: tokens}) },
	}, err
}
