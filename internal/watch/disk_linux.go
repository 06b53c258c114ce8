package watch

import "golang.org/x/sys/unix"

// freeBytes is how much of a folder's disk we may still write, negative if unknown.
func freeBytes(dir string) int64 {
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil || disk.Bsize <= 0 {
		return -1
	}
	return int64(min(disk.Bavail, 1<<40)) * disk.Bsize
}
