package cli

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

// The profile in pprof's own pages, of the binary itself, until it is interrupted.
func TestFlameInPprofsOwnPages(t *testing.T) {
	file := filepath.Join(t.TempDir(), "w.collapsed")
	stacks := "shop.Main.main;shop.Cart.add 5\nshop.Main.main;shop.Cart.sum 7\n"
	if err := os.WriteFile(file, []byte(stacks), 0o600); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	_ = free.Close()
	cmd := exec.Command(jvmtest.Binary(t), "flame", file, "--http", address)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	if page := fetch(t, "http://"+address+"/ui/flamegraph"); !bytes.Contains(page, []byte("shop.Cart.sum")) {
		t.Errorf("no method of the profile in %d bytes", len(page))
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if !cmd.ProcessState.Exited() {
			t.Errorf("the interrupt killed it: %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("it goes on after an interrupt")
	}
}

// fetch asks until the server is there.
func fetch(t *testing.T, address string) []byte {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		answer, err := http.Get(address)
		if err == nil {
			defer func() { _ = answer.Body.Close() }()
			page, err := io.ReadAll(answer.Body)
			if err != nil || answer.StatusCode != http.StatusOK {
				t.Fatalf("%s: %s, %v", address, answer.Status, err)
			}
			return page
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}
