package cli

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// secretEvents makes events whose texts are secrets: in Latin-1, beyond it, long ones, and such as the JVM records.
const secretEvents = `
import java.io.*;
import java.net.*;
import jdk.jfr.*;

public class SecretEvents {
	@Name("shop.Login") @Label("Login")
	public static class Login extends Event {
		@Label("User") String user;
		String password;
		String note;
	}
	@Name("shop.Setting")
	public static class Setting extends Event { String key; String value; }

	static void listen() {
		InetAddress local = InetAddress.getLoopbackAddress();
		try (ServerSocket server = new ServerSocket(0, 1, local);
				Socket client = new Socket(InetAddress.getByAddress("planted-host", local.getAddress()),
					server.getLocalPort());
				Socket accepted = server.accept()) {
			new Thread(() -> {
				try {
					Thread.sleep(50);
					accepted.getOutputStream().write(1);
				} catch (Exception expected) {
				}
			}, "answers planted-host").start();
			client.getInputStream().read();
		} catch (IOException e) {
			e.printStackTrace();
		}
	}

	public static void main(String[] args) throws Exception {
		Thread t = new Thread(() -> {
			for (int i = 0; i < 3; i++) {
				Login login = new Login();
				login.user = "bob.planted@example.com";
				login.password = i == 0 ? "pl\u00e4nted-planted-latin" :
					i == 1 ? "\u043f\u0430\u0440\u043e\u043b\u044c-planted" : "quoted \"horse\" of planted \\ staple";
				login.note = "retry with Authorization: Bearer planted93ab8f7c6d5e4f3a2b1c";
				login.commit();
			}
			for (int i = 0; i < 4; i++) { // texts that come again become constants
				Setting setting = new Setting();
				setting.key = "shop.datasource.password";
				setting.value = i < 2 ? "planted-setting-" + i : "planted-setting-that-is-a-constant";
				setting.commit();
			}
			Setting seen = new Setting();
			seen.key = "comment";
			seen.value = "\u043f\ud83d\ude00 for planted-setting-0, bob.planted@example.com";
			seen.commit();
			listen();
			try (FileInputStream in = new FileInputStream("/home/plantedperson/none")) {
			} catch (IOException expected) {
				throw new IllegalStateException("no login with token=plantedtoken4711");
			}
		}, "worker of planted.thread@example.com");
		t.setUncaughtExceptionHandler((thread, e) -> { });
		t.start();
		t.join();
	}
}
`

// plantedText is what every secret of secretEvents has in it, and those of its command line and environment.
const plantedText = "planted"

// TestNoSecretStaysInARecording: the planted secrets are in no byte of the redacted recording, however they were
// written, and the JDK's own tool reads it and counts the same events.
func TestNoSecretStaysInARecording(t *testing.T) {
	t.Parallel()
	system, dir := jvmtest.Find(t, jvmtest.System), t.TempDir()
	if system.Tool("javac") == "" {
		jvmtest.Lack(t, "no javac in %s", system.Home)
	}
	source := filepath.Join(dir, "SecretEvents.java")
	if err := os.WriteFile(source, []byte(secretEvents), 0o644); err != nil {
		t.Fatal(err)
	}
	command(t, system.Tool("javac"), "-encoding", "UTF-8", "-Xlint:-options", "-source", "8", "-target", "8", "-d", dir,
		source)
	for _, version := range []string{"8", jvmtest.System, "25"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			recording, redacted := filepath.Join(dir, version+".jfr"), filepath.Join(dir, version+"-redacted.jfr")
			java := exec.Command(jvmtest.Find(t, version).Java(),
				"-XX:StartFlightRecording=settings=profile,filename="+recording, "-Dshop.db.password=plantedProperty",
				"-Dshop.order=plantedOther", "-Dshop.blank=one plantedword", "-Duser.name=plantedperson", "-cp", dir,
				"SecretEvents", "--api-key", "plantedArgument", "passphrase=planted 4711")
			java.Env = append(os.Environ(), "SHOP_TOKEN=plantedEnvironment")
			if out, err := java.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			got := run(t, "", "redact", recording, redacted)
			if got.code != shell.ExitDone || !strings.Contains(got.stderr, "password ") {
				t.Fatalf("exit %d: %s", got.code, got.stderr)
			}
			hasPlanted(t, recording, true)
			hasPlanted(t, redacted, false)
			sameToJFR(t, recording, redacted, version)
			redactedInPart(t, recording)
		})
	}
}

