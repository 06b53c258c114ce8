package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// planted are options of a JVM, and the secrets in them.
var planted = []struct{ option, secret string }{
	{"-Dspring.datasource.password=hunter2!x", "hunter2!x"},
	{"-Dapp.keystore.passphrase=open-sesame", "open-sesame"},
	{"-Doauth.client_secret=abcDEF123", "abcDEF123"},
	{"-Dgh.token=qwertyuiop", "qwertyuiop"},
	{"-Dmaps.api_key=0123456789abcdef", "0123456789abcdef"},
	{"-Dheader=Authorization:Bearer mF_9.B5f-4.1JqM", "mF_9.B5f-4.1JqM"},
	{"-Dheader2=Authorization:Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "QWxhZGRpbjpvcGVuIHNlc2FtZQ"},
	{"-Did=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc123_-x", "eyJzdWIiOiIxMjM0In0"},
	{"-Da=AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"},
	{"-Db=ghp_0123456789abcdefghijABCDEFGHIJ012345", "ghp_0123456789abcdefghij"},
	{"-Dc=glpat-abcdefghij0123456789", "glpat-abcdefghij0123456789"},
	{"-Dd=xoxb-123456789012-abcdefGHIJ", "xoxb-123456789012"},
	{"-De=AIzaSyA1234567890abcdefghijklmnopqrstuvw", "AIzaSyA1234567890"},
	{"-Df=sk_live_abcdef0123456789", "sk_live_abcdef"},
	{"-Dg=npm_abcdefghijklmnopqrstuvwxyz0123456789", "npm_abcdefghij"},
	{"-Dcookie=JSESSIONID=6F1A9BC02D", "6F1A9BC02D"},
	{"-Durl=jdbc:postgresql://scott:tiger@db7.example.com:5432/orders", "scott:tiger"},
	{"-Durl2=jdbc:postgresql://db8.example.com:5432/orders", "db8.example.com"},
	{"-Dmail=ann.smith@example.org", "ann.smith@example.org"},
	{"-Djob.user=asmithy", "asmithy"},
	{"-Dpath=/home/bsmithy/tmp", "bsmithy"},
	{"-Dnode.hostname=web-1729", "web-1729"},
	{"-Dpeer=ip-10-1-2-3.compute.internal", "ip-10-1-2-3"},
	{"-Dpeer2=10.20.30.40", "10.20.30.40"},
	{"-Dredis=redis://:n0user-pw@cache", "n0user-pw"},
	{"-Dxml=<password>in-an-element</password>", "in-an-element"},
	{"-Dlist=user=a,password=b4,after-comma", "after-comma"},
	{"-Dcookies=Cookie:a=b;c=second-cookie", "second-cookie"},
	{"-Dblob=https://a.blob.core.windows.net/c?sv=1&sig=azure-signature", "azure-signature"},
	{"-Dencoded=q%3Fpassword%3Dpercent-pw", "percent-pw"},
	{"-Dregistry=registry.acme-corp.com:5000", "acme-corp"},
	{"-Dpeer3=2001:db8:85a3::8a2e:370:7334", "8a2e:370:7334"},
}

// plantedArguments are arguments of a program, and the secrets in them.
var plantedArguments = []struct{ argument, secret string }{
	{"-u admin:argument-pw", "argument-pw"},
	{"--db-password=equals-pw", "equals-pw"},
	{"--api-key blank-key", "blank-key"},
	{"scott/oracle-pw@db", "oracle-pw"},
	{"kafka.acme-corp.com:9092", "acme-corp"},
	{`{"password":"json-pw"}`, "json-pw"},
	{"password=[a,bracket-pw]", "bracket-pw"},
}

func TestNoSecretIsRecorded(t *testing.T) {
	var options []string
	arguments := []string{"0", "1"}
	secrets := slices.Clone(planted)
	for _, p := range plantedArguments {
		arguments = append(arguments, strings.Fields(p.argument)...)
		secrets = append(secrets, struct{ option, secret string }{p.argument, p.secret})
	}
	for _, p := range planted {
		options = append(options, p.option)
	}
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System),
		jvmtest.Options{Class: "Idle", Args: arguments, JVMArgs: options})
	dir := t.TempDir()
	file, out := filepath.Join(dir, "r.zip"), filepath.Join(dir, "out")
	got := run(t, "", "record", strconv.Itoa(vm.PID()), "-o", file, "--count", "2", "--interval", "50ms", "--redact")
	if got.code != shell.ExitDone {
		t.Fatalf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if summary := run(t, "", "record", "summary", file).stdout; !strings.Contains(summary, "redacted: password") {
		t.Errorf("the summary does not count what was redacted:\n%s", summary)
	}
	if got := run(t, "", "record", "extract", file, out); got.code != shell.ExitDone {
		t.Fatal(got.stderr)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, p := range secrets {
			if at := bytes.Index(content, []byte(p.secret)); at >= 0 {
				t.Errorf("%s holds %q: …%s…", path, p.secret, content[max(0, at-60):at+len(p.secret)])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Without --redact one line says what the recording holds, with it none does.
func TestRecordWarnsOfPasswords(t *testing.T) {
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System),
		jvmtest.Options{Class: "Idle", JVMArgs: []string{"-Ddb.password=hunter22"}})
	for _, redacted := range []bool{false, true} {
		file := filepath.Join(t.TempDir(), "r.zip")
		args := []string{"record", strconv.Itoa(vm.PID()), "-o", file, "--count", "1"}
		if redacted {
			args = append(args, "--redact")
		}
		got := run(t, "", args...)
		warnings := strings.Count(got.stderr, "warning: ")
		if got.code != shell.ExitDone || warnings > 1 || (warnings == 1) == redacted ||
			!redacted && !strings.Contains(got.stderr, "--redact") {
			t.Errorf("redacted %t: exit %d, stderr:\n%s", redacted, got.code, got.stderr)
		}
	}
}

// Names change, what is said of them does not.
func TestRedactionLeavesTheAnalysis(t *testing.T) {
	t.Parallel()
	recorded, err := filepath.Glob("../../testdata/eval/recorded/*/*.zst")
	if err != nil || len(recorded) < 100 {
		t.Fatal(len(recorded), err)
	}
	for _, name := range append(recorded, threadDumps(t)...) {
		plain, redacted := run(t, "", "status", "--json", name), run(t, "", "status", "--json", "--redact", name)
		if plain.code != redacted.code || ofJVM(plain.stdout) != ofJVM(redacted.stdout) {
			t.Errorf("%s: the report differs", name)
		}
	}
}

// ofJVM is a report without what it cost us.
func ofJVM(report string) string { return ownCPUInJSON.ReplaceAllString(report, "") }

var ownCPUInJSON = regexp.MustCompile(`"ownCpuSeconds":[0-9.e-]+,`)

func TestRedactFiles(t *testing.T) {
	dir := t.TempDir()
	in, out, rules := filepath.Join(dir, "in.log"), filepath.Join(dir, "out.log"), filepath.Join(dir, "rules")
	_ = os.WriteFile(in, []byte("user=asmithy order 12345-X\n"), 0o600)
	_ = os.WriteFile(rules, []byte("order\torder\torder (?P<secret>[0-9]+-X)\n"), 0o600)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{in, out}, shell.ExitDone, ""},
		{[]string{in, out}, shell.ExitNothing, ""},
		{[]string{in, "-"}, shell.ExitDone, "user=redacted-user-"},
		{[]string{in, "-", "--redact-rules", rules}, shell.ExitDone, "order redacted-order-"},
		{[]string{in, "-", "--redact-rules", in}, shell.ExitUsage, ""},
		{[]string{dir, "-"}, shell.ExitNothing, ""},
		{[]string{filepath.Join(dir, "none"), "-"}, shell.ExitNothing, ""},
		{[]string{in}, shell.ExitUsage, ""},
		{[]string{in, in, "--force"}, shell.ExitUsage, ""},
	} {
		got := run(t, "", append([]string{"redact"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.stdout, c.want) {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", c.args, got.code, c.code, c.want, got.stdout, got.stderr)
		}
	}
	if kept, _ := os.ReadFile(out); bytes.Contains(kept, []byte("asmithy")) ||
		!bytes.Contains(kept, []byte("12345-X")) {
		t.Errorf("the file holds %q", kept)
	}
}
