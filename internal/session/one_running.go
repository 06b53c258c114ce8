package session

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/shell"
)

// OneRunning finds the one running JVM with a pid or with a part of a main class or jar name. It never reads the word
// as a file.
func OneRunning(ctx context.Context, env *shell.Env, word string, timeout time.Duration) (Target, error) {
	r := NewResolver(env, timeout)
	r.seen = map[int]bool{}
	pid, err := strconv.Atoi(word)
	switch {
	case strings.TrimSpace(word) == "" || word == "all":
		return Target{}, shell.NoResult("name one: list shows them", "a tool is about one JVM")
	case err == nil && pid < 1:
		return Target{}, shell.NoResult("list shows the running JVMs", "%s is not a process id", word)
	case err == nil:
		err = r.addPID(ctx, pid)
	default:
		err = r.addMatching(ctx, word)
	}
	if err != nil {
		return Target{}, err
	}
	if len(r.targets) > 1 {
		var all []string
		for _, t := range r.targets {
			all = append(all, fmt.Sprintf("%d %q", t.Process.PID, t.Process.Name()))
		}
		return Target{}, shell.NoResult("name one by its pid: "+strings.Join(all, ", "), "%d JVMs match %q", len(all),
			word)
	}
	return r.targets[0], nil
}
