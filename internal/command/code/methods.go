package code

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/profile"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/live"
)

// Methods is the command methods.
func Methods(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "methods", Usage: "how often methods are called, and how long the calls take",
		ArgsUsage: "TARGET",
		Description: `From JDK 25 on, the JVM's flight recorder counts and times every call (method timing). For
that time the JVM instruments the methods: it transforms their classes when the recording
begins and again when it ends. Each transformation pauses the JVM for some milliseconds.
Each call is slower meanwhile. Name few methods, and none that is called millions of times
a second.

Before 25, and with --via memory, jstall reads the JVM's own counters from its memory
twice. Nothing is sent to the JVM. The numbers are a lower bound: the fastest compiled code
(tier 4) does not count calls, and a call that was inlined into its caller is not counted.

Overloads are summed; --json has each.

Examples:
   jstall methods 4711 --count com.acme.Shop.sell
   jstall methods 4711 --count com.acme.Shop.sell --count 'com.acme.Shop$Cart.add' -d 30s
   jstall methods 4711 --count com.acme.Shop.sell --via memory`,
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "count", Usage: "count the calls of `CLASS.METHOD`, with the package; may be " +
				"repeated"},
			&cli.DurationFlag{Name: "duration", Aliases: []string{"d"}, Value: 10 * time.Second,
				Usage: "how long to count"},
			&cli.StringFlag{Name: "via", Value: "auto", Usage: "attach asks the flight recorder (JDK 25 and newer); " +
				"memory reads the JVM's own counters and sends nothing; auto takes the recorder where there is one"},
			shell.AttachAnywayFlag(),
			shell.FormatFlag(),
			shell.JSONFlag(),
			shell.SchemaFlag(),
		}, shell.CommonFlags()...),
		Action: func(c *cli.Context) error { return methods(c, env) },
	}
}

// callInquiry says what to count of a target.
type callInquiry struct {
	env               *shell.Env
	wanted            []profile.MethodName
	duration, timeout time.Duration
	via               source.Via
	force, isJSON     bool
	schema            int
}

// mostCounted bounds how many methods are counted at once, as each becomes slower.
const mostCounted = 32

