package cli

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
)

// localeCommands are asked under each locale; PID stands for the JVM.
var localeCommands = [][]string{
	{"deadlock", "PID"}, {"status", "PID", "-n", "2", "-i", "50ms"}, {"threads", "PID", "-n", "1"},
	{"most-work", "PID", "-n", "2", "-i", "50ms"},
	{"vm-metaspace", "PID"}, {"gc-heap-info", "PID", "-n", "1"}, {"class-histogram", "PID", "--all"},
	{"compiler-queue", "PID"},
	{"vm-classloader-stats", "PID"}, {"vm-flags", "PID"},
}

// TestEveryLocaleSaysTheSame runs one program under locales with a decimal comma, an Arabic
// decimal sign and others: what every command says of it is what it says under C.
func TestEveryLocaleSaysTheSame(t *testing.T) {
	t.Parallel()
	envs := jvmtest.LocaleEnv(t)
	onMainJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		locales := jvmtest.Locales
		if jdk.Version == 8 && !jvmtest.Everywhere() && os.Getenv("SOAK") == "" {
			locales = []string{"de_DE", "ar_EG"}
		}
		want := answersUnder(t, jdk, envs["C"])
		for _, name := range locales {
			got := answersUnder(t, jdk, envs[name])
			for i, command := range localeCommands {
				if got[i] != want[i] {
					t.Errorf("%s, %v: %s; under C %s", name, command, got[i], want[i])
				}
			}
		}
	})
}

// germanCPU is how a JVM under de_DE prints CPU times.
var germanCPU = regexp.MustCompile(` cpu=\d+,\d\dms `)

// answersUnder are what the commands say of a deadlocked program: the exit code, the state and
// the findings with their culprits, and whether a number was left unread.
func answersUnder(t *testing.T, jdk jvmtest.JDK, env []string) []string {
	t.Helper()
	jvm := jvmtest.Start(t, jdk, jvmtest.Options{Class: "MonitorDeadlock", Env: env})
	pid := strconv.Itoa(jvm.PID())
	if dump := run(t, "", "dump", pid).stdout; strings.Contains(strings.Join(env, " "), "de_DE") && jdk.Version >= 11 &&
		!germanCPU.MatchString(dump) {
		t.Errorf("the JVM does not run under de_DE: %.500s", dump)
	}
	said := make([]string, 0, len(localeCommands))
	for _, command := range localeCommands {
		args := strings.Split(strings.Replace(strings.Join(command, " "), "PID", pid, 1), " ")
		text := run(t, "", args...)
		all := text.stdout + text.stderr
		answer := fmt.Sprintf("exit %d, unread %v", text.code,
			strings.Contains(all, "understand") || strings.Contains(all, "no number") ||
				strings.Contains(all, "Unread"))
		if !strings.Contains(command[0], "-") || command[0] == "most-work" {
			r, _ := reportOf(t, args...)
			answer += ", " + string(r.Verdict.State)
			for _, f := range r.Findings {
				answer += fmt.Sprintf(", %s of", f.Kind)
				for _, c := range f.Culprits {
					answer += " " + c.Name
				}
			}
			answer += fmt.Sprintf(", CPU known %v", r.Threads == nil || r.Threads[0].CPUSeconds != nil)
		}
		said = append(said, answer)
	}
	return said
}
