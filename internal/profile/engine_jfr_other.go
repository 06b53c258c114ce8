//go:build !linux

package profile

import (
	"errors"
)

type repository struct{}

func (r *FlightRecorder) mayRecord() (*repository, error) { return nil, errors.ErrUnsupported }
func (r *repository) runsFull() *NoRoomError              { return nil }
func (r *repository) close()                              {}
