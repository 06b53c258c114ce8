package capture

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"jstall/internal/hotspot"
	"jstall/internal/kernel"
	"jstall/internal/recording"
)

// IsCore tells a core file by its first bytes: an ELF file of the type ET_CORE.
func IsCore(name string) bool {
	const untilType = 18
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	var head [untilType]byte
	_, err = io.ReadFull(file, head[:])
	return err == nil && string(head[:4]) == elf.ELFMAG &&
		elf.Type(binary.LittleEndian.Uint16(head[16:])) == elf.ET_CORE
}

// coreDump is the dump that the memory in a core file gives, with the time at which the file was written.
func coreDump(ctx context.Context, name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, bare(err))
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, bare(err))
	}
	var opened openedFiles
	defer opened.close()
	core, err := hotspot.OpenCore(file, opened.open)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	j, err := core.OpenJVM(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	d, err := j.Dump(ctx, info.ModTime(), nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(d.Threads) == 0 {
		return nil, fmt.Errorf("%s: the core file has no threads of a JVM: %w", name, errNoThreads)
	}
	return []byte(d.Text()), nil
}

var errNoThreads = errors.New("the JVM was starting or ending, or the file is cut")

// openedFiles are the files that a core file names, and whose unchanged pages it lacks.
type openedFiles []*os.File

// open opens a library of a JVM or an archive of its classes, and no other file: a core file may name any.
func (o *openedFiles) open(name string) (io.ReaderAt, error) {
	if path.Base(name) != "libjvm.so" && path.Ext(name) != ".jsa" {
		return nil, fmt.Errorf("%s is no file of a JVM", name)
	}
	file, err := kernel.New("/proc").OpenIn(os.Getpid(), name)
	if err != nil {
		return nil, err
	}
	*o = append(*o, file)
	return file, nil
}

func (o openedFiles) close() {
	for _, file := range o {
		_ = file.Close()
	}
}

// core is the look at a core file.
func (f *Files) core(ctx context.Context, name string) ([]recording.Entry, error) {
	text, err := coreDump(ctx, name)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &UnreadableError{err}
	}
	f.cores++
	stream := io.NopCloser(bytes.NewReader(text))
	return []recording.Entry{{Kind: recording.ThreadDump, Name: name, At: -1, Stream: stream}}, nil
}
