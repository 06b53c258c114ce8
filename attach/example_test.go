//go:build linux

package attach_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/jstall/jstall/attach"
)

// A thread dump of process 4711 on standard output; a failure comes with a remedy.
func Example() {
	client := &attach.Client{RunAs: attach.RunAs}
	answer, err := client.Execute(context.Background(), attach.Target{PID: 4711}, attach.ThreadDump(17, false))
	if e := (*attach.Error)(nil); errors.As(err, &e) {
		fmt.Fprintf(os.Stderr, "%v\ntry: %s\n", e, e.Remedy)
		return
	}
	_, _ = os.Stdout.Write(answer.Body)
}
