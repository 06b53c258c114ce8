//go:build !linux

package capture

import (
	"errors"
	"time"
)

func (f *privateFolder) write(string, []byte) error { return errors.ErrUnsupported }
func (l *Live) makerGone(string) bool               { return false }

type repository struct{}

func (r *FlightRecorder) mayRecord() (*repository, error) { return nil, errors.ErrUnsupported }
func (r *repository) runsFull() *NoRoomError              { return nil }
func (r *repository) close()                              {}

func (f *privateFolder) keepUntil(time.Time)    {}
func (f *privateFolder) leave() (left []string) { return nil }
