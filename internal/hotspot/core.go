package hotspot

import (
	"context"
	"errors"
	"io"

	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// Core is the memory of a process in a core file.
type Core struct{ *vm.Core }

// OpenCore reads the head of a core file, until ctx ends. open is asked for the files that were mapped, as libjvm.so.
func OpenCore(ctx context.Context, file io.ReaderAt, open func(name string) (io.ReaderAt, error)) (*Core, error) {
	c, err := vm.OpenCore(ctx, file, open)
	if err != nil {
		return nil, err
	}
	return &Core{c}, nil
}

// OpenJVM reads the tables of the JVM in a core file.
func (c *Core) OpenJVM(ctx context.Context) (*JVM, error) {
	err := errors.New("no libjvm.so was mapped in the process of this core file")
	for _, base := range c.Libraries() {
		var j *JVM
		if j, err = Open(ctx, c.Core, base); err == nil {
			j.registers = stack.NewCoreRegisters(c.Core, j.Machine)
			return j, nil
		}
	}
	return nil, err
}
