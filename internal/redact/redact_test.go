package redact

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

func newTest(t testing.TB) *Redactor {
	t.Helper()
	rules, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	return New(rules, []byte("a key"))
}

// secrets are lines with a secret each, by kind.
var secrets = []struct{ kind, line, secret string }{
	{"password", `-Dspring.datasource.password=hunter2!x`, "hunter2!x"},
	{"password", `"dbPassword": "s3cr3t-pw"`, "s3cr3t-pw"},
	{"password", `smtp.pass=geheim77`, "geheim77"},
	{"password", `DB_PASS='two words'`, "two words"},
	{"password", `passphrase: correct horse battery`, "correct horse battery"},
	{"token", `sun.java.command=app.jar --token\=t0k3n99`, "t0k3n99"},
	{"option", `java_command: app.jar --password hunter22`, "hunter22"},
	{"option", `java_command: app.jar -user scott -password hunter22`, "hunter22"},
	{"secret", `client_secret=abcDEF123`, "abcDEF123"},
	{"token", `-Dgh.token=qwertyuiop`, "qwertyuiop"},
	{"key", `api_key: 0123456789abcdef`, "0123456789abcdef"},
	{"bearer", `Authorization: Bearer mF_9.B5f-4.1JqM`, "mF_9.B5f-4.1JqM"},
	{"basic-auth", `Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==`, "QWxhZGRpbjpvcGVuIHNlc2FtZQ"},
	{"jwt", `id eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc123_-x seen`, "eyJhbGciOiJIUzI1NiJ9"},
	{"aws-key", `AKIAIOSFODNN7EXAMPLE`, "AKIAIOSFODNN7EXAMPLE"},
	{"github-token", `push with ghp_0123456789abcdefghijABCDEFGHIJ012345`, "ghp_0123456789abcdefghijABCDEFGHIJ012345"},
	{"gitlab-token", `glpat-abcdefghij0123456789`, "glpat-abcdefghij0123456789"},
	{"slack-token", `xoxb-123456789012-abcdefGHIJ`, "xoxb-123456789012-abcdefGHIJ"},
	{"google-key", `AIzaSyA1234567890abcdefghijklmnopqrstuvw`, "AIzaSyA1234567890abcdefghijklmnopqrstuvw"},
	{"stripe-key", `sk_live_abcdef0123456789`, "sk_live_abcdef0123456789"},
	{"npm-token", `npm_abcdefghijklmnopqrstuvwxyz0123456789`, "npm_abcdefghijklmnopqrstuvwxyz0123456789"},
	{"session", `Cookie: JSESSIONID=6F1A9BC02D`, "6F1A9BC02D"},
	{"url-user", `jdbc:postgresql://scott:tiger@db/orders`, "scott:tiger"},
	{"url-host", `jdbc:postgresql://db7.example.com:5432/orders`, "db7.example.com"},
	{"email", `"worker for ann.smith@example.org" #12 prio=5`, "ann.smith@example.org"},
	{"user", `-Duser.name=asmith`, "asmith"},
	{"home", `-Djava.io.tmpdir=/home/asmith/tmp`, "asmith"},
	{"host", `HOSTNAME=web-17`, "web-17"},
	{"host", `"to ip-10-1-2-3.eu-west-1.compute.internal" #31`, "ip-10-1-2-3.eu-west-1.compute.internal"},
	{"ipv4", `"pool to 10.20.30.40:8443" #31`, "10.20.30.40"},
	{"ipv6", `"peer 2001:db8:85a3::8a2e:370:7334" #31`, "2001:db8:85a3::8a2e:370:7334"},
	{"ipv6", `"peer fe80::1" #31`, "fe80::1"},
	{"ipv6", `[fd00::a]:8443 refused`, "fd00::a"},
}

func TestSecretsGo(t *testing.T) {
	for _, c := range secrets {
		r := newTest(t)
		got := string(r.Text([]byte(c.line + "\n")))
		if strings.Contains(got, c.secret) {
			t.Errorf("%s: %q still holds %q", c.kind, got, c.secret)
		}
		if r.Counts()[c.kind] == 0 {
			t.Errorf("%q is not counted as %s but as %v", c.line, c.kind, r.Counts())
		}
	}
}

