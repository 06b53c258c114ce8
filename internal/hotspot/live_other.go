//go:build !linux

package hotspot

import (
	"context"
	"errors"
	"time"

	"github.com/jstall/jstall/internal/kernel"
)

// Process needs Linux.
type Process struct{ *JVM }

// OpenProcess needs Linux.
func OpenProcess(context.Context, *kernel.Reader, int) (*Process, error) {
	return nil, errors.New("the memory of a process can be read on Linux only")
}

// Supplement needs Linux.
func (p *Process) Supplement(context.Context, bool) (*Dump, error) { return nil, errors.ErrUnsupported }

// Dump needs Linux.
func (p *Process) Dump(context.Context) (*Dump, error) { return nil, errors.ErrUnsupported }

// Classes needs Linux.
func (p *Process) Classes(context.Context, ClassOptions) (*ClassList, error) {
	return nil, errors.ErrUnsupported
}

// CPUTimes needs Linux.
func (p *Process) CPUTimes() (*CPUTimes, error) { return nil, errors.ErrUnsupported }

// Profile needs Linux.
type Profile struct{}

// Profile needs Linux.
func (p *Process) Profile(context.Context, time.Duration) (*Profile, error) {
	return nil, errors.ErrUnsupported
}

// MaySample needs Linux.
func MaySample(int) (bool, error) { return false, errors.ErrUnsupported }

// Close needs Linux.
func (p *Profile) Close() {}

// Add needs Linux.
func (p *Profile) Add(int) error { return errors.ErrUnsupported }

// Has needs Linux.
func (p *Profile) Has(int) bool { return false }

// Kernel needs Linux.
func (p *Profile) Kernel() bool { return false }

// Full needs Linux.
func (p *Profile) Full() bool { return false }

// Wait needs Linux.
func (p *Profile) Wait(context.Context, time.Duration) error { return errors.ErrUnsupported }

// Stacks needs Linux.
func (p *Profile) Stacks(context.Context) (RunBatch, error) { return RunBatch{}, errors.ErrUnsupported }
