package flame

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/driver"
	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

// serve shows a profile in pprof's own web UI until the user has seen enough.
func serve(ctx context.Context, env *shell.Env, g gathered, address string) error {
	if _, err := strconv.Atoi(address); err == nil {
		address = "localhost:" + address
	}
	err := driver.PProf(&driver.Options{
		Flagset:    newPprofFlags(env, "-http="+address, "-no_browser", "-symbolize=none", "profile"),
		Fetch:      inHand{g.profile},
		UI:         quietUI{escaping{env.Stderr}},
		HTTPServer: func(args *driver.HTTPServerArgs) error { return listen(ctx, env, args) },
	})
	if err != nil {
		return shell.NoResult("--http localhost:8080", "cannot show the profile at %s: %v", address, err)
	}
	return nil
}

// listen serves pprof's pages.
func listen(ctx context.Context, env *shell.Env, args *driver.HTTPServerArgs) error {
	listener, err := net.Listen("tcp", args.Hostport)
	if err != nil {
		return err
	}
	at := listener.Addr().(*net.TCPAddr)
	if !at.IP.IsLoopback() {
		env.Say("jstall: warning: %s is not a loopback address: everybody who reaches port %d can read the profile\n",
			render.Escape(args.Host), at.Port)
	}
	server := &http.Server{
		Handler: newPages(args.Handlers, args.Host), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: log.New(escaping{env.Stderr}, "jstall: ", 0),
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	shown := net.JoinHostPort(args.Host, strconv.Itoa(at.Port))
	env.Say("jstall: the profile is shown at http://%s/ui/flamegraph until Ctrl-C\n", shown)
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// escaping writes text from others to a terminal, without control characters.
type escaping struct{ w io.Writer }

func (e escaping) Write(b []byte) (int, error) {
	_, err := fmt.Fprintln(e.w, render.Escape(strings.TrimRight(string(b), "\n")))
	return len(b), err
}

// inHand gives pprof a profile that is in memory. Without a source's name pprof keeps no copy on disk.
type inHand struct{ profile *profile.Profile }

func (f inHand) Fetch(string, time.Duration, time.Duration) (*profile.Profile, string, error) {
	return f.profile, "", nil
}

// quietUI passes pprof's errors on and reads no commands.
type quietUI struct{ w io.Writer }

func (u quietUI) ReadLine(string) (string, error)     { return "", io.EOF }
func (u quietUI) Print(...any)                        {}
func (u quietUI) PrintErr(args ...any)                { _, _ = fmt.Fprintln(u.w, args...) }
func (u quietUI) IsTerminal() bool                    { return false }
func (u quietUI) WantBrowser() bool                   { return false }
func (u quietUI) SetAutoComplete(func(string) string) {}

// pprofFlags are command-line flags for pprof that do not come from a command line.
type pprofFlags struct {
	*flag.FlagSet
	args []string
}

func newPprofFlags(env *shell.Env, args ...string) pprofFlags {
	set := flag.NewFlagSet("pprof", flag.ContinueOnError)
	set.SetOutput(env.Stderr)
	return pprofFlags{set, args}
}

func (f pprofFlags) StringList(name, value, usage string) *[]*string {
	return &[]*string{f.String(name, value, usage)}
}

func (f pprofFlags) ExtraUsage() string   { return "" }
func (f pprofFlags) AddExtraUsage(string) {}

func (f pprofFlags) Parse(usage func()) []string {
	f.Usage = usage
	if err := f.FlagSet.Parse(f.args); err != nil {
		return nil
	}
	return f.Args()
}
