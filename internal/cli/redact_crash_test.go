package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// A crash log holds the command line, the environment and the paths of the libraries.
func TestNoSecretStaysInACrashLog(t *testing.T) {
	t.Parallel()
	onEveryJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		dir := t.TempDir()
		log, clean := filepath.Join(dir, "hs_err.log"), filepath.Join(dir, "clean.log")
		options := []string{"-XX:-CreateCoredumpOnCrash", "-XX:+IgnoreUnrecognizedVMOptions", "-XX:ErrorFile=" + log,
			"-Dour.own=not-yours", "-Dour.blank=one strangers-word"}
		secrets := []string{"not-yours", "strangers-word", "tools-pw", "tools-license", "more-options", "asmithy",
			"bsmithy", "csmithy", "web-1729", "argument-pw", "argument-user"}
		for _, p := range planted {
			options, secrets = append(options, p.option), append(secrets, p.secret)
		}
		vm := jvmtest.Start(t, jdk, jvmtest.Options{
			Class: "Idle", Args: []string{"0", "1", "--password", "argument-pw", "login=argument-user"},
			JVMArgs: options,
			Env: []string{
				"JAVA_TOOL_OPTIONS=-Ddb.password=tools-pw -Dour.license=tools-license",
				"_JAVA_OPTIONS=-Dour.more=more-options",
				"USERNAME=asmithy", "SHELL=/home/bsmithy/sh", "PATH=/bin:/home/csmithy/bin", "DISPLAY=web-1729.corp:0",
			},
		})
		vm.Signal(syscall.SIGSEGV)
		vm.Wait()
		original := wantSecrets(t, log, secrets)
		if got := run(t, "", "redact", log, clean); got.code != shell.ExitDone {
			t.Fatalf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
		}
		text, err := os.ReadFile(clean)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range secrets {
			if at := bytes.Index(text, []byte(s)); at >= 0 {
				t.Errorf("%q is still there: …%s…", s, text[max(0, at-60):at+len(s)])
			}
		}
		if machine := regexp.MustCompile("(?m)^Host: .*$").Find(original); !bytes.Contains(text, machine) ||
			machine == nil && jdk.Version > 8 {
			t.Errorf("the line %q, the machine's kind, is not there", machine)
		}
		for _, public := range []string{"SIGSEGV", "jvm_args: ", "-Dour.own=redacted-property-",
			"Environment Variables:"} {
			if !bytes.Contains(text, []byte(public)) {
				t.Errorf("%q is not there", public)
			}
		}
	})
}

// wantSecrets checks that there is something to take out of a file, and is its text.
func wantSecrets(t *testing.T, path string, secrets []string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range secrets {
		if !strings.Contains(string(text), s) {
			t.Errorf("the log does not hold %q", s)
		}
	}
	return text
}
