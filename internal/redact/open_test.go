package redact

import (
	"fmt"
	"io"
	"maps"
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
	"ENV DB_PASSWORD §", "setenv DB_PASSWORD §", "setPassword(\"§\")", "builder.password(\"§\").build()",
	"withPassword('§')", "new PasswordAuthentication(\"u\", \"§\")", "db7:5432:orders:app:§", "AUTH §", "PASS §",
	"a1 LOGIN ann §", "tls.key: LS0tLS1CRUdJTi§", "password = \"\"\"\n§\n\"\"\"", "password = <<EOF\n§\nEOF",
	"password=$(cat <<EOF\n§\nEOF\n)", "DB_PASSWORD ?= §", "zip -P § x.zip", "7z x -p§ a.7z", "mongosh -u a -p § d",
	"sqlcmd -S h -U sa -P §", "cqlsh -u a -p § h", "beeline -u jdbc:hive2://h -n a -p §",
	"rabbitmqctl add_user ann §", "echo 'ann:§' | chpasswd", "snmpget -v2c -c § h sysName",
	"java -cp x Main -p § -u bob", "java -cp x Main -u bob -p §", "java -cp x Main -u bob -p§7",
	"aws configure set aws_secret_access_key §", "{\"Key\": \"DB_PASSWORD\", \"Value\": \"§\"}",
	"{\"value\":\"§\",\"name\":\"DB_PASSWORD\"}", "data:\n  .dockerconfigjson: §", "data:\n  id_rsa: §",
	"password: &pw §", "password: !!str §", "PASSWORD\n========\n§\n", "Password for 'https://ann@h': §",
	"user ann, password §7a", "with password §7a", "password (§7a)", "password [§7a]", "password <§7a>",
	"-b \"session=§\"", "/callback?code=§&state=x", "SAMLResponse=§", "mnemonic: §",
	"\x1b[31m-----BEGIN RSA PRIVATE KEY-----\x1b[0m\n\x1b[31m§\x1b[0m\n\x1b[31m-----END RSA PRIVATE KEY-----\x1b[0m",
	"PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\n§\nPrivate-MAC: 0a",
	"2026-03-01 INFO -----BEGIN PRIVATE KEY-----\n2026-03-01 INFO §\n2026-03-01 INFO -----END PRIVATE KEY-----",
	"SET PASSWORD FOR 'a' = '§'", "SET PASSWORD FOR 'a' = PASSWORD('§')",
	"DriverManager.getConnection(\"jdbc:x\", \"sa\", \"§\")", "machine h.example.org\n  login ann password §",
	"requirepass §", "| time | user | password |\n|---|---|---|\n| 1 | ann | § |\n| 2 | bob | x§ |",
	"user,password,token\nann,§,x§\nbob,y§,z§", "NAME    PASSWORD    AGE\nann     §     3d",
	"user\tpassword\nann\t§\nbob\tx§", "| password |\n|---|\n| § |", "mysql -u root \\\n  -p§ orders",
	"curl -s \\\n  -u ann:§ \\\n  https://h/x", "java \\\n  --db.password \\\n  § \\\n  Main",
}

// TestNothingStaysApart: the value of a name goes also where it is in another line than its name.
func TestNothingStaysApart(t *testing.T) {
	random, r := rand.New(rand.NewPCG(4, 2)), newTest(t)
	for _, format := range apart {
		for _, indent := range []string{"", "    "} {
			for _, end := range []string{"\n", "\r\n"} {
				secret := word(random, 12)
				text := indent + strings.ReplaceAll(strings.ReplaceAll(format, "§", secret), "\n", end+indent) + end
				got := string(r.Text([]byte("before\n" + text + "after\n")))
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
		"Tests: PASS", "password for ann is wrong", "-u bob -p 8080:80", "-p /x -u bob",
		"tests,passed\n3,4",
		"com.acme.password.PasswordEncoder", "release 3.1.0-8f14e45fceea167a5a36dedd4bea2543",
		"\"3f2504e0-4f89-11d3-9a0c-0305e82c3301\" #12 prio=5",
		"jstall 1.2.0 (commit 9fceb02d0ae598e95dc970b74767f19372d61af8)",
		"\"token-refresher-1\" #12 daemon prio=5", "\"passwordReaper\" #3", "-XX:+UseG1GC -Xmx512m -Dtoken.cache=16m",
		"\"SecretManager-worker-3\" #44 prio=5", "session timeout 30 s", "\t- locked <0x1> (a com.acme.TokenStore)",
		"the columns are user, password and token", "Heap\n garbage-first heap   total 262144K, used 1024K",
		"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
	} {
		if got := string(newTest(t).Text([]byte(text + "\nafter\n"))); got != text+"\nafter\n" {
			t.Errorf("%q became\n%q", text, got)
		}
	}
}

// TestOpenAcrossParts: a stream that is redacted in parts is what it would be as a whole, wherever a value is, and
// so are the counts.
func TestOpenAcrossParts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var mixed, table strings.Builder
	table.WriteString("user,password,age\n")
	for i := 0; mixed.Len() < 3<<20; i++ {
		fmt.Fprintf(&mixed, "  - name: DB_PASSWORD\n    value: s3cret%[1]dx\n  - name: A\n    value: b%[1]d\n"+
			"password: |\n  one%[1]d\n  two\ncurl \\\n  -u ann:s3cret%[1]dx \\\n  h\n", i)
		mixed.WriteString(strings.Repeat("line\n", i%7))
		fmt.Fprintf(&table, "ann%[1]d,s3cret%[1]dx,%[1]d\n", i)
	}
	for _, text := range []string{mixed.String(), table.String(), table.String() + "\n" + mixed.String()} {
		inParts, whole := newTest(t), newTest(t)
		got, err := io.ReadAll(inParts.Reader(strings.NewReader(text)))
		if want := whole.Text([]byte(text)); err != nil || string(got) != string(want) {
			t.Errorf("%v: %s", err, firstDifference(want, got))
		}
		if strings.Contains(string(got), "s3cret") {
			t.Error("a value stays")
		}
		if !maps.Equal(inParts.Counts(), whole.Counts()) {
			t.Errorf("%v in parts, %v as a whole", inParts.Counts(), whole.Counts())
		}
	}
}
