package remote

import (
	"math"
	"strconv"
	"time"
)

// collect reads the script from standard input line by line, without reading beyond it, and runs it. It has no single
// quote, no exclamation mark and no newline, so that any login shell passes it on unchanged.
const collect = `n=$(printf "\nx"); n=${n%x}; s=; while IFS= read -r l; do case $l in .) break;; esac; ` +
	`s=$s${l#>}$n; done; eval "$s"`

// line is the shell line that ssh and the command of exec: pass on.
const line = "sh -c '" + collect + "'"

// command is the command line of the client, its program first. connect limits the time to connect.
func (p Place) command(connect time.Duration) []string {
	switch p.Kind {
	case SSH:
		seconds := strconv.Itoa(int(math.Ceil(connect.Seconds())))
		args := []string{"ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=" + seconds,
			"-o", "ServerAliveInterval=15", "-T"}
		if p.port != "" {
			args = append(args, "-p", p.port)
		}
		return append(args, "--", p.host, line)
	case Kubernetes:
		args := []string{"kubectl", "exec", "-i", "-n", p.namespace, p.pod}
		if p.container != "" {
			args = append(args, "-c", p.container)
		}
		return append(args, "--", "sh", "-c", collect)
	case Exec: // the user's command is for the user's shell, and the line is one more argument of it
		return []string{"sh", "-c", p.host + ` "$@"`, "sh", line}
	}
	return []string{p.client(), "exec", "-i", p.host, "sh", "-c", collect}
}
