package shell

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/source/file"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/threaddump"
)

func TestEveryRefusalHasARemedy(t *testing.T) {
	for want, err := range map[string]error{
		"sudo jstall …": &jvm.PermissionError{PID: 7, UID: uint32(os.Geteuid()), GID: uint32(os.Getegid()),
			Owner: "ann", Self: "ann"},
		"sudo -u nobody ":         &jvm.PermissionError{PID: 7, UID: 65534, GID: 65534, Owner: "nobody", Self: "ann"},
		"SYS_PTRACE":              &jvm.PermissionError{PID: 7, Owner: "root", Self: "root"},
		"with sudo":               fmt.Errorf("dump.txt: %w", fs.ErrPermission),
		"add --timeout 3s":        &live.TooShortError{PID: 7, Timeout: time.Microsecond},
		"jstall threads 7":        &jvm.ThreadError{TID: 8, PID: 7},
		"jstall list":             &jvm.NotJVMError{PID: 7},
		"zstd -t FILE":            &file.DamagedError{Format: "zstd", Err: fs.ErrInvalid},
		"increase --timeout":      &jvm.NotReadyError{PID: 7},
		"that JVM's own tools":    &jvm.NotSupportedError{PID: 7, Reason: "OpenJ9"},
		"its parent 6 must":       &jvm.ZombieError{PID: 7, PPID: 6},
		"jstall dump PID > dump.": fmt.Errorf("x: %w", threaddump.ErrNoDump),
	} {
		if got := Failure(err).Remedy; !strings.Contains(got, want) {
			t.Errorf("%v: remedy %q, want %q", err, got, want)
		}
	}
}
