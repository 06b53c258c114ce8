package redact

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// contexts are the places where a secret may appear.
var contexts = map[string]string{
	"thread name":     `"worker %s" #12 [4711] daemon prio=5 os_prio=0 cpu=1.00ms tid=0x00007f7b700c56b0 nid=29739 runnable  [0x00007f7b503fe000]`,
	"like a frame":    "\tat com.x %s",
	"behind a frame":  "\tat com.x.Y.z(Y.java:3) %s",
	"JVM argument":    "jvm_args: -Xmx1g %s -XX:+UseG1GC",
	"value of option": "Command Line: -Xmx1g -Dmy.opt=%s Main",
	"property":        "java.vendor.note=%s",
	"JSON":            `{"a":1,"v":"%s","z":[1]}`,
	"JSON in JSON":    `{"a":"{\"v\":\"%s\"}","z":[1]}`,
	"XML":             `<a><v>%s</v></a>`,
	"attribute":       `<a v="%s" z="1"/>`,
	"URL":             `GET https://h.example.org/x?a=1&v=%s&z=2 took 3 ms`,
	"log":             `2026-03-01T10:00:00.123 INFO  [exec-7] c.e.Sender - sent %s to peer`,
	"brackets":        `Request[1, %s, (2)]`,
	"parentheses":     `send(%s) failed`,
	"list":            `a,%s,b`,
	"header":          `X-Note: %s`,
	"alone":           `%s`,
}

// encodings are what may have become of a line.
var encodings = map[string]func(string) string{
	"plain":      func(s string) string { return s },
	"percent":    func(s string) string { return "GET /x?next=" + url.QueryEscape(s) + " HTTP/1.1" },
	"properties": func(s string) string { return strings.NewReplacer("=", `\=`, ":", `\:`).Replace(s) },
	"entities": func(s string) string {
		return strings.NewReplacer(`"`, "&quot;", "&", "&amp;", "'", "&#39;").Replace(s)
	},
	"UTF-16":    func(s string) string { return utf16Text(s, 1) },
	"UTF-16 BE": func(s string) string { return utf16Text(s, 0) },
}

// utf16Text is text in UTF-16, with the high bytes first or second.
func utf16Text(s string, high int) string {
	var out strings.Builder
	for _, unit := range utf16.Encode([]rune(s)) {
		pair := [2]byte{}
		pair[high], pair[1-high] = byte(unit>>8), byte(unit)
		out.Write(pair[:])
	}
	return out.String()
}

// pseudonyms tell of a secret no more than its kind.
var pseudonyms = regexp.MustCompile(`redacted-[a-z0-9-]+-[a-z]{8}`)

