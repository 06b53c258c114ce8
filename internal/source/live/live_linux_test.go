package live

import (
	"bytes"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/source"
)

// known is a JVM as a reading finds it in /proc.
func known(t *testing.T, vm *jvmtest.JVM) (*kernel.Reader, jvm.Process) {
	t.Helper()
	k := kernel.New("/proc")
	p, err := Await(t.Context(), k, vm.PID(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return k, p
}

func TestAPlainDumpHasNoFiguresToCompare(t *testing.T) {
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	k, p := known(t, vm)
	for _, plain := range []bool{false, true} {
		src := &Source{Kernel: k, Process: p, Count: 1, Plain: plain, Timeout: 10 * time.Second}
		entries, err := src.Next(t.Context(), source.Request{Locks: source.LocksNever})
		if err != nil || len(entries) == 0 || entries[0].Err != nil {
			t.Fatal(entries, err)
		}
		dump := entries[0].Bytes
		if told := bytes.Contains(dump, []byte("allocated=")); told == plain || !bytes.Contains(dump, []byte("cpu=")) {
			t.Errorf("plain %v: allocation reported: %v", plain, told)
		}
	}
}
