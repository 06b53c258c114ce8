package hotspot

import (
	"context"
	"errors"
)

// OpenJVM reads the tables of the JVM in a core file.
func (c *Core) OpenJVM(ctx context.Context) (*JVM, error) {
	err := errors.New("no libjvm.so was mapped in the process of this core file")
	for _, base := range c.Libraries() {
		var j *JVM
		if j, err = Open(ctx, c, base); err == nil {
			j.registers = &coreRegisters{c, frameLayouts[j.machine](0).saved}
			return j, nil
		}
	}
	return nil, err
}