// In binary data, as counters are, the same secrets go and nothing moves.
func TestSecretsGoFromBinary(t *testing.T) {
	for _, c := range secrets {
		data := []byte("\x00\x01name\x00" + c.line + "\x00\xff\x7f")
		got := newTest(t).Binary(data)
		if bytes.Contains(got, []byte(c.secret)) {
			t.Errorf("%s: %q still holds %q", c.kind, got, c.secret)
		}
		if len(got) != len(data) || !bytes.HasPrefix(got, data[:7]) || !bytes.HasSuffix(got, data[len(data)-3:]) {
			t.Errorf("%s: %q is out of place", c.kind, got)
		}
	}
}

func TestPrivateKeyGoes(t *testing.T) {
	text := "before\n-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabcd==\n-----END RSA PRIVATE KEY-----\nafter\n"
	got := string(newTest(t).Text([]byte(text)))
	for _, part := range []string{"MIIEpAIBAAKCAQEA", "abcd=="} {
		if strings.Contains(got, part) {
			t.Errorf("%q still holds %q", got, part)
		}
	}
	if !strings.HasPrefix(got, "before\n") || !strings.HasSuffix(got, "after\n") {
		t.Errorf("what is around the key is gone: %q", got)
	}
}

func TestPropertiesGo(t *testing.T) {
	text := "java.version=17.0.1\nmy.thing=private stuff\nuser.name=asmith\nempty=\n"
	got := string(newTest(t).Properties([]byte(text)))
	if strings.Contains(got, "private stuff") || strings.Contains(got, "asmith") {
		t.Errorf("%q still holds values", got)
	}
	if !strings.Contains(got, "java.version=17.0.1\n") || !strings.Contains(got, "empty=\n") {
		t.Errorf("%q lacks what is public", got)
	}
}

