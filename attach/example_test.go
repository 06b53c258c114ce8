//go:build linux

package attach_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/kernel"
)

// A thread dump of process 4711 on standard output; a failure says what to type.
func Example() {
	client := &attach.Client{Proc: kernel.New("/proc"), RunAs: kernel.RunAs, Timeout: 5 * time.Second}
	answer, err := client.Execute(context.Background(), attach.Target{PID: 4711}, attach.ThreadDump(17, false))
	if e := (*attach.Error)(nil); errors.As(err, &e) {
		fmt.Fprintf(os.Stderr, "%v\ntry: %s\n", e, e.Remedy)
		return
	}
	_, _ = os.Stdout.Write(answer.Body)
}
