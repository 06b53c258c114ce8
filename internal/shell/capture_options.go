package shell

import (
	"fmt"
	"math"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/source"
)

const (
	// manyDumps is how many dumps may be taken at any interval; more need an interval of at least leastOfMany.
	manyDumps   = 100
	leastOfMany = 100 * time.Millisecond
	// allOf is the value of --top for all rows. The Java tool of the same name has it too.
	allOf = -1
)

// CaptureOptions are the checked values of the flags of captures.
type CaptureOptions struct {
	Count    int
	Interval time.Duration
	Timeout  time.Duration
	Locks    source.LockMode
	MaxPause time.Duration
	Virtual  source.VirtualMode
	Format   string
	// Schema is the version of the JSON format.
	Schema int
	FailOn finding.Severity
	// Via says whether running JVMs are asked, or their memory is read.
	Via source.Via
	// Force attaches although that is likely to do harm to the JVM.
	Force bool
	// PlatformOnly bases verdicts on platform threads if virtual threads are not shown.
	PlatformOnly bool
	// History also analyses the readings before and after the event of a recording.
	History bool
	Render  render.Options
}

// ReadCaptureOptions reads and checks [CaptureFlags].
func ReadCaptureOptions(c *cli.Context, env *Env) (CaptureOptions, error) {
	o := ReadTakeOptions(c)
	o.FailOn, o.PlatformOnly = finding.Severity(c.String("fail-on")), c.Bool("platform-only")
	var err error
	if o.Format, err = ReadFormat(c); err != nil {
		return o, err
	}
	if o.Schema, err = ReadSchema(c, o.Format == "json"); err != nil {
		return o, err
	}
	thread, err := ThreadFilter(c.String("thread"))
	if err != nil {
		return o, err
	}
	o.Render = render.Options{
		Color: env.Colored(c.String("color")), Width: env.OutWidth, Full: c.Bool("full"), Top: ReadTop(c),
		Thread: thread, ThreadText: c.String("thread"), StackDepth: c.Int("stack-depth"),
		IntelligentFilter: c.Bool("intelligent-filter"), NoNative: c.Bool("no-native"), MaxTokens: c.Int("max-tokens"),
	}
	if c.IsSet("stack-depth") && o.Render.StackDepth == 0 {
		o.Render.StackDepth = math.MaxInt32
	}
	if o.Render.MaxTokens < 0 || c.IsSet("max-tokens") && o.Format != "markdown" {
		return o, Usage("--format markdown --max-tokens 2000",
			"--max-tokens needs a positive number and --format markdown")
	}
	return o, o.Check(c)
}

// ReadTop reads --top. It is far above any number of rows if all are wanted.
func ReadTop(c *cli.Context) int {
	if top := c.Int("top"); top != allOf {
		return top
	}
	return math.MaxInt32
}

// ReadFormat reads --format and --json.
func ReadFormat(c *cli.Context) (string, error) {
	format := c.String("format")
	switch {
	case !c.Bool("json"):
		return format, nil
	case c.IsSet("format") && format != "json":
		return "", Usage("one of the two", "--json and --format %s contradict each other", format)
	}
	return "json", nil
}

// ReadTakeOptions reads [TakeFlags] without checking them.
func ReadTakeOptions(c *cli.Context) CaptureOptions {
	return CaptureOptions{
		Count: c.Int("count"), Interval: c.Duration("interval"), Timeout: c.Duration("timeout"), Format: "text",
		Locks: source.LockMode(c.String("locks")), MaxPause: c.Duration("max-pause"),
		Virtual: source.VirtualMode(c.String("virtual")),
		Force:   c.Bool(AttachAnyway), History: c.Bool("history"), Via: source.Via(c.String("via")),
	}
}

// Check refuses values that no capture can have.
func (o CaptureOptions) Check(c *cli.Context) error {
	switch {
	case o.Count < 1:
		return Usage("--count 3", "--count must be at least 1, not %d", o.Count)
	case o.Count > manyDumps && o.Interval < leastOfMany:
		return Usage(fmt.Sprintf("--interval %v, or at most --count %d", leastOfMany, manyDumps),
			"more than %d dumps take --interval %v or more: each one pauses the JVM", manyDumps, leastOfMany)
	case o.Interval < 0:
		return Usage("--interval 1s", "--interval must not be negative")
	case o.MaxPause <= 0:
		return Usage("--max-pause 200ms, or --locks never", "--max-pause must be positive, not %s", o.MaxPause)
	case o.Render.Top < 0 || o.Render.StackDepth < 0:
		return Usage("--top -1 for all rows, --stack-depth 0 for all frames",
			"--top and --stack-depth must not be negative")
	}
	if err := o.checkChoices(); err != nil {
		return err
	}
	return CheckCommon(c)
}

// checkChoices checks the flags with a fixed set of values.
func (o CaptureOptions) checkChoices() error {
	switch {
	case !IsLockMode(o.Locks):
		return Usage("--locks never", "--locks is auto, always or never, not %q", string(o.Locks))
	case !isVirtualMode(o.Virtual):
		return Usage("--virtual never", "--virtual is auto, always or never, not %q", string(o.Virtual))
	case o.FailOn != "" && o.FailOn != finding.Critical && o.FailOn != finding.Warning:
		return Usage("--fail-on warning", "--fail-on is critical or warning, not %q", string(o.FailOn))
	case o.Format != "text" && o.Format != "json" && o.Format != "markdown":
		return Usage("--format json", "--format is text, json or markdown, not %q", o.Format)
	}
	return o.checkVia()
}

func (o CaptureOptions) checkVia() error {
	if o.Via != source.ViaMemory {
		return CheckVia(o.Via)
	}
	switch {
	case o.Locks == source.LocksAlways:
		return ViaMemoryNeedsNo("--locks always")
	case o.Virtual == source.VirtualAlways:
		return ViaMemoryNeedsNo("--virtual always")
	}
	return nil
}

// IsLockMode reports whether --locks has that value.
func IsLockMode(m source.LockMode) bool {
	return m == source.LocksAuto || m == source.LocksAlways || m == source.LocksNever
}

func isVirtualMode(m source.VirtualMode) bool {
	return m == source.VirtualAuto || m == source.VirtualAlways || m == source.VirtualNever
}
