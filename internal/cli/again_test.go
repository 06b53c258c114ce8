package cli

import (
	"testing"
	"time"

	"github.com/jstall/jstall/attach"
)

func TestHintsRepeatWhatWasTyped(t *testing.T) {
	later, other := attach.Rerun{PID: 7, Timeout: 30 * time.Second}, attach.Rerun{PID: 7, As: "sudo -u ann"}
	group := attach.Rerun{PID: 7, Group: "dev"}
	for _, test := range []struct {
		args []string
		how  attach.Rerun
		want string
	}{
		{[]string{"7"}, later, "jstall --timeout 30s 7"},
		{[]string{"7", "--json"}, later, "jstall --timeout 30s 7 --json"},
		{[]string{"jcmd", "7", "GC.class_histogram", "-all"}, later,
			"jstall jcmd --timeout 30s 7 GC.class_histogram -all"},
		{[]string{"jcmd", "--timeout", "3s", "Main", "Thread.dump_to_file", "/a b"}, later,
			"jstall jcmd --timeout 30s 7 Thread.dump_to_file '/a b'"},
		{[]string{"jcmd", "--timeout=3s", "7", "help", "--timeout=1"}, later,
			"jstall jcmd --timeout 30s 7 help --timeout=1"},
		{[]string{"--timeout", "1s", "dump", "7", "-l"}, later, "jstall dump --timeout 30s 7 -l"},
		{[]string{"threads", "7", "--thread", "http.*"}, other, "sudo -u ann jstall threads 7 --thread 'http.*'"},
		{[]string{"jcmd", "--timeout", "3s", "7"}, other, "sudo -u ann jstall jcmd --timeout 3s 7"},
		{[]string{"status", "all", "--count", "5"}, other, "sudo -u ann jstall status 7 --count 5"},
		{[]string{"6", "7", "8", "-v"}, other, "sudo -u ann jstall 7 -v"},
		{[]string{"deadlock", "--", "7"}, later, "jstall deadlock --timeout 30s -- 7"},
		{[]string{"flame", "-d", "5s", "--", "java", "-jar", "a.jar"}, later,
			"jstall flame --timeout 30s -d 5s -- java -jar a.jar"},
		{[]string{"jcmd", "7", "VM.log", "what=it's"}, group,
			`sg dev -c 'jstall jcmd 7 VM.log '\''what=it'\''\'\'''\''s'\'''`},
		{nil, later, "jstall --timeout 30s 7"},
	} {
		env := &Env{Args: test.args}
		if got := env.rerun(test.how); got != test.want {
			t.Errorf("jstall %q, %+v:\n got %s\nwant %s", test.args, test.how, got, test.want)
		}
	}
}
