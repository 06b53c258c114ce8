package redact

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// apart are texts in which a secret, §, is away from its name, or in a form that a rule for lines does not see. The
// rest of each text must stay but for the lines with the secret.
var apart = []string{
	"[--spring.datasource.password, §]", "args=[--db.password, §, --port, 80]",
	"-password\n§", "--password\n§\n--port", "  - --password\n  - §", "\"--password\",\n\"§\",",
	"- name: DB_PASSWORD\n  value: §", "- name: DB_PASSWORD\n  value: \"§\"",
	"  - name: \"API_TOKEN\"\n    value: '§'",
	"{\n  \"name\": \"DB_PASSWORD\",\n  \"value\": \"§\"\n}", "- name: X_SECRET\n  # of the vault\n  value: §",
	"password: |\n  §", "password: >-\n  §",
	"password: |-\n  §\n  §x\nother: y", "a:\n  client_secret: |\n    §\n  b: c",
	"password: >-  # folded\n  §", "password:\n  §",
	"passwords:\n  - §\n  - §", "passwords:\n- §", "token:\n  value: §",
	"secret:\n  \"§\"", "db:\n  password:\n    §\n  user: u", "- name: DB_PASSWORD\n  value: |\n    §",
	"password=\\\n  §", "password=§\\\n  §", "password = \\\n  §\\\n  §\nother=x", "password: \\\n    §",
	"export PASSWORD=\\\n§",
	"<password>\n  §\n</password>", "<password>\n§</password>", "<password type='x'>\n  §\n</password>",
	"<password><![CDATA[\n§\n]]></password>", "<name>db.password</name>\n<value>§</value>",
	"<property>\n  <name>db.password</name>\n  <value>§</value>\n</property>",
	"<key>password</key>\n<string>§</string>",
	"<property name=\"password\"\n   value=\"§\"/>", "<entry key=\"password\">\n§\n</entry>",
	"| password | § |", "| user | bob |\n| password | § |",
	"|password|§|", "password\t§", "user\tbob\npassword\t\t§",
	"the password is '§'", "password is \"§\"", "his password was `§`",
	"password changed to '§'", "the token is '§'",
	"the password is §7a", "the new password is: '§'",
	"jdbc:oracle:thin:u/\"§\"@(DESCRIPTION=(X=Y))", "jdbc:oracle:thin:u/§@(DESCRIPTION=(X=Y))",
	"docker login -u u -p § registry", "docker login -p § -u u",
	"podman login -p=§ h", "helm registry login h -u u -p §",
	"\x1b[31mpassword\x1b[0m=§", "\x1b[1;31mpassword\x1b[0m: \x1b[32m§\x1b[0m", "\x1b[33mtoken\x1b[m = §",
	"pass_phrase=§", "pass-phrase: §", "pass.phrase=§", "pass_word=§", "PASS_WD: §",
	"password=§ -----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY----- x",
	"a -----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY----- password=§ x",
	"-----BEGIN PRIVATE KEY-----§-----END PRIVATE KEY----- and " +
		"-----BEGIN RSA PRIVATE KEY-----§-----END RSA PRIVATE KEY-----",
	"-----BEGIN CERTIFICATE-----MIIE-----END CERTIFICATE----- password=§",
	"-----BEGIN PRIVATE KEY-----\n§\n-----END PRIVATE KEY----- password=§",
	"java -Ddb.password=§ -Djwt.key=-----BEGIN PRIVATE KEY-----\\n§\\n-----END PRIVATE KEY----- -Dapi.token=§ Main",
}

// TestNothingStaysApart: the value of a name goes also where it is in another line than its name.
func TestNothingStaysApart(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	for _, format := range apart {
		for _, indent := range []string{"", "    "} {
			for _, end := range []string{"\n", "\r\n"} {
				secret := word(random, 12)
				text := indent + strings.ReplaceAll(strings.ReplaceAll(format, "§", secret), "\n", end+indent) + end
				got := string(newTest(t).Text([]byte("before\n" + text + "after\n")))
				if part := leak(got, secret); part != "" {
					t.Errorf("%q stays of\n%s in\n%s", part, text, got)
				}
				if !strings.HasPrefix(got, "before\n") || !strings.HasSuffix(got, end+"after\n") {
					t.Errorf("what is around it is gone:\n%q", got)
				}
			}
		}
	}
}

// TestWhatIsNoSecretStays: names, numbers and marks that only look like it, and what follows them.
func TestWhatIsNoSecretStays(t *testing.T) {
	for _, text := range []string{
		"-Dtoken.ttl=3600 -Dcache.size=512m -Dpoll=30s", "secrets: 0",
		"credentials = 12", "Server version number: 10.1.31.0",
		"version 10.1.31.0", "\"version\": \"1.2.3.4\"", "password:\nother: x",
		"Caused by: invalid token:\n\tat com.x.Y.z(Y.java:3)\n", "password is incorrect", "the token is too long",
		"password\n", "- name: DB_HOST_COUNT\n  value: 3",
		"- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: x",
		"<password>\n</password>\n", "password: |\nother: x", "| a | b |", "the secret is out", "login -p",
		"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
	} {
		if got := string(newTest(t).Text([]byte(text + "\nafter\n"))); got != text+"\nafter\n" {
			t.Errorf("%q became\n%q", text, got)
		}
	}
}

// TestOpenAcrossParts: a stream that is redacted in parts is what it would be as a whole, wherever a value is.
func TestOpenAcrossParts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var b strings.Builder
	for i := 0; b.Len() < 3<<20; i++ {
		fmt.Fprintf(&b, "  - name: DB_PASSWORD\n    value: s3cret%[1]dx\n  - name: A\n    value: b%[1]d\n"+
			"password: |\n  one%[1]d\n  two\n", i)
		b.WriteString(strings.Repeat("line\n", i%7))
	}
	got, err := io.ReadAll(newTest(t).Reader(strings.NewReader(b.String())))
	if want := newTest(t).Text([]byte(b.String())); err != nil || string(got) != string(want) {
		t.Errorf("%v: %s", err, firstDifference(want, got))
	}
	if strings.Contains(string(got), "s3cret") {
		t.Error("a value stays")
	}
}
