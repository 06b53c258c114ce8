//go:build linux

package trials_test

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/jvmtest"
)

// FakeDisk is a file system with one file whose bytes never come, like a disk that hangs, or a network file system
// whose server is gone. It speaks the protocol of /dev/fuse (include/uapi/linux/fuse.h).
type FakeDisk struct {
	device int // read without Go's poller, which cannot wait for it
	dir    string
	// ahead is true if the kernel may read ahead. A thread that reads then waits uninterruptibly for a page (state D),
	// otherwise for the answer to a request (S).
	ahead bool
}

// newFakeDisk mounts one and returns the path of its file.
func newFakeDisk(t *testing.T, ahead bool) (*FakeDisk, string) {
	t.Helper()
	device, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		jvmtest.Lack(t, "no file system can be made: %v", err)
	}
	d := &FakeDisk{device: device, dir: t.TempDir(), ahead: ahead}
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", device)
	if err := unix.Mount("jstall", d.dir, "fuse", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		_ = unix.Close(device)
		jvmtest.Lack(t, "no file system can be mounted: %v", err)
	}
	t.Cleanup(d.abort)
	go d.serve()
	return d, filepath.Join(d.dir, "file")
}

// abort ends all waiting requests, and serve.
func (d *FakeDisk) abort() { _ = unix.Unmount(d.dir, unix.MNT_FORCE|unix.MNT_DETACH) }

// The requests, and the sizes of requests and answers.
const (
	fuseLookup, fuseGetattr, fuseOpen, fuseRead, fuseInit = 1, 3, 14, 15, 26

	headSize  = 40
	attrSize  = 88
	fileBytes = 4096
)

func (d *FakeDisk) serve() {
	defer func() { _ = unix.Close(d.device) }()
	request := make([]byte, 1<<17)
	for {
		n, err := unix.Read(d.device, request)
		if err == unix.EINTR || err == nil && n < headSize {
			continue
		}
		if err != nil {
			return
		}
		head := request[:headSize]
		opcode, unique, node := binary.NativeEndian.Uint32(head[4:]), binary.NativeEndian.Uint64(head[8:]),
			binary.NativeEndian.Uint64(head[16:])
		if opcode == fuseRead {
			continue // this is what hangs
		}
		body, errno := d.respond(opcode, node)
		answer := binary.NativeEndian.AppendUint32(nil, uint32(16+len(body)))
		answer = binary.NativeEndian.AppendUint32(answer, uint32(-int32(errno)))
		answer = append(binary.NativeEndian.AppendUint64(answer, unique), body...)
		if _, err := unix.Write(d.device, answer); err != nil {
			return
		}
	}
}

// respond is the answer to a request on a node: 1 is the folder, 2 its file.
func (d *FakeDisk) respond(opcode uint32, node uint64) (body []byte, errno unix.Errno) {
	switch opcode {
	case fuseInit:
		body = make([]byte, 64)
		binary.NativeEndian.PutUint32(body[0:], 7)
		binary.NativeEndian.PutUint32(body[4:], 31)
		binary.NativeEndian.PutUint32(body[20:], 4096) // the largest write
		if d.ahead {
			binary.NativeEndian.PutUint32(body[8:], 1<<16) // number of bytes
			binary.NativeEndian.PutUint32(body[12:], 1)    // FUSE_ASYNC_READ
		}
	case fuseLookup:
		body = binary.NativeEndian.AppendUint64(nil, 2)
		body = append(append(body, make([]byte, 32)...), attributes(2)...)
	case fuseGetattr:
		body = append(make([]byte, 16), attributes(node)...)
	case fuseOpen:
		body = make([]byte, 16)
	default:
		errno = unix.ENOSYS
	}
	return body, errno
}

// attributes is struct fuse_attr of a node.
func attributes(node uint64) []byte {
	a := make([]byte, attrSize)
	mode, size := uint32(unix.S_IFDIR|0o755), uint64(0)
	if node == 2 {
		mode, size = unix.S_IFREG|0o644, fileBytes
	}
	binary.NativeEndian.PutUint64(a[0:], node)
	binary.NativeEndian.PutUint64(a[8:], size)
	binary.NativeEndian.PutUint32(a[60:], mode)
	binary.NativeEndian.PutUint32(a[64:], 1) // link
	binary.NativeEndian.PutUint32(a[80:], 4096)
	return a
}
