package file

import (
	"debug/elf"
	"encoding/binary"
	"io"
	"os"
)

// IsCore reports whether a file is a core file by its first bytes: an ELF file of the type ET_CORE.
func IsCore(name string) bool {
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
	return err == nil && hasCoreHead(head[:])
}

// untilType is how many bytes of a file are needed to recognise a core file.
const untilType = 18

func hasCoreHead(head []byte) bool {
	if len(head) < untilType || string(head[:len(elf.ELFMAG)]) != elf.ELFMAG {
		return false
	}
	return elf.Type(binary.LittleEndian.Uint16(head[untilType-2:])) == elf.ET_CORE
}