// countable matches a class and a method that can be in a filter of the recorder, where some characters have a meaning.
var countable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([\pL_$][\pL\pN_$]*\.)+([\pL_$][\pL\pN_$]*|<init>)$`)
})

func newCallInquiry(c *cli.Context, env *shell.Env) (*callInquiry, error) {
	q := &callInquiry{
		env: env, duration: c.Duration("duration"), timeout: c.Duration("timeout"), via: source.Via(c.String("via")),
		force: c.Bool(shell.AttachAnyway),
	}
	format, err := shell.ReadFormat(c)
	if err != nil {
		return nil, err
	}
	q.isJSON = format == "json"
	if q.schema, err = shell.ReadSchema(c, q.isJSON); err != nil {
		return nil, err
	}
	const example = "jstall methods 4711 --count com.acme.Shop.sell"
	switch {
	case format != "text" && format != "json":
		return nil, shell.Usage("--format json", "--format is text or json, not %q", format)
	case c.NArg() != 1:
		return nil, shell.Usage(example, "methods takes one target, a pid or a part of a main class, not %d", c.NArg())
	case q.duration <= 0:
		return nil, shell.Usage("-d 10s", "--duration must be positive, not %s", q.duration)
	case len(c.StringSlice("count")) == 0:
		return nil, shell.Usage(example, "name the methods to count: --count CLASS.METHOD")
	case len(c.StringSlice("count")) > mostCounted:
		return nil, shell.Usage(example, "--count: %d methods at most", mostCounted)
	case shell.CheckVia(q.via) != nil:
		return nil, shell.CheckVia(q.via)
	}
	for _, word := range c.StringSlice("count") {
		at := strings.LastIndexAny(word, ".#")
		name := profile.MethodName{Class: word[:max(at, 0)], Method: strings.TrimSuffix(word[at+1:], "()")}
		if !countable().MatchString(name.String()) {
			return nil, shell.Usage(example, "--count is CLASS.METHOD, with the package and no wildcards, not %q", word)
		}
		if !slices.Contains(q.wanted, name) {
			q.wanted = append(q.wanted, name)
		}
	}
	return q, shell.CheckCommon(c)
}

func methods(c *cli.Context, env *shell.Env) error {
	q, err := newCallInquiry(c, env)
	if err != nil {
		return err
	}
	targets, err := session.Resolve(c.Context, env, c.Args().Slice(), q.timeout)
	if err != nil {
		return err
	}
	if len(targets) != 1 {
		return shell.Usage("jstall list shows them", "methods counts in one JVM; %d targets were named", len(targets))
	}
	if err := shell.RefuseUnused(c, session.AllSaved(targets)); err != nil {
		return err
	}
	t := targets[0]
	report := analysis.Report{}
	session.DescribeTarget(&report, t)
	out := render.MethodCallReport{Target: report.Target}
	defer session.Finishing(c.Context, targets[:1])()
	code, err := q.count(c.Context, t, &out)
	if err != nil {
		if q.isJSON {
			out.Error = env.Failure(err)
			if err := shell.UnlessReaderLeft(render.CallCountsJSON(env.Stdout, out, q.schema)); err != nil {
				return err
			}
		}
		return err
	}
	if q.isJSON {
		err = render.CallCountsJSON(env.Stdout, out, q.schema)
	} else {
		o := render.Options{Color: env.Colored(c.String("color")), Width: env.OutWidth}
		err = render.CallCounts(env.Stdout, out, o)
	}
	if err := shell.UnlessReaderLeft(err); err != nil {
		return err
	}
	return &shell.ExitError{Code: code}
}

// count fills the report from the requested source, or from the best available one.
func (q *callInquiry) count(ctx context.Context, t session.Target, out *render.MethodCallReport) (code int, err error) {
	switch {
	case t.Err != nil:
		return shell.ExitNothing, t.Err
	case t.Process == nil:
		return shell.ExitNothing, shell.NoResult("name a pid or a part of a main class", "%s is no running JVM",
			t.Label())
	}
	src := &live.Source{Kernel: kernel.New(q.env.ProcRoot), Process: *t.Process, Timeout: q.timeout, Force: q.force}
	before, unread := q.read(ctx, src)
	if unread == nil {
		if err := q.missing(before); err != nil {
			return shell.ExitNothing, err
		}
	}
	hasTimer := t.Process.Major >= profile.FirstMethodTimer
	switch {
	case q.via == source.ViaAttach && !hasTimer:
		return shell.ExitNothing, shell.Usage("--via memory",
			"Java %s counts no calls in flight recordings; 25 and newer do", t.Process.JavaVersion)
	case q.via == source.ViaMemory || !hasTimer:
		if unread != nil {
			return shell.ExitNothing, unread
		}
		return q.fromMemory(ctx, src, before, out)
	}
	return q.fromRecorder(ctx, t, src, before, out)
}

// sleep waits for the time to count, and reports whether it was cut short.
func (q *callInquiry) sleep(ctx context.Context) (interrupted bool) {
	timer := time.NewTimer(q.duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return false
	case <-ctx.Done():
		return true
	}
}

// row sums the overloads of a method.
func row(name profile.MethodName, calls []profile.MethodCalls) render.MethodCallRow {
	r := render.MethodCallRow{Class: name.Class, Method: name.Method, Overloads: []render.MethodOverload{}}
	var sum int64
	var total, longest time.Duration
	for _, c := range calls {
		if c.MethodName != name {
			continue
		}
		sum, total, longest = sum+c.Calls, total+c.Total, max(longest, c.Longest)
		r.AtLeast = r.AtLeast || c.AtLeast
		r.Calls = &sum
		r.Overloads = append(r.Overloads, render.MethodOverload{Descriptor: c.Descriptor, Calls: c.Calls})
	}
	if r.Calls != nil && !r.AtLeast {
		seconds, most := total.Seconds(), longest.Seconds()
		r.TotalSeconds, r.LongestSeconds = &seconds, &most
	}
	return r
}

func overloaded(rows []render.MethodCallRow) string {
	var names []string
	for _, r := range rows {
		if len(r.Overloads) > 1 {
			names = append(names, fmt.Sprintf("%s.%s", r.Class, r.Method))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "Overloads are summed: " + strings.Join(names, ", ") + ". --json has each of them."
}
