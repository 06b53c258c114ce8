package flame

import (
	"net"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/jstall/jstall/internal/render"
)

// shownPages are the pages of pprof that are served. Of the others, saveconfig and deleteconfig write to the user's
// settings. source and disasm read the files that the profile names, which may come from another person.
var shownPages = []string{"/", "/flamegraph", "/flamegraph2", "/flamegraphold", "/graph", "/top", "/peek", "/download"}

// pages serves pprof's pages to the user, and to no page of another site in the same browser.
type pages struct {
	mux *http.ServeMux
	// names are the host names of the server, in addition to any address and "localhost".
	names []string
}

func newPages(handlers map[string]http.Handler, host string) *pages {
	p := &pages{mux: http.NewServeMux(), names: []string{"localhost", host}}
	if name, err := os.Hostname(); err == nil {
		p.names = append(p.names, name)
	}
	shown := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := handlers[r.URL.Path]
		switch {
		case h == nil:
			http.NotFound(w, r)
		case !slices.Contains(shownPages, r.URL.Path):
			http.Error(w, "jstall does not serve this page: the page writes settings, or reads files that the "+
				"profile names",
				http.StatusForbidden)
		default:
			h.ServeHTTP(w, r)
		}
	})
	p.mux.Handle("/ui/", http.StripPrefix("/ui", shown))
	p.mux.Handle("/", http.RedirectHandler("/ui/flamegraph", http.StatusTemporaryRedirect))
	return p
}

// policy lets the pages run their own scripts, and load nothing from elsewhere.
const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP answers requests that are allowed.
func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range map[string]string{
		"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		w.Header().Set(name, value)
	}
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the profile can only be read", http.StatusMethodNotAllowed)
	case !p.isOurs(r.Host):
		http.Error(w, "not served under this name", http.StatusForbidden)
	case isForeign(r):
		http.Error(w, "not served to other sites", http.StatusForbidden)
	default:
		p.mux.ServeHTTP(&plainErrors{ResponseWriter: w}, r)
	}
}

// isOurs reports whether a Host header names this server. The name of another site that resolves to this machine (DNS
// rebinding) is not accepted; every address is.
func (p *pages) isOurs(hostport string) bool {
	host := hostOf(hostport)
	return net.ParseIP(strings.Trim(host, "[]")) != nil ||
		slices.ContainsFunc(p.names, func(name string) bool { return strings.EqualFold(name, host) })
}

// isForeign recognises a request by a page of another site. A link there may be followed.
func isForeign(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return true
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site != "" && site != "same-origin" && site != "none" && r.Header.Get("Sec-Fetch-Mode") != "navigate"
}

func hostOf(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return hostport
}

// plainErrors escapes the text that errors quote from the request, as a terminal may show them.
type plainErrors struct {
	http.ResponseWriter
	failed bool
}

// WriteHeader notes an error.
func (p *plainErrors) WriteHeader(status int) {
	p.failed = status >= http.StatusBadRequest
	p.ResponseWriter.WriteHeader(status)
}

// Write leaves out the markup of errors.
func (p *plainErrors) Write(b []byte) (int, error) {
	if !p.failed {
		return p.ResponseWriter.Write(b)
	}
	if _, err := p.ResponseWriter.Write([]byte(render.Escape(strings.TrimRight(string(b), "\n")) + "\n")); err != nil {
		return 0, err
	}
	return len(b), nil
}