// command runs a program that must not fail, and is its output.
func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// hasPlanted looks for the planted text in the bytes of a file, as each encoding of a recording writes it.
func hasPlanted(t *testing.T, path string, want bool) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var wide []byte // as recordings write characters one by one
	for _, c := range "пароль" {
		wide = append(wide, byte(c)|0x80, byte(c>>7))
	}
	lower := bytes.Clone(data) // byte by byte, so that a place in it is one in the file
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] += 'a' - 'A'
		}
	}
	found := bytes.Contains(lower, []byte(plantedText)) || bytes.Contains(data, wide) ||
		bytes.Contains(data, []byte("пароль"))
	if found != want {
		at := bytes.Index(lower, []byte(plantedText))
		t.Errorf("%s: a planted secret: %v, want %v, at %d: %q", path, found, want, at,
			data[max(0, at-200):min(len(data), max(0, at)+100)])
	}
}

var summaryLine = regexp.MustCompile(`(?m)^ (\S+\.\S+) +(\d+) `)

// sameToJFR has every JDK that has its tool count the events of both recordings, and one print the copy: that of the
// version which made it, as far as that has the tool.
func sameToJFR(t *testing.T, before, after, version string) {
	t.Helper()
	if version == "8" {
		version = jvmtest.System
	}
	read := 0
	for _, reader := range []string{jvmtest.System, "25"} {
		tool := jvmtest.Find(t, reader).Tool("jfr")
		if tool == "" {
			continue
		}
		read++
		was := summaryLine.FindAllString(command(t, tool, "summary", before), -1)
		is := summaryLine.FindAllString(command(t, tool, "summary", after), -1)
		if len(was) < 50 || strings.Join(was, "\n") != strings.Join(is, "\n") {
			t.Errorf("%s counts\n%s\nbefore, and\n%s", tool, strings.Join(was, "\n"), strings.Join(is, "\n"))
		}
		if reader != version {
			continue
		}
		printed := command(t, tool, "print", after)
		if n := strings.Count(printed, "shop.Login {"); n != 3 || !strings.Contains(printed, `password = "redacted-`) ||
			!strings.Contains(printed, `value = "п😀 for redacted-password-`) {
			t.Errorf("%s prints %d logins", tool, n)
		}
	}
	if read == 0 {
		jvmtest.Lack(t, "no JDK with the tool jfr")
	}
}

// redactedInPart redacts a recording whose second chunk is cut, from standard input to standard output too.
func redactedInPart(t *testing.T, recording string) {
	t.Helper()
	whole, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	cut := append(bytes.Clone(whole), whole[:len(whole)/2]...)
	out := filepath.Join(t.TempDir(), "out.jfr")
	got := run(t, "", "redact", saveBytes(t, "cut.jfr", cut), out)
	written, err := os.ReadFile(out)
	if got.code != shell.ExitPartial || err != nil || !strings.Contains(got.stderr, "only its beginning (chunks: 1)") {
		t.Errorf("cut: exit %d, %v\n%s", got.code, err, got.stderr)
	}
	if size := binary.BigEndian.Uint64(written[8:]); size != uint64(len(written)) {
		t.Errorf("cut: %d bytes, of which the chunk has %d", len(written), size)
	}
	// one of its secrets is in a text that no rule knows, and standard input cannot be read again
	piped := run(t, string(whole), "redact", "-", "-")
	if piped.code != shell.ExitNothing || piped.stdout != "" || !strings.Contains(piped.stderr,
		"it must be read twice") {
		t.Errorf("from standard input: exit %d, %d bytes\n%s", piped.code, len(piped.stdout), piped.stderr)
	}
}