// leak is a part of a secret that text still holds, however it is encoded.
func leak(text, secret string) string {
	const part = 8
	forms := []string{text, strings.ReplaceAll(text, "\x00", ""), strings.ReplaceAll(text, `\`, "")}
	if decoded, err := url.QueryUnescape(text); err == nil {
		forms = append(forms, decoded)
	}
	for _, form := range forms {
		form = pseudonyms.ReplaceAllString(form, "")
		for at := 0; at == 0 || at+part <= len(secret); at++ {
			if s := secret[at:min(len(secret), at+part)]; strings.Contains(form, s) {
				return s
			}
		}
	}
	return ""
}

// planted is text with a secret in it.
type planted struct{ kind, text, secret string }

// plantedByName are the ways in which secrets were seen to be given away, each with a fresh one.
func plantedByName(random *rand.Rand) []planted {
	var all []planted
	add := func(kind, format string) {
		secret := word(random, 12)
		text := strings.ReplaceAll(format, "§", secret)
		if base, ok := strings.CutPrefix(format, "base64:"); ok {
			secret = base64.StdEncoding.EncodeToString([]byte("user:" + secret))
			text = strings.ReplaceAll(base, "§", secret)
		}
		all = append(all, planted{kind, text, secret})
	}
	for kind, formats := range seen {
		for _, format := range formats {
			add(kind, format)
		}
	}
	return all
}

// seen are the forms by kind. § stands for the secret.
var seen = map[string][]string{
	"password": {
		"password=§", "password: §", "password = §", "passwd=§", "PGPASSWORD=§", "MYSQL_PWD=§",
		"--password §", "--password=§", "-password §", "--db-password §", "-Ddb.password=§", "-Dpw=§",
		"Server=h;Password=§;Database=d", "password=[§]", "password=(§)", "password={§}", "passwords=[a,§]",
		"password=a,§", "password=a;§", "password=a)§", "Config(user=u, password=§)", "user=u,password=§,host=h",
		"password => §", "password:=§", "ldapBindPassword=§", "keyStorePassword=§", "trustpass=§",
		"<password>§</password>", "<ns:password type=1>§</ns:password>", "<db password='§'/>", "dbPasswords[0]=§",
		"<name>db.password</name><value>§</value>", "<entry key='password'>§</entry>",
		"<property name='password' value='§'/>",
		"<password><![CDATA[§]]></password>", "('--password', '§')", "['-p', 1, 'password', '§']",
		"{'name': 'PASSWORD', 'value': '§'}",
		"ALTER USER a IDENTIFIED BY §", "CREATE ROLE a PASSWORD '§'", "jdbc:mysql://h/d?user=u&password=§&ssl=true",
		"jdbc:sqlserver://h:1433;user=u;password=§;encrypt=true",
	},
	"url-user": {
		"redis://:§@h", "redis://:§@h:6379/0", "amqp://u:§@h:5672/v", "mongodb+srv://u:§@a,b/d", "https://§@h/x",
		"ldap://cn=a,dc=b:§@h:389", "postgres://u:a@§@h/d", "postgres://u:a/§@h/d", "jdbc:postgresql://u:§@h/d",
		"ftp://u:§@10.1.2.3/",
	},
	"login": {
		"curl -u a:§ https://h", "curl --user a:§ h", "curl --user=a:§ h", "-u admin:§", "['-u', 'a:§']",
		"wget --proxy-user a:§ h",
		"sqlplus scott/§@db", "jdbc:oracle:thin:scott/§@//h:1521/s", "jdbc:oracle:thin:scott/§@h:1521:s",
		"mysql -h h -p§ d", "sshpass -p § ssh h",
		"redis-cli -h h -a § ping", "ldapsearch -D cn=a -w §",
	},
	"signature": {
		"https://a.blob.core.windows.net/c?sv=2020&sig=§&se=1", "AccountKey=§==;EndpointSuffix=x",
		"SharedAccessKey=§", "X-Amz-Signature=§",
		"X-Amz-Credential=§/20260101/eu-west-1/s3/aws4_request", "X-Amz-Security-Token=§", "X-Goog-Signature=§",
		"aws_secret_access_key=§", "AWS_SECRET_ACCESS_KEY=§/a+b",
	},
	"header": {
		"Authorization: Bearer §", "Authorization: Token §", "Authorization: §", "base64:Authorization: Basic §",
		"Proxy-Authorization: Digest username=§, realm=x",
		"Authorization: AWS4-HMAC-SHA256 Credential=x, SignedHeaders=h, Signature=§", "X-Api-Key: §",
		"X-Auth-Token: §", "PRIVATE-TOKEN: §",
		"Cookie: a=b; c=§", "Cookie: a=1; b=2; JSESSIONID=§; d=3", "Set-Cookie: id=§; Path=/; HttpOnly",
		"{Cookie=[a=b; c=§], Host=[h]}", "/x;jsessionid=§",
	},
	"secret": {
		"client_secret=§", "clientSecret: §", "secretKey=§", "credentials=§", "private_key=§", "apiKey=§",
		"api-key=§", "access_token=§",
		"refresh_token=§", "_authToken=§", "encryptionKey=§", "subscription-key=§", "--api-key §", "--token §",
		"sessionId=§",
	},
	"webhook": {
		"https://hooks." + "slack.com/services/T00000000/B00000000/§§",
		"https://x.webhook." + "office.com/webhookb2/§", "https://discord" + ".com/api/webhooks/123/§",
	},
}

// word is a random word of lower-case letters and digits.
func word(random *rand.Rand, n int) string {
	const of = "bcdfghjklmnpqrstvwxz0123456789"
	out := make([]byte, n)
	for i := range out {
		out[i] = of[random.IntN(len(of))]
	}
	return string(out)
}

// plantedByRules are secrets made up from the expression of every rule of gitleaks.
func plantedByRules(t *testing.T) []planted {
	t.Helper()
	rules, err := maintained()
	if err != nil {
		t.Fatal(err)
	}
	var all []planted
	for _, r := range rules {
		n := len(all)
		for _, text := range samples(t, r.pattern().String(), 20) {
			m := r.pattern().FindStringSubmatchIndex(text)
			if m == nil || strings.ContainsAny(text, "\x00\n\r") {
				continue
			}
			bare := r
			bare.toDelimiter = false
			from, to := bare.secret([]byte(text), m)
			secret := text[from:to]
			if keyword := strings.TrimPrefix(r.needles[0], "^"); !strings.Contains(strings.ToLower(text), keyword) {
				text = keyword + " " + text // some are recognised only next to the name of their vendor
			}
			if len(all) < n+2 {
				all = append(all, planted{r.Kind, text, secret})
			}
		}
		if len(all) == n {
			t.Errorf("%s: no secret could be made up", r.Kind)
		}
	}
	return all
}

// rarely is of how many contexts a build tries one with each kind.
const rarely = 8

// No byte of a secret stays, whatever surrounds it.
func TestNothingStaysOfAnySecret(t *testing.T) {
	r := newTest(t)
	random := rand.New(rand.NewPCG(1, 9))
	kinds := map[string]bool{}
	for _, p := range append(plantedByName(random), plantedByRules(t)...) {
		kinds[p.kind] = true
		for i, where := range slices.Sorted(maps.Keys(contexts)) {
			if (i+len(kinds))%rarely != 0 && os.Getenv("SOAK") != "1" {
				continue // each build takes a part of the contexts for each kind, make soak takes all
			}
			context := contexts[where]
			for how, encode := range encodings {
				line := encode(fmt.Sprintf(context, p.text))
				got := string(r.Text([]byte("before\n" + line + "\nafter\n")))
				if part := leak(got, p.secret); part != "" {
					t.Errorf("%s, %s, %s: %q stays\n of %q\n in %q", p.kind, where, how, part, line, got)
				}
			}
		}
	}
	if len(kinds) < 200 {
		t.Errorf("only %d kinds", len(kinds))
	}
}
