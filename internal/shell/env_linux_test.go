package shell

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func TestATerminalWithoutAWidthIsATerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = terminal.Close() }()
	for columns, want := range map[uint16]int{0: 80, 40: 40, 132: 132} {
		if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: columns}); err != nil {
			t.Fatal(err)
		}
		if got := Columns(terminal); got != want {
			t.Errorf("a terminal of %d columns counts as %d, want %d", columns, got, want)
		}
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = read.Close() }()
	defer func() { _ = write.Close() }()
	if got := Columns(write); got != 0 {
		t.Errorf("a pipe has %d columns", got)
	}
}
