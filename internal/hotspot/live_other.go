//go:build !linux

package hotspot

import (
	"context"
	"errors"

	"jstall/internal/kernel"
)

// Process needs Linux.
type Process struct{ *JVM }

// OpenProcess needs Linux.
func OpenProcess(context.Context, *kernel.Reader, int) (*Process, error) {
	return nil, errors.New("the memory of a process can be read on Linux only")
}

// AllowStops needs Linux.
func (p *Process) AllowStops() {}

// Stops needs Linux.
func (p *Process) Stops() Stops { return Stops{} }

// Facts needs Linux.
func (p *Process) Facts(context.Context) (Facts, error) { return Facts{}, errors.ErrUnsupported }

// Dump needs Linux.
func (p *Process) Dump(context.Context) (*Dump, error) { return nil, errors.ErrUnsupported }

// Classes needs Linux.
func (p *Process) Classes(context.Context, ClassOptions) (*ClassList, error) {
	return nil, errors.ErrUnsupported
}
