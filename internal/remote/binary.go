package remote

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// Binary is a build of jstall for Linux.
type Binary struct {
	plain []byte
	// packed returns it compressed. It compresses only once.
	packed func() ([]byte, error)
	// Hash is the SHA-256 of the file, in hex.
	Hash string
}

// Binaries finds the builds of jstall, and reads each once.
type Binaries struct {
	// Given is the file of --binary. If it is empty, the running program is taken, or jstall-linux-ARCH next to it.
	Given string

	mu   sync.Mutex
	read map[string]*Binary // by architecture, as Go calls it
}

// BinaryError says that there is no build of jstall for an architecture.
type BinaryError struct {
	Arch string
	// Path is where a build was expected.
	Path string
	// Why is what is wrong with a file, nil if no file was found.
	Why error
}

func (e *BinaryError) Error() string {
	if e.Why != nil {
		return e.Why.Error()
	}
	return fmt.Sprintf("no jstall for linux/%s on this machine: %s does not exist", e.Arch, e.Path)
}

// size is the approximate size of a build in bytes: that of the file of --binary, or of the running program.
func (b *Binaries) size() int64 {
	const usual = 20 << 20
	path := b.Given
	if path == "" {
		path = ownPath()
	}
	if info, err := os.Stat(path); err == nil {
		return info.Size()
	}
	return usual
}

// find is the build for an architecture, as Go calls it. The error is a [BinaryError].
func (b *Binaries) find(arch string) (*Binary, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if known := b.read[arch]; known != nil {
		return known, nil
	}
	path := b.path(arch)
	plain, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && b.Given == "" {
		return nil, &BinaryError{Arch: arch, Path: path}
	}
	if err == nil {
		err = isFor(plain, arch)
	}
	if err != nil {
		return nil, &BinaryError{Arch: arch, Path: path, Why: fmt.Errorf("%s: %w", path, err)}
	}
	sum := sha256.Sum256(plain)
	packed := sync.OnceValues(func() ([]byte, error) { return pack(plain) })
	found := &Binary{plain: plain, packed: packed, Hash: hex.EncodeToString(sum[:])}
	if b.read == nil {
		b.read = map[string]*Binary{}
	}
	b.read[arch] = found
	return found, nil
}

// path is the file of a build, whether it exists or not.
func (b *Binaries) path(arch string) string {
	switch {
	case b.Given != "":
		return b.Given
	case runtime.GOOS == "linux" && runtime.GOARCH == arch:
		return ownPath()
	}
	folder := "."
	if own, err := os.Executable(); err == nil {
		folder = filepath.Dir(own)
	}
	return filepath.Join(folder, "jstall-linux-"+arch)
}

// ownPath is the path of the running program, even if its file was replaced.
func ownPath() string {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe"
	}
	own, err := os.Executable()
	if err != nil {
		return "jstall"
	}
	return own
}

// isFor checks that a file is a program for Linux and an architecture.
func isFor(file []byte, arch string) error {
	machines := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
	f, err := elf.NewFile(bytes.NewReader(file))
	if err != nil {
		return errors.New("it is no program for Linux")
	}
	defer func() { _ = f.Close() }()
	if f.Machine != machines[arch] {
		return fmt.Errorf("it is a program for %s, and %s is needed", f.Machine, machines[arch])
	}
	return nil
}

// pack compresses a build for sending. Speed matters more than size.
func pack(plain []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(w, bytes.NewReader(plain)); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// archOf is Go's name of an architecture that uname -m prints, empty if jstall is not built for it.
func archOf(machine string) string {
	switch machine {
	case "x86_64", "amd64":
		return "amd64"
	case "aarch64", "arm64":
		return "arm64"
	}
	return ""
}
