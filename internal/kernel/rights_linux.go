package kernel

import (
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// rightsOf returns how to have no more rights than a process has. begin gives the calling
// thread its ids and takes capabilities away that it does not have; nil if ours will do, or
// where it cannot be done: then theirs is whom mode bits must let in. theirs is nil if ours
// will do.
func rightsOf(r *Reader, pid int) (begin func() error, theirs *Status, err error) {
	text, err := r.ReadFile(pid, "status")
	if err != nil {
		return nil, nil, err
	}
	them, err := ParseStatus(text)
	if err != nil {
		return nil, nil, err
	}
	us, err := r.Self()
	if err != nil {
		return nil, nil, err
	}
	overrides := us.Has(CapDACOverride) || us.Has(CapDACReadSearch)
	keep := uint64(0)
	if overrides && sharesUserNamespace(r, pid) {
		keep = them.CapEff
	}
	const dac = 1<<CapDACOverride | 1<<CapDACReadSearch
	switch equal := us.sameIDs(them); {
	case equal && us.CapEff&dac&^keep == 0:
		return nil, nil, nil
	case equal:
		return func() error { return keepOnly(keep) }, &them, nil
	case us.Has(CapSetUID) && us.Has(CapSetGID):
		return func() error {
			if err := takeOn(them.UID.FS, them.GID.FS, them.Groups); err != nil {
				return err
			}
			return keepOnly(keep)
		}, &them, nil
	case us.UID.FS == them.UID.FS && !overrides:
		return nil, nil, nil // a user without further rights may read what is theirs
	}
	return nil, &them, nil
}

func (s Status) sameIDs(o Status) bool {
	ours, theirs := slices.Sorted(slices.Values(s.Groups)), slices.Sorted(slices.Values(o.Groups))
	return s.UID.FS == o.UID.FS && s.GID.FS == o.GID.FS && slices.Equal(ours, theirs)
}

// sharesUserNamespace reports that the capabilities of a process mean the same as ours.
func sharesUserNamespace(r *Reader, pid int) bool {
	theirs, err := os.Readlink(r.Path(pid, "ns", "user"))
	ours, err2 := os.Readlink(filepath.Join(r.Root, "self", "ns", "user"))
	return err == nil && err2 == nil && ours == theirs
}

// keepOnly takes all other effective capabilities from the calling thread.
func keepOnly(keep uint64) error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return err
	}
	data[0].Effective &= uint32(keep)
	data[1].Effective &= uint32(keep >> 32)
	return unix.Capset(&header, &data[0])
}