// On a command line values of properties that are not the JDK's go too, and are the
// same as in the list of properties.
func TestOptionsGo(t *testing.T) {
	r := newTest(t)
	listed := strings.TrimPrefix(string(r.Properties([]byte("my.own=thing"))), "my.own=")
	for text, want := range map[string]string{
		"jvm_args: -Xmx1g -Dmy.own=thing -Djava.io.tmpdir=/tmp": "jvm_args: -Xmx1g -Dmy.own=" +
			listed + " -Djava.io.tmpdir=/tmp",
		"JAVA_TOOL_OPTIONS=-Dmy.own=thing": "JAVA_TOOL_OPTIONS=-Dmy.own=" +
			listed,
		`exec java "-Dmy.own=thing" App took 3 ms`: `exec java "-Dmy.own=` + listed +
			`" App took 3 ms`,
		`OPTIONS=-Dmy.own="thing" -Dmy.own='thing' x`: `OPTIONS=-Dmy.own="` + listed +
			`" -Dmy.own='` + listed + `' x`,
		`OPTIONS="-Dmy.own=thing -Dmy.own=thing -Xmx1g" x`: `OPTIONS="-Dmy.own=` + listed +
			` -Dmy.own=` + listed + ` -Xmx1g" x`,
		`["-Dmy.own=", "-Dmy.own=", -Dmy.own="`: `["-Dmy.own=", "-Dmy.own=", -Dmy.own="`,
		`"pool-Dispatcher=thing" #12`:           `"pool-Dispatcher=thing" #12`,
		"-Dflag -Dother= -Dx=true":              "-Dflag -Dother= -Dx=true",
		"jvm_args: -Dmy.own=thing -ea --add-opens java.base/java.lang=ALL-UNNAMED": "jvm_args: -Dmy.own=" + listed +
			" -ea --add-opens java.base/java.lang=ALL-UNNAMED",
		"-Dmy.own=thing -javaagent:a.jar -Dx=true -cp .": "-Dmy.own=" + listed + " -javaagent:a.jar -Dx=true -cp .",
	} {
		if got := string(r.Text([]byte(text))); got != want {
			t.Errorf("%q\n became %q\n    want %q", text, got, want)
		}
	}
	for _, text := range []string{"jvm_args: -Dmy.own=one two -Xmx1g\n", "-Dmy.own=one two",
		"Command Line: -Dpassword=one two -Dx=y Main",
		`OPTIONS=-Dmy.own="one two" -Xmx1g`, `OPTIONS=-Dmy.own='one "two`, `exec java "-Dmy.own=one two" App`,
		"jvm_args: -Dmy.own=one -two -Xmx1g", "-Dmy.own=one - two -ea", "jvm_args: -Dmy.own=one --two",
		"-Dmy.own=-one -eat -two", `exec java "-Dmy.own=one -two" App`} {
		if got := string(r.Text([]byte(text))); strings.Contains(got, "two") {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// The JVM's word for a kind of machine is no host's name.
func TestTheMachineOfACrashLogStays(t *testing.T) {
	for _, line := range []string{
		"Host: AMD EPYC, 2 cores, 24G, Debian GNU/Linux 13 (trixie)",
		"Host: Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz, 4 cores, 7G, Ubuntu 20.04.1 LTS",
		`Host: "MacBookPro18,3" arm64, 10 cores, 32G, Darwin 22.1.0`,
	} {
		if got := string(newTest(t).Text([]byte(line))); got != line {
			t.Errorf("%q became %q", line, got)
		}
	}
	for _, line := range []string{"Host: db7, port: 5432", "Host: amd64-builder", "\thost=db7, 2 cores"} {
		if got := string(newTest(t).Text([]byte(line))); got == line {
			t.Errorf("%q still names a host", line)
		}
	}
}

// Any name that ends in "pass" is one of a password, but for those of other things.
func TestPassesThatAreNoPasswordsStay(t *testing.T) {
	for _, line := range []string{"Compass: north", "COMPASS=north", "Multi-pass: no", "multipass = 'no'",
		"bypass: 3", "Two-Pass: yes", "one-pass=3"} {
		if got := string(newTest(t).Text([]byte(line))); got != line {
			t.Errorf("%q became %q", line, got)
		}
	}
	for _, before := range []string{"", "db.", "db", "db-", "DB_", "user", "--", "-D", "key", "derby", `{"`,
		"Compass: north, ", "one-pass: 3, "} {
		for _, line := range []string{before + "pass=geheim77", before + "pass: geheim77",
			before + "Pass='geheim77 too'"} {
			if got := string(newTest(t).Text([]byte(line))); strings.Contains(got, "geheim77") ||
				!strings.Contains(got, mark) {
				t.Errorf("%q became %q", line, got)
			}
		}
	}
}

// A needle that ends in $ matches only at the end of a word: .lan$ does not match in java.lang.
func TestNeedlesAtTheEndOfWords(t *testing.T) {
	rules, err := ParseRules("a\t.lan$\tlan\nb\tang\tlan")
	if err != nil {
		t.Fatal(err)
	}
	n := newNeedles(rules)
	for line, want := range map[string]uint64{
		"to db.lan": 1, "db.LAN:80": 1, "java.lang.Object": 2, "java.lang.Object at db.lan.": 3, "db.lan2": 0, "": 0,
	} {
		var got ruleSet
		n.texts(nil, []byte(line), appendLower(nil, []byte(line)), &got)
		if got[0] != want {
			t.Errorf("%q: rules %b, want %b", line, got[0], want)
		}
	}
}

// A stream is redacted in parts, and is what it would be as a whole.
func TestReaderIsAsText(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	log := strings.Repeat("order 4711 for ann@example.org took 3 ms\n\tat com.acme.Order.take(Order.java:3)\n", 20_000)
	key := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEpAIBAAKCAQEA\n",
		90_000) + "-----END PRIVATE KEY-----\n"
	for name, text := range map[string]string{
		"log": log, "key": log + key + log, "no end": strings.TrimSuffix(log, "\n"),
		"one line": strings.Repeat("a@example.org ", 100_000), "empty": "",
	} {
		r := newTest(t)
		got, err := io.ReadAll(r.Reader(strings.NewReader(text)))
		if want := newTest(t).Text([]byte(text)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v: %d bytes, want %d: %s", name, err, len(got), len(want), firstDifference(want, got))
		}
	}
}

func TestEqualSecretsStayEqual(t *testing.T) {
	r := newTest(t)
	got := strings.Fields(string(r.Text([]byte("a@example.org\nb@example.org\na@example.org\n"))))
	if got[0] != got[2] || got[0] == got[1] {
		t.Errorf("pseudonyms %v", got)
	}
	rules, _ := Shipped()
	if other := New(rules, []byte("another key")).Text([]byte("a@example.org")); string(other) == got[0] {
		t.Error("another key gives the same pseudonym")
	}
	if again := r.Text([]byte(got[0])); string(again) != got[0] {
		t.Errorf("a pseudonym became %q", again)
	}
}

func TestKnownValuesGoEverywhere(t *testing.T) {
	r := newTest(t)
	r.Know("user", "asmith")
	r.Know("user", "root")
	got := string(r.Text([]byte(`"asmith-worker" asmiths root`)))
	if !strings.HasPrefix(got, `"redacted-user-`) || !strings.HasSuffix(got, "-worker\" asmiths root") {
		t.Errorf("got %q", got)
	}
}

func TestRulesFilesAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"x":            "tabs",
		"a b\tn\tx":    "not a word",
		"k\t\tx":       "no needle",
		"k\tn\t(":      "missing closing",
		"k\tn\tx*":     "nothing at all",
		"# only this":  "",
		"k\tn\tsecret": "",
	} {
		_, err := ParseRules(text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Dumps of programs that have none hold no secrets: what is replaced in them was taken for one by mistake.
func TestCleanDumpsStayAsTheyAre(t *testing.T) {
	paths, _ := filepath.Glob("../../testdata/dumps/*/*.txt")
	if len(paths) < 120 {
		t.Fatalf("only %d dumps", len(paths))
	}
	r := newTest(t)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Text(text); !bytes.Equal(got, text) {
			t.Errorf("%s: %v: %s", path, r.Counts(), firstDifference(text, got))
		}
	}
}

func firstDifference(a, b []byte) string {
	was, is := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range was {
		if i < len(is) && !bytes.Equal(was[i], is[i]) {
			return string(was[i]) + "\n became " + string(is[i])
		}
	}
	return ""
}

// BenchmarkText redacts all dumps that are here, and an ordinary log.
func BenchmarkText(b *testing.B) {
	var dumps []byte
	paths, _ := filepath.Glob("../../testdata/dumps/*/*.txt")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		dumps = append(dumps, text...)
	}
	log := strings.Repeat(
		"2026-03-01T10:00:00.123 INFO  [exec-7] c.e.orders.OrderService - order 4711 took 12.5 ms, 3 items\n", 10_000)
	for name, text := range map[string][]byte{"dumps": dumps, "log": []byte(log)} {
		b.Run(name, func(b *testing.B) { benchmark(b, text) })
	}
}

// benchmark reports the speed on one core also as CPU time has it, which on a busy machine is
// the figure that holds.
func benchmark(b *testing.B, text []byte) {
	r := newTest(b)
	r.Text(text) // compiles the rules
	b.SetBytes(int64(len(text)))
	before, n := cpuTime(b), 0
	for b.Loop() {
		r.Text(text)
		n++
	}
	b.ReportMetric(float64(n*len(text))/1e6/(cpuTime(b)-before).Seconds(), "MB/CPU-s")
}

// cpuTime is the CPU time of this process.
func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkDense redacts a log with secrets in every line.
func BenchmarkDense(b *testing.B) {
	lines := map[string]string{
		"user": "2026-03-01T10:00:00.123 INFO  [exec-7] c.e.orders.OrderService - order 4711 of user=asmith took " +
			"12.5 ms\n",
		"ipv4": "10.20.30.40 - - [01/Mar/2026:10:00:00 +0000] \"GET /orders/4711 HTTP/1.1\" 200 5316 12 ms\n",
		"both": "2026-03-01T10:00:00.123 WARN  [exec-7] c.e.auth.Login - login of user=asmith from 10.20.30.40 " +
			"failed, 3 attempts\n",
		"none": "2026-03-01T10:00:00.123 INFO  [exec-7] c.e.orders.OrderService - user 4711 is on version " +
			"1.2.3.4711 since 12.5 ms\n",
	}
	for name, line := range lines {
		b.Run(name, func(b *testing.B) {
			benchmark(b, []byte(strings.Repeat(line, 1000)))
		})
	}
}
