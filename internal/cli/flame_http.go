package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/google/pprof/driver"
	"github.com/google/pprof/profile"
)

// serve shows a profile in pprof's own web UI until the user has seen enough.
func serve(ctx context.Context, env *Env, g gathered, address string) error {
	err := driver.PProf(&driver.Options{
		Flagset:    newPprofFlags(env, "-http="+address, "-no_browser", "-symbolize=none", "profile"),
		Fetch:      inHand{g.profile},
		UI:         quietUI{env.Stderr},
		HTTPServer: func(args *driver.HTTPServerArgs) error { return listen(ctx, env, args) },
	})
	if err != nil {
		return nothing("--http localhost:8080", "cannot show the profile at %s: %v", address, err)
	}
	return nil
}

// listen serves pprof's pages. At an address of this machine alone it answers to
// that name only, so that no web page can read the profile through a name of its own.
func listen(ctx context.Context, env *Env, args *driver.HTTPServerArgs) error {
	listener, err := net.Listen("tcp", args.Hostport)
	if err != nil {
		return err
	}
	pages := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := args.Handlers[r.URL.Path]
		switch {
		case isLoopback(args.Host) && !isLoopback(hostOf(r.Host)):
			http.Error(w, "not served under this name", http.StatusForbidden)
		case h == nil:
			http.NotFound(w, r)
		default:
			h.ServeHTTP(w, r)
		}
	})
	mux := http.NewServeMux()
	mux.Handle("/ui/", http.StripPrefix("/ui", pages))
	mux.Handle("/", http.RedirectHandler("/ui/flamegraph", http.StatusTemporaryRedirect))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	fmt.Fprintf(env.Stderr, "jstall: the profile is shown at http://%s/ui/flamegraph until Ctrl-C\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func hostOf(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return hostport
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// inHand gives pprof a profile that is there already. Without a source's name it
// keeps no copy on disk.
type inHand struct{ profile *profile.Profile }

func (f inHand) Fetch(string, time.Duration, time.Duration) (*profile.Profile, string, error) {
	return f.profile, "", nil
}

// quietUI passes pprof's errors on; nobody types commands.
type quietUI struct{ w io.Writer }

func (u quietUI) ReadLine(string) (string, error)     { return "", io.EOF }
func (u quietUI) Print(...any)                        {}
func (u quietUI) PrintErr(args ...any)                { fmt.Fprintln(u.w, args...) }
func (u quietUI) IsTerminal() bool                    { return false }
func (u quietUI) WantBrowser() bool                   { return false }
func (u quietUI) SetAutoComplete(func(string) string) {}

// pprofFlags are command-line flags for pprof that do not come from a command line.
type pprofFlags struct {
	*flag.FlagSet
	args []string
}

func newPprofFlags(env *Env, args ...string) pprofFlags {
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
