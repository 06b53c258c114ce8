//go:build !linux

package capture

import "errors"

func (f *privateFolder) write(string, []byte) error { return errors.ErrUnsupported }
func (l *Live) makerGone(string) bool               { return false }
