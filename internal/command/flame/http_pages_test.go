package flame

import (
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/shell"
)

// served is a profile in pprof's pages.
type served struct {
	t      *testing.T
	host   string // host:port
	stderr *lockedText
}

// lockedText is a standard error that is read while it is written.
type lockedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedText) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func serveProfile(t *testing.T, address string) served {
	t.Helper()
	p, err := flame.Read(strings.NewReader("shop.Main.main;shop.Cart.add 5\nshop.Main.main;shop.Cart.sum 7\n"),
		flame.InputCollapsed)
	if err != nil {
		t.Fatal(err)
	}
	return serveThis(t, address, p)
}

func serveThis(t *testing.T, address string, p *profile.Profile) served {
	t.Helper()
	s := served{t: t, stderr: &lockedText{}}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, &shell.Env{Stderr: s.stderr}, gathered{profile: p}, address) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(time.Minute):
			t.Error("it goes on after an interrupt")
		}
	})
	shownAt := regexp.MustCompile(`shown at http://([^/]*)/`)
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if found := shownAt.FindStringSubmatch(s.stderr.String()); found != nil {
			s.host = found[1]
			return s
		}
		if time.Now().After(end) {
			t.Fatalf("not served: %s", s.stderr)
		}
	}
}

// ask sends one request; of the headers Host is special.
func (s served) ask(method, path string, headers map[string]string) (status int, body string, answered http.Header) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, "http://"+s.host+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	if host := headers["Host"]; host != "" {
		r.Host = host
	}
	answer, err := http.DefaultTransport.RoundTrip(r) // follows no redirect
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(text), answer.Header
}

func TestPprofsPagesAreForTheirReaderAlone(t *testing.T) {
	settings := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", settings)
	t.Setenv("HOME", settings)
	s := serveProfile(t, "127.0.0.1:")
	port := s.host[strings.LastIndexByte(s.host, ':'):]
	for _, c := range []struct {
		method, path string
		headers      map[string]string
		want         int
	}{
		{"GET", "/", nil, 307},
		{"GET", "/ui/flamegraph", nil, 200},
		{"HEAD", "/ui/flamegraph", nil, 200},
		{"GET", "/ui/top?f=Cart", nil, 200},
		{"GET", "/ui/peek", nil, 200},
		{"GET", "/ui/download", nil, 200},
		{"GET", "/ui/flamegraph", map[string]string{"Host": "localhost" + port}, 200},
		{"GET", "/ui/flamegraph", map[string]string{"Host": "LOCALHOST:9000"}, 200}, // ssh -L 9000:localhost:8080
		{"GET", "/ui/flamegraph", map[string]string{"Host": "[::1]" + port}, 200},
		{"GET", "/ui/flamegraph", map[string]string{"Host": "evil.example" + port}, 403},
		{"GET", "/ui/flamegraph", map[string]string{"Host": "localhost.evil.example"}, 403},
		{"GET", "/ui/download", map[string]string{"Host": "127.0.0.1.evil.example" + port}, 403},
		{"GET", "/ui/download", map[string]string{"Origin": "http://evil.example"}, 403},
		{"GET", "/ui/download", map[string]string{"Origin": "null"}, 403},
		{"GET", "/ui/download", map[string]string{"Origin": "http://" + s.host}, 200},
		{"GET", "/ui/download", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"GET", "/ui/flamegraph", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200},
		{"GET", "/ui/download", map[string]string{"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}, 200},
		{"POST", "/ui/flamegraph", nil, 405},
		{"PUT", "/ui/saveconfig?config=x", nil, 405},
		{"OPTIONS", "/ui/flamegraph", nil, 405},
		{"GET", "/ui/saveconfig?config=mine&f=x", nil, 403},
		{"GET", "/ui//saveconfig?config=mine", nil, 307},
		{"GET", "/ui/deleteconfig?config=mine", nil, 403},
		{"GET", "/ui/source?f=Cart", nil, 403},
		{"GET", "/ui/disasm?f=Cart", nil, 403},
		{"GET", "/debug/pprof/", nil, 307},
		{"GET", "/ui/nothing", nil, 404},
	} {
		status, body, headers := s.ask(c.method, c.path, c.headers)
		if status != c.want {
			t.Errorf("%s %s %v: %d, want %d: %.100s", c.method, c.path, c.headers, status, c.want, body)
		}
		if headers.Get("Content-Security-Policy") == "" || headers.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: headers %v", c.method, c.path, headers)
		}
	}
	if left, _ := os.ReadDir(settings); len(left) > 0 {
		t.Errorf("settings were written: %v", left)
	}
	if strings.Contains(s.stderr.String(), "warning") {
		t.Errorf("a warning for a loopback address: %s", s.stderr)
	}
}

// What a request holds is shown nowhere as it came: a terminal would obey it.
func TestPprofsPagesSendNothingToTheTerminal(t *testing.T) {
	s := serveProfile(t, "127.0.0.1:")
	for _, path := range []string{
		"/ui/top?f=%1b]0%3bowned%07(", "/ui/peek?f=%1b[31m(", "/ui/flamegraph?s=%1b[2J(&f=%9b2J(", "/ui/top?n=%1b[2J",
		"/ui/graph?i=%1b[2J(", "/ui/source?f=%1b[2J",
	} {
		status, body, _ := s.ask("GET", path, nil)
		if status < 400 {
			t.Errorf("%s: %d", path, status)
		}
		if strings.ContainsAny(body, "\x1b\x07\u009b") {
			t.Errorf("%s: %q", path, body)
		}
	}
	said := s.stderr.String()
	if strings.ContainsAny(said, "\x1b\x07\u009b") || !strings.Contains(said, `\x1b`) {
		t.Errorf("on the terminal: %q", said)
	}
}

func TestPprofsPagesWarnWhereOthersReachThem(t *testing.T) {
	s := serveProfile(t, "0.0.0.0:")
	warning := "jstall: warning: 0.0.0.0 is not a loopback address: everybody who reaches port"
	if !strings.HasPrefix(s.stderr.String(), warning) || strings.Count(s.stderr.String(), "\n") != 2 {
		t.Errorf("%s", s.stderr)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{host: 200, "192.0.2.7": 200, "evil.example": 403} {
		if status, _, _ := s.ask("GET", "/ui/flamegraph", map[string]string{"Host": name}); status != want {
			t.Errorf("%s: %d, want %d", name, status, want)
		}
	}
	if s := serveProfile(t, "localhost:"); strings.Contains(s.stderr.String(), "warning") {
		t.Errorf("%s", s.stderr)
	}
}
