package redact

import (
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// plantedKind is one kind of secret, as people write it.
type plantedKind struct {
	name string
	// text has § for the secret, and ¦ between a name and its value, or between two words of a command: there a line
	// may go on in the next.
	text string
	// form is the expression that the secret is made up from, "" for twelve letters and digits.
	form string
}

// plantedKinds are the kinds. None of the secrets is written down: each test makes up its own.
var plantedKinds = []plantedKind{
	// Tokens that tell themselves by their form.
	{"key of AWS", "§", `AKIA[A-Z2-7]{16}`},
	{"token of GitHub", "§", `ghp_[A-Za-z0-9]{36}`},
	{"fine-grained token of GitHub", "§", `github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}`},
	{"token of GitLab", "§", `glpat-[A-Za-z0-9]{20}`},
	{"token of Slack", "§", `xoxb-[0-9]{12}-[0-9]{12}-[A-Za-z0-9]{24}`},
	{"webhook of Slack", "https://hooks." + "slack.com/services/T00000000/B00000000/§", ""},
	{"key of Google", "§", `AIza[A-Za-z0-9]{35}`},
	{"token of Google", "§", `ya29\.[A-Za-z0-9]{60}`},
	{"key of Stripe", "§", `sk_live_[A-Za-z0-9]{24}`},
	{"token of npm", "§", `npm_[A-Za-z0-9]{36}`},
	{"key of OpenAI", "§", `sk-proj-[A-Za-z0-9]{48}`},
	{"key of Anthropic", "§", `sk-ant-api03-[A-Za-z0-9]{93}AA`},
	{"key of SendGrid", "§", `SG\.[A-Za-z0-9]{22}\.[A-Za-z0-9]{43}`},
	{"key of Twilio", "§", `SK[0-9a-f]{32}`},
	{"token of Telegram", "§", `[0-9]{10}:AA[A-Za-z0-9]{33}`},
	{"token of Vault", "§", `hvs\.[A-Za-z0-9]{24}`},
	{"JSON web token", "§", `eyJ[A-Za-z0-9]{30}\.eyJ[A-Za-z0-9]{40}\.[A-Za-z0-9]{43}`},
	{"token of Docker", "§", `dckr_pat_[A-Za-z0-9]{27}`},
	{"token of Atlassian", "§", `ATATT3[A-Za-z0-9]{60}`},
	{"token of PyPI", "§", `pypi-AgEIcHlwaS5vcmc[A-Za-z0-9]{60}`},

	// Clouds.
	{"secret key of AWS", "aws_secret_access_key=¦§", `[A-Za-z0-9]{18}/[A-Za-z0-9]{21}`},
	{"signature of AWS",
		"Authorization: AWS4-HMAC-SHA256 Credential=x/s3/aws4_request, SignedHeaders=host, Signature=¦§", `[0-9a-f]{64}`},
	{"signed URL of AWS", "https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature=§", `[0-9a-f]{64}`},
	{"signed URL of Azure", "https://a.blob.core.windows.net/c?sv=2022-11-02&sp=r&sig=§", `[A-Za-z0-9]{43}%3D`},
	{"storage of Azure", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=§;EndpointSuffix=core.windows.net",
		`[A-Za-z0-9]{86}==`},
	{"bus of Azure", "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=§",
		`[A-Za-z0-9]{43}=`},
	{"client of Azure", "AZURE_CLIENT_SECRET=¦§", `[A-Za-z0-9]{3}8Q~[A-Za-z0-9]{34}`},

	// URLs and connection strings.
	{"URL", "https://deploy:§@git.example.org/r.git", ""},
	{"URL of Redis", "redis://:§@cache:6379/0", ""},
	{"URL of RabbitMQ", "amqps://app:§@mq:5671/v", ""},
	{"URL of MongoDB", "mongodb+srv://app:§@a.example.org,b.example.org/d?retryWrites=true", ""},
	{"JDBC, PostgreSQL", "jdbc:postgresql://db:5432/d?user=app&password=§&ssl=true", ""},
	{"JDBC, SQL Server", "jdbc:sqlserver://db:1433;databaseName=d;user=app;password=§;encrypt=true", ""},
	{"JDBC, Oracle", "jdbc:oracle:thin:app/§@//db:1521/s", ""},
	{"JDBC, DB2", "jdbc:db2://db:50000/d:user=app;password=§;", ""},
	{"ADO", "Server=db;Database=d;User Id=app;Password=§;Encrypt=true", ""},
	{"JAAS of Kafka", `PlainLoginModule required username="app" password="§";`, ""},

	// Command lines.
	{"curl", "curl -s -u ¦admin:§ https://api.example.org/x", ""},
	{"mysql -p", "mysql -h db -u app ¦-p§ orders", ""},
	{"mysql --password", "mysqldump --user=app --password=¦§ orders", ""},
	{"sshpass", "sshpass -p ¦§ ssh deploy@web", ""},
	{"redis-cli", "redis-cli -h cache -a ¦§ ping", ""},
	{"ldapsearch", "ldapsearch -x -D cn=admin -w ¦§ uid=x", ""},
	{"docker login", "docker login -u ci -p ¦§ registry.example.org", ""},
	{"option", "java -jar app.jar --db.password ¦§ --port 80", ""},
	{"keytool", "keytool -list -keystore k.jks -storepass ¦§", ""},
	{"openssl", "openssl rsa -in k.pem -passin pass:¦§", ""},
	{"htpasswd", "htpasswd -bc users ann ¦§", ""},
	{"proxy", "curl --proxy-user ann:§ --head x", ""},
	{"system property", "java -Djavax.net.ssl.keyStorePassword=¦§ -jar app.jar", ""},

	// Names and values.
	{"environment", "DB_PASSWORD=¦§", ""},
	{"property", "spring.datasource.password=¦§", ""},
	{"token", "access_token: ¦§", ""},
	{"key", "apiKey: ¦§", `[0-9a-f]{32}`},
	{"JSON", `"client_secret": ¦"§"`, ""},
	{"XML", "<password>¦§¦</password>", ""},
	{"attribute", `<user name="ann" password="§"/>`, ""},
	{"secret of Kubernetes", "password: ¦§", `base64`},
	{"netrc", "machine h.example.org login ann password ¦§", ""},
	{"form", "grant_type=client_credentials&client_id=x&client_secret=¦§", ""},
	{"community of SNMP", "snmp.community=¦§", ""},
	{"pass phrase", "pass_phrase: ¦§", ""},

	// Headers.
	{"bearer", "Authorization: ¦Bearer §", `[A-Za-z0-9]{40}`},
	{"basic", "Authorization: ¦Basic §", `base64`},
	{"cookie", "Cookie: theme=dark; JSESSIONID=¦§", `[0-9A-F]{32}`},
	{"set-cookie", "Set-Cookie: sid=¦§; Path=/; HttpOnly", ""},
	{"header with a key", "X-Api-Key: ¦§", ""},

	// Keys and prose.
	{"private key", "-----BEGIN PRIVATE KEY-----¦§¦-----END PRIVATE KEY-----", `[A-Za-z0-9]{64}`},
	{"key of SSH", "-----BEGIN OPENSSH PRIVATE KEY-----¦§¦-----END OPENSSH PRIVATE KEY-----", `[A-Za-z0-9]{64}`},
	{"SQL", "ALTER USER app IDENTIFIED BY ¦'§'", ""},
	{"prose", "the new password is ¦'§'", ""},
}

// secretOf makes up a secret of a kind.
func (k plantedKind) secretOf(t *testing.T, random *rand.Rand) string {
	switch k.form {
	case "":
		return word(random, 12)
	case "base64":
		return base64.StdEncoding.EncodeToString([]byte("user:" + word(random, 14)))
	}
	n := 1 + random.IntN(9)
	return samples(t, k.form, n)[n-1]
}

// key is the name before the value, where the whole text is a name and a value: "password" of "password: §".
func (k plantedKind) key() string {
	if m := regexp.MustCompile(`^"?([\w.-]+)"?[:=] ?¦"?§"?$`).FindStringSubmatch(k.text); m != nil {
		return m[1]
	}
	return ""
}

const red, bold, plain = "\x1b[31m", "\x1b[1;36m", "\x1b[0m"

// plantedWays are the ways to write a text of a kind, by their names. § and ¦ stay in what they return.
var plantedWays = map[string]func(k plantedKind) []string{
	"as it is": func(k plantedKind) []string {
		return []string{k.text, "2026-03-01 10:00:00 INFO  [exec-7] c.e.Sender - " + k.text, "    " + k.text}
	},
	"in a list": func(k plantedKind) []string {
		return []string{"[a, " + k.text + ", b]", "args=[" + k.text + "]", "send(x, " + k.text + ")",
			"{a=1, " + k.text + "}", "a," + k.text, "(" + k.text + ")"}
	},
	"in the next line": func(k plantedKind) []string {
		all := []string{"note:\n  " + k.text, "note: |\n  " + k.text + "\n", "note=\\\n  " + k.text,
			"<note>\n" + k.text + "\n</note>", "- name: NOTE\n  value: " + k.text}
		switch key := k.key(); {
		case key != "":
			all = append(all, key+": |\n  §", key+": >-\n    §\nother: x", key+":\n  §", key+"=\\\n    §",
				"- name: "+key+"\n  value: §", "<"+key+">\n  §\n</"+key+">", "--"+key+"\n§\n--port", key+":\n  - §", `"`+key+"\":\n  \"§\"")
		case strings.Contains(k.text, "KEY-----"), strings.HasPrefix(k.text, "<"):
			all = append(all, strings.ReplaceAll(k.text, "¦", "\n"))
		case strings.Contains(k.text, "¦"):
			all = append(all, strings.ReplaceAll(k.text, "¦", "\\\n    "))
		}
		return all
	},
	"in a table": func(k plantedKind) []string {
		all := []string{"| note | " + k.text + " |", "note\t" + k.text, "note\t" + k.text + "\tx", "a | " + k.text}
		if key := k.key(); key != "" {
			all = append(all, "| "+key+" | § |", "|"+key+"|§|", key+"\t§", "user\tann\n"+key+"\t\t§\n",
				"| user | "+key+" |\n|---|---|\n| ann | § |\n| bob | x§ |", "user\t"+key+"\nann\t§\n",
				" user | "+key+" | age\n------+------+----\n ann  | § | 3\n", "user,"+key+",age\nann,§,3\n",
				"USER    "+key+"    AGE\nann     §     3d\n")
		}
		return all
	},
	"with colours": func(k plantedKind) []string {
		named := regexp.MustCompile(`([\w.-]+)([=: ]*)¦`).ReplaceAllString(k.text, red+"$1"+plain+"$2")
		return []string{red + k.text + plain, strings.ReplaceAll(k.text, "§", bold+"§"+plain), named,
			strings.ReplaceAll(named, "§", bold+"§"+plain), "[" + red + "ERROR" + plain + "] " + k.text}
	},
	"in a dump": func(k plantedKind) []string {
		name := strings.ReplaceAll(k.text, `"`, `\"`)
		quoted, _ := json.Marshal(k.text)
		deeper, _ := json.Marshal(`{"v":` + string(quoted) + `}`)
		_, thread, _ := strings.Cut(contexts["thread name"], `%s"`)
		return []string{`"` + k.text + `"` + thread, `"worker ` + name + `"` + thread, `"name":` + string(quoted) + ",",
			`{"threadDump":{"threads":[{"tid":"1","name":` + string(quoted) + `,"stack":[]}]}}`,
			`{"log":` + string(deeper) + `}`,
			"\t- waiting on <0x0000000712345678> (" + k.text + ")", "   Container: " + k.text + "@0x000000069ec00000",
			strings.ReplaceAll(string(quoted), "=", `\u003d`), "Command Line: -Xmx1g " + k.text + " Main"}
	},
}

// colours are those of terminals.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// TestNoPlantedSecretStays writes each kind of secret in each way.
func TestNoPlantedSecretStays(t *testing.T) {
	random, r := rand.New(rand.NewPCG(60, 6)), newTest(t)
	texts := 0
	for _, k := range plantedKinds {
		for way, write := range plantedWays {
			for _, format := range write(k) {
				secret := k.secretOf(t, random)
				text := strings.NewReplacer("§", secret, "¦", "").Replace(format)
				got := string(r.Text([]byte("before\n" + text + "\nafter\n")))
				if part := leak(colours.ReplaceAllString(got, ""), secret); part != "" {
					t.Errorf("%s, %s: %q stays of\n%q in\n%q", k.name, way, part, text, got)
				}
				if !strings.HasPrefix(got, "before\n") || !strings.HasSuffix(got, "\nafter\n") {
					t.Errorf("%s, %s: what is around it is gone:\n%q", k.name, way, got)
				}
				texts++
			}
		}
	}
	if len(plantedKinds) < 60 || len(plantedWays) != 6 || texts < 60*6*3 {
		t.Errorf("only %d kinds, %d ways, %d texts", len(plantedKinds), len(plantedWays), texts)
	}
	names := make([]string, 0, len(plantedKinds))
	for _, k := range plantedKinds {
		names = append(names, k.name)
	}
	if slices.Sort(names); len(slices.Compact(names)) != len(plantedKinds) {
		t.Error("a kind is there twice")
	}
}
